#include "report/known.h"

#include <gtest/gtest.h>

#include "report/files.h"
#include "tests/report/build.h"

namespace jp::report::test {
namespace {

const std::string kHead =
    "# zero_ does not compile: a sentence.\n"
    "# link: https://example.org/issues/1\n"
    "# signature: 0123456789abcdef\n"
    "# pattern: kind=compiler_error; backend=aot_eager; frame=two bool tensors; call=zero_\n"
    "# pattern: kind=hang; stage=dynamo\n"
    "# versions: 2.13.0 2.15.0\n"
    "# state: open\n"
    "import torch\n# state: nonsense behind the head\n";

std::string without(const std::string& line) {
  std::string text = kHead;
  const std::size_t at = text.find("# " + line);
  return text.erase(at, text.find('\n', at) + 1 - at);
}

TEST(Known, HeadIsRead) {
  const KnownBug bug = parse_known("pytorch-1", kHead).value();
  EXPECT_EQ(bug.title, "zero_ does not compile: a sentence.");
  EXPECT_EQ(bug.link, "https://example.org/issues/1");
  EXPECT_EQ(bug.signatures, std::vector<std::string>{"0123456789abcdef"});
  ASSERT_EQ(bug.patterns.size(), 2u);
  EXPECT_EQ(bug.patterns[0][2], (std::pair<std::string, std::string>("frame", "two bool tensors")));
  EXPECT_EQ(bug.versions, (std::vector<std::string>{"2.13.0", "2.15.0"}));
  EXPECT_EQ(bug.state, "open");
}

TEST(Known, WhatIsMissingIsNamed) {
  for (const char* line : {"link", "versions", "state"}) {
    const Result<KnownBug> bug = parse_known("b", without(line));
    ASSERT_FALSE(bug.ok()) << line;
    EXPECT_NE(bug.error().message.find(line), std::string::npos) << bug.error().message;
  }
  EXPECT_FALSE(parse_known("b", "import torch\n").ok());
  EXPECT_FALSE(parse_known("b", kHead + "").value().title.empty());
  std::string bad = kHead;
  bad.replace(bad.find("kind=hang"), 4, "sort");
  EXPECT_NE(parse_known("b", bad).error().message.find("sort=hang"), std::string::npos);
}

TEST(Known, FoundBySignatureOrPattern) {
  const std::vector<KnownBug> known = {parse_known("b", kHead).value()};
  Signature signature{.backend = "aot_eager", .stage = "aot_autograd", .kind = "compiler_error"};
  signature.frames = {"builtins.RuntimeError", "Subtraction with two bool tensors is not supported"};
  const Program calls = program_of("def program(x):\n    return x.zero_()\n");
  const Program others = program_of("def program(x):\n    return x.fill_(1)\n");
  EXPECT_EQ(find_known(known, signature, &calls), &known[0]);
  EXPECT_EQ(find_known(known, signature, &others), nullptr);
  EXPECT_EQ(find_known(known, signature, nullptr), nullptr) << "calls of a program that is not reduced say nothing";
  signature.backend = "inductor";
  EXPECT_EQ(find_known(known, signature, &calls), nullptr);
  EXPECT_NE(find_known(known, {.backend = "x", .stage = "dynamo", .kind = "hang"}, nullptr), nullptr);
  KnownBug same = known[0];
  same.patterns.clear();
  same.signatures = {signature.id()};
  EXPECT_NE(find_known({same}, signature, nullptr), nullptr);
}

TEST(Known, FolderInOrderAndTheProjectsOwn) {
  Folder folder;
  ASSERT_TRUE(write_file(folder / "b.py", kHead).ok());
  ASSERT_TRUE(write_file(folder / "a.py", kHead).ok());
  ASSERT_TRUE(write_file(folder / "notes.txt", "no").ok());
  const auto known = load_known(folder.path());
  ASSERT_EQ(known.value().size(), 2u);
  EXPECT_EQ(known.value()[0].name, "a");
  EXPECT_TRUE(load_known(folder / "none").value().empty());
  ASSERT_TRUE(write_file(folder / "c.py", "import torch\n").ok());
  EXPECT_NE(load_known(folder.path()).error().message.find("c.py"), std::string::npos);
  for (const char* own : {"known", "trophies"}) {
    const auto kept = load_known(std::string(JITPROBE_SOURCE_DIR "/corpus/") + own);
    EXPECT_TRUE(kept.ok()) << kept.error().message;
  }
}

}  // namespace
}  // namespace jp::report::test
