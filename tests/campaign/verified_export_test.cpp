// What is loaded of a finding whose files are damaged, which evidence counts, and how a file runs without compiling.
#include "campaign/evidence/verified_export.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "codec/codec.h"
#include "core/files.h"
#include "report/object_file.h"
#include "report/reduced.h"
#include "tests/report/store_build.h"

namespace jp::campaign {
namespace {

using report::test::created;
using report::test::finding_of;
using report::test::Folder;
using report::test::program_of;

class Damaged : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(store_->add_finding(finding_, 0).value()); }
  void put(const char* name, const std::string& text) {
    ASSERT_TRUE(write_file(report::finding_file(folder_.path(), id_, name), text).ok());
  }

  Folder folder_;
  std::unique_ptr<report::Store> store_ = created(folder_);
  Finding finding_ = finding_of("def program(x):\n    return x + 1\n", "aot_eager", Mismatch::kValue, "output");
  std::string id_ = finding_.signature.id();
};

TEST_F(Damaged, ALabelCountsAsNoneAndIsSaid) {
  ASSERT_TRUE(report::keep_label(folder_.path(), id_, {"known", "a"}).ok());
  EXPECT_EQ(damaged_label(folder_.path(), id_), "");
  for (const char* text : {R"({"label": 5})", R"({"version": "x", "label": "known"})", "[", "{\"version\": null}"}) {
    put("label.json", text);
    EXPECT_EQ(report::load_label(folder_.path(), id_), report::Label{}) << text;
    EXPECT_NE(damaged_label(folder_.path(), id_).find("label.json is damaged"), std::string::npos) << text;
    EXPECT_TRUE(load_finding(folder_.path(), id_).ok()) << text;
  }
}

TEST_F(Damaged, AFindingIsSaidWithItsFile) {
  for (const char* text : {R"({"version": "x", "finding": {}})", R"({"version": null, "finding": {}})"}) {
    put("finding.json", text);
    const auto loaded = load_finding(folder_.path(), id_);
    ASSERT_FALSE(loaded.ok());
    EXPECT_NE(loaded.error().message.find("finding.json is damaged"), std::string::npos) << loaded.error().message;
    EXPECT_EQ(loaded.error().message.find("json.exception"), std::string::npos) << loaded.error().message;
  }
  put("finding.json", R"({"version": 99, "finding": {}})");
  EXPECT_NE(load_finding(folder_.path(), id_).error().message.find("newer"), std::string::npos);
}

TEST_F(Damaged, TheEmptyIdNamesNone) {
  EXPECT_TRUE(load_finding(folder_.path(), id_.substr(0, 1)).ok());
  const auto loaded = load_finding(folder_.path(), "");
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().message.find("there is no finding"), std::string::npos) << loaded.error().message;
}

TEST_F(Damaged, EvidenceThatDoesNotShowTheFindingIsNone) {
  LoadedFinding kept = load_finding(folder_.path(), id_).value();
  EXPECT_FALSE(has_evidence(kept));
  kept.evidence.emplace();
  kept.evidence->of = finding_.program.sha256();
  EXPECT_FALSE(has_evidence(kept)) << "it did not diverge";
  kept.evidence->plain = finding_;
  EXPECT_TRUE(has_evidence(kept));
  kept.reduced = program_of("def program(x):\n    return x\n");
  EXPECT_FALSE(has_evidence(kept)) << "only the whole program diverged";
}

TEST(WithoutCompiling, TheFileRunsUnchanged) {
  Folder folder;
  const std::string text =
      "from __future__ import annotations\nimport os\nimport sys\n\n"
      "sys.exit(3 + int(os.environ[\"TORCH_COMPILE_DISABLE\"]))  # \"\\\n";
  ASSERT_TRUE(write_file(folder / "run.py", without_compiling(text)).ok());
  const int status = std::system(("cd " + folder.path() + " && python3 run.py").c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 4) << status;
  EXPECT_EQ(read_file(folder / "not_compiled.py").value(), text);
}

}  // namespace
}  // namespace jp::campaign
