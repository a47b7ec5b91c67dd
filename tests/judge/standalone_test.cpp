// What is found in a labelled file shows in its standalone file, too, in an interpreter without any part of jitprobe: a
// campaign takes a finding that doesn't for a flaky one.
//
// $JUDGE_STANDALONE: "all", or a seed by which six files are chosen. Without it there is none.
#include "pyrunner/standalone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "campaign/common/confirm.h"
#include "core/choices.h"
#include "pyrunner/temporary.h"
#include "report/reproducer.h"
#include "tests/judge/labelled.h"

namespace jp::labelled {
namespace {

constexpr std::size_t kSample = 6;

std::vector<std::string> chosen() {
  const char* asked = std::getenv("JUDGE_STANDALONE");
  if (!asked) return {};
  std::vector<std::string> diverging;
  for (const std::string& name : names())
    if (name.starts_with("diverge/")) diverging.push_back(name);
  if (std::string(asked) == "all") return diverging;
  Choices choices(std::stoull(asked));
  std::vector<std::string> sample;
  while (sample.size() < std::min(kSample, diverging.size())) {
    const auto at = diverging.begin() + static_cast<std::ptrdiff_t>(choices.below(diverging.size()));
    sample.push_back(*at);
    diverging.erase(at);
  }
  return sample;
}

class Standalone : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Standalone);

TEST_P(Standalone, ShowsWhatIsFound) {
  const std::string path = (folder() / (GetParam() + ".py")).string();
  const Result<Program> program = Program::make(read(path), {}, path);
  ASSERT_TRUE(program.ok()) << program.error().message;
  const Header header = header_of(program.value().source());
  if (header.contains("standalone")) GTEST_SKIP() << at(header, "standalone");
  const campaign::JudgedProgram judged = judge(program.value(), header);
  ASSERT_EQ(judged.verdict.kind, Verdict::Kind::kDiverge) << judged.verdict.reason;
  const Finding finding{.program = program.value(),
                        .plan = judged.plan,
                        .outcomes = judged.outcomes,
                        .verdict = judged.verdict,
                        .signature = judged.signature};
  const std::string text = report::reproducer(finding, campaign::versions_of(shared_runner()));
  const Result<pyrunner::TemporaryFolder> work = pyrunner::TemporaryFolder::make("standalone");
  ASSERT_TRUE(work.ok()) << work.error().message;
  const pyrunner::Standalone alone = pyrunner::beside(shared_runner().options(), work.value().path() + "/run");
  EXPECT_EQ(pyrunner::run_standalone(alone, text), 1) << judged.verdict.differences.front().where << "\n" << text;
}

INSTANTIATE_TEST_SUITE_P(Set, Standalone, testing::ValuesIn(chosen()),
                         [](const auto& chosen) { return test_name(chosen.param); });

}  // namespace
}  // namespace jp::labelled
