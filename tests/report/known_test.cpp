#include "report/known.h"

#include <gtest/gtest.h>

#include "codec/codec.h"
#include "report/files.h"
#include "report/known_head.h"
#include "report/known_verdict.h"
#include "tests/report/build.h"

namespace jp::report::test {
namespace {

const std::string kHead =
    "# zero_ does not compile: a sentence.\n"
    "# link: https://example.org/issues/1\n"
    "# signature: 0123456789abcdef v5 compiler_error aot_eager\n"
    "# signature: fedcba9876543210\n"
    "# pattern: kind=compiler_error; backend=aot_eager; frame=two bool tensors; call=zero_\n"
    "# pattern: kind=hang; stage=dynamo\n"
    "# avoid: torch._dynamo.config.some_flag = True\n"
    "# avoid: switch dynamic\n"
    "# here: 2.13.0, 2.14.1\n"
    "# gone: 2.15.0\n"
    "# state: open\n"
    "# Why it is so.\n"
    "import torch\n# state: nonsense behind the head\n";

KnownBug bug_of(const std::string& text) { return parse_known("pytorch-1", text).value(); }

std::string replaced(const std::string& part, const std::string& by) {
  std::string text = kHead;
  return text.replace(text.find(part), part.size(), by);
}

std::string without(const std::string& line) {
  std::string text = kHead;
  const std::size_t at = text.find("# " + line);
  return text.erase(at, text.find('\n', at) + 1 - at);
}

TEST(Known, HeadIsRead) {
  const KnownBug bug = bug_of(kHead);
  EXPECT_EQ(bug.title, "zero_ does not compile: a sentence.");
  EXPECT_EQ(bug.link, "https://example.org/issues/1");
  const std::vector<KnownSignature> signatures = {{"0123456789abcdef", 5, "compiler_error", "aot_eager"},
                                                  {"fedcba9876543210"}};
  EXPECT_EQ(bug.signatures, signatures);
  ASSERT_EQ(bug.patterns.size(), 2u);
  EXPECT_EQ(bug.patterns[0][2], (std::pair<std::string, std::string>("frame", "two bool tensors")));
  EXPECT_EQ(bug.avoid, (std::vector<std::string>{"torch._dynamo.config.some_flag = True", "switch dynamic"}));
  EXPECT_EQ(bug.here, (std::vector<std::string>{"2.13.0", "2.14.1"}));
  EXPECT_EQ(bug.gone, std::vector<std::string>{"2.15.0"});
  EXPECT_EQ(bug.state, "open");
  EXPECT_EQ(bug.oracle, "eager_vs_compiled");
  EXPECT_EQ(bug_of(replaced("# state", "# oracle: rejects_alike\n# state")).oracle, "rejects_alike");
  EXPECT_EQ(bug.text, kHead);
}

TEST(Known, WhatIsMissingOrWrongIsNamed) {
  for (const char* line : {"link", "state"}) {
    const Result<KnownBug> bug = parse_known("b", without(line));
    ASSERT_FALSE(bug.ok()) << line;
    EXPECT_NE(bug.error().message.find(line), std::string::npos) << bug.error().message;
  }
  EXPECT_FALSE(parse_known("b", "import torch\n").ok());
  const auto says = [](const std::string& text, const std::string& part) {
    const Result<KnownBug> bug = parse_known("b", text);
    return !bug.ok() && bug.error().message.find(part) != std::string::npos;
  };
  EXPECT_TRUE(says(replaced("kind=hang", "sort=hang"), "sort=hang"));
  EXPECT_TRUE(says(replaced("fedcba9876543210", "fedc"), "signature: fedc"));
  EXPECT_TRUE(says(replaced(" v5 ", " five "), "five"));
  EXPECT_TRUE(says(replaced("gone: 2.15.0", "gone: 2.13.0"), "2.13.0"));
  EXPECT_TRUE(says(replaced("here: 2.13.0, 2.14.1", "here: 2.13.0 2.14.1"), "'2.13.0 2.14.1'"));
  EXPECT_TRUE(says(replaced("gone: 2.15.0", "gone: soon"), "'soon'"));
  EXPECT_TRUE(says(replaced("kind=hang", "kind=hangs"), "kind=hangs"));
  EXPECT_TRUE(says(replaced("# pattern: kind", "# patern: kind"), "must be '# pattern: '"));
  EXPECT_TRUE(says(replaced("# state: ", "# oracle: cost\n# state: "), "eager_vs_compiled, rejects_alike"));
  EXPECT_TRUE(says(replaced("# state: ", "# around:\n# state: "), "'# around:' says nothing"));
  EXPECT_TRUE(says(replaced("# state: ", "# around: \n# state: "), "'# around:' says nothing"));
  EXPECT_TRUE(says(replaced("# state: ", "# state: wontfix\n# state: "), "two lines '# state: '"));
  EXPECT_TRUE(says(replaced("# state: ", "# here: 2.12.1\n# state: "), "two lines '# here: '"));
}

TEST(Known, APatternThatFitsMuchNeedsAnAvoidLine) {
  const auto read = [](const std::string& pattern, const std::string& avoid) {
    return parse_known("b", "# A bug.\n# link: unreported\n# pattern: " + pattern + "\n" + avoid + "# state: open\n");
  };
  for (const char* wide :
       {"kind=value; backend=aot_eager; call=neg_", "call=l1_loss", "kind=value", "backend=inductor"}) {
    ASSERT_FALSE(read(wide, "").ok()) << wide;
    EXPECT_NE(read(wide, "").error().message.find("many bugs share"), std::string::npos);
    EXPECT_TRUE(read(wide, "# avoid: torch.neg = abs\n").ok()) << wide;
  }
  for (const char* narrow :
       {"kind=value; call=neg_; call=view", "frame=later call; call=neg_", "kind=hang; stage=dynamo"})
    EXPECT_TRUE(read(narrow, "").ok()) << narrow;
}

TEST(Known, SignaturesAndPatternsMakeCandidates) {
  const KnownBug bug = bug_of(kHead);
  EXPECT_TRUE(bug.has_signature("fedcba9876543210"));
  EXPECT_FALSE(bug.has_signature("fedcba9876543211"));
  Signature signature{.backend = "aot_eager", .stage = "aot_autograd", .kind = "compiler_error"};
  signature.frames = {"builtins.RuntimeError", "Subtraction with two bool tensors is not supported"};
  EXPECT_TRUE(bug.has_pattern(signature, {"zero_"}));
  EXPECT_FALSE(bug.has_pattern(signature, {"fill_"}));
  EXPECT_FALSE(bug.has_pattern(signature, {})) << "calls of a program that is not reduced say nothing";
  signature.backend = "inductor";
  EXPECT_FALSE(bug.has_pattern(signature, {"zero_"}));
  EXPECT_TRUE(bug.has_pattern({.backend = "x", .stage = "dynamo", .kind = "hang"}, {}));
}

TEST(Known, ReleasesByTheirNumbers) {
  const std::vector<std::string> in_order = {"2.9.1",  "2.13.0", "2.15.0a0", "2.15.0.dev7", "2.15.0.dev20261101",
                                             "2.15.0", "2.15.1"};
  for (std::size_t i = 0; i < in_order.size(); ++i)
    for (std::size_t j = 0; j < in_order.size(); ++j)
      EXPECT_EQ(older(in_order[i], in_order[j]), i < j) << in_order[i] << " " << in_order[j];
  EXPECT_EQ(release_of("2.13.0+cpu"), "2.13.0");
}

TEST(Known, WhatAHeadSaysOfARelease) {
  const KnownBug bug = bug_of(kHead);
  for (const char* here : {"2.12.0", "2.13.0", "2.14.0", "2.14.1"}) EXPECT_FALSE(said_gone(bug, here)) << here;
  for (const char* gone : {"2.15.0", "2.15.1", "3.0.0"}) EXPECT_TRUE(said_gone(bug, gone)) << gone;
  const KnownBug open = bug_of(without("gone"));
  EXPECT_FALSE(said_gone(open, "2.15.0"));
  KnownBug fixed = open;
  fixed.state = "fixed";
  EXPECT_TRUE(said_gone(fixed, "2.15.0"));
  EXPECT_FALSE(said_gone(fixed, "2.14.1")) << "a release of before the fix";
  fixed.gone = {"2.16.0"};
  EXPECT_FALSE(said_gone(fixed, "2.15.0")) << "fixed in 2.16.0 as far as anybody knows";
  EXPECT_NE(regression_text(fixed, "2.17.0").find("was fixed, and torch 2.17.0 shows it again"), std::string::npos);
}

TEST(Known, NothingButTheReleasesChanges) {
  EXPECT_EQ(with_release(bug_of(kHead), "2.13.0", true), kHead);
  EXPECT_EQ(with_release(bug_of(kHead), "2.9.0", true), replaced("here: 2.13.0", "here: 2.9.0, 2.13.0"));
  EXPECT_EQ(with_release(bug_of(kHead), "2.16.0", false), replaced("gone: 2.15.0", "gone: 2.15.0, 2.16.0"));
  EXPECT_EQ(with_release(bug_of(kHead), "2.14.1", false),
            replaced("here: 2.13.0, 2.14.1\n# gone: 2.15.0", "here: 2.13.0\n# gone: 2.14.1, 2.15.0"));
  EXPECT_EQ(with_release(bug_of(kHead), "2.15.0", true),
            replaced("here: 2.13.0, 2.14.1\n# gone: 2.15.0\n", "here: 2.13.0, 2.14.1, 2.15.0\n"));
  EXPECT_EQ(with_release(bug_of(without("gone")), "2.15.0", false), kHead) << "behind here, before state";
}

TEST(Known, SignaturesOfOtherVersionsGo) {
  const KnownSignature own{"0123456789abcdef", 5, "compiler_error", "aot_eager"};
  EXPECT_EQ(with_signatures(bug_of(kHead), {own}, 5), kHead);
  const KnownSignature next{"00000000000000aa", 6, "raises", "inductor"};
  EXPECT_EQ(with_signatures(bug_of(kHead), {next}, 6),
            replaced("0123456789abcdef v5 compiler_error aot_eager\n# signature: fedcba9876543210\n",
                     "fedcba9876543210\n# signature: 00000000000000aa v6 raises inductor\n"));
  const KnownSignature full{"fedcba9876543210", 5, "raises", "eager"};
  EXPECT_EQ(with_signatures(bug_of(kHead), {full}, 5),
            replaced("# signature: fedcba9876543210", "# signature: fedcba9876543210 v5 raises eager"));
}

TEST(Known, VerdictsAreKept) {
  Folder folder;
  EXPECT_FALSE(load_known_verdict(folder.path(), "ab"));
  const KnownVerdict verdict{"sha",
                             "pytorch-1",
                             "https://example.org",
                             "avoid",
                             {{"pytorch-2", "unreported", "why"}, {"three", "unreported", "it stays", true}}};
  ASSERT_TRUE(keep_known_verdict(folder.path(), "ab", verdict).ok());
  EXPECT_EQ(load_known_verdict(folder.path(), "ab"), verdict);
  EXPECT_EQ(resemblance_text(verdict), "like pytorch-2 (unreported): why; not three: it stays");
  ASSERT_TRUE(write_file(folder / "findings/ab/known.json", "{\"version\": 1}").ok());
  EXPECT_FALSE(load_known_verdict(folder.path(), "ab"));
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
