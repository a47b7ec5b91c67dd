// The program in a known bug's file, its form, and where an avoid line is inserted.
#include "campaign/known/known_form.h"

#include <gtest/gtest.h>

#include "campaign/known/known_file.h"
#include "campaign/known/known_state.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::program_of;

const std::string kFile = R"(# What is wrong.
# link: unreported
import math
import sys

try:
    import torch
    from torch.utils import checkpoint as again
except ImportError as error:
    print(error)
    sys.exit(2)

SCALE = math.pi
LIMIT = 3


def make_inputs():
    return (torch.ones(2),)


def scaled(x):
    return x * SCALE


def program(x):
    return scaled(x).neg()


def results(function):
    return [function(*make_inputs()) for _ in range(LIMIT)]


if __name__ == "__main__":
    sys.exit(0 if results(program) else 1)
)";

TEST(KnownForm, TheProgramIsWhatTheFileTests) {
  const Program program = known_program("a", kFile).value();
  EXPECT_EQ(program.source(),
            "import math\nimport torch\n\n\nSCALE = math.pi\n\n\ndef scaled(x):\n    return x * SCALE\n\n\n"
            "def make_inputs():\n    return (torch.ones(2),)\n\n\ndef program(x):\n    return scaled(x).neg()\n");
  EXPECT_FALSE(known_program("a", "def other():\n    return 1\n").ok());
  EXPECT_FALSE(known_program("a", "def program(:\n").ok());
}

TEST(KnownForm, NamesNumbersAndTheRestOfTheFileAreNoPartOfIt) {
  const std::string form = bug_form(program_of(kFile));
  const std::string reduced = R"(import math
import torch

FACTOR = math.pi

def halved(v7):
    return v7 * FACTOR

def program(v1):
    return halved(v1).neg()

def make_inputs():
    return (torch.ones(5),)
)";
  EXPECT_EQ(bug_form(program_of(reduced)), form) << "whichever stands first";
  std::string other = reduced;
  other.replace(other.find("neg"), 3, "abs");
  EXPECT_NE(bug_form(program_of(other)), form);
  other = reduced;
  other.replace(other.find("ones(5)"), 7, "ones(5, dtype=torch.int8)");
  EXPECT_NE(bug_form(program_of(other)), form);
  EXPECT_EQ(bug_form(program_of("def program(:\n")), "");
}

TEST(KnownForm, AnAvoidLineStandsBehindTheImports) {
  const auto with = [](const std::string& source) { return with_line(source, "flag = 1").value(); };
  EXPECT_EQ(with("import math\nfrom a import b\n\n\ndef program():\n    import c\n"),
            "import math\nfrom a import b\nimport torch\nflag = 1\n\n\ndef program():\n    import c\n");
  EXPECT_EQ(with("def program():\n    pass\n"), "import torch\nflag = 1\ndef program():\n    pass\n");
  EXPECT_EQ(with("\"\"\"Text.\"\"\"\nfrom __future__ import annotations\nx = 1\n"),
            "\"\"\"Text.\"\"\"\nfrom __future__ import annotations\nimport torch\nflag = 1\nx = 1\n");
  EXPECT_EQ(with("import math"), "import math\nimport torch\nflag = 1\n");
  EXPECT_EQ(with(with("import math\n")), with("import math\n"));
  EXPECT_FALSE(with_line("x = 1\n", "flag = (").ok());
}

TEST(KnownFile, NameOfALink) {
  EXPECT_EQ(known_name("https://github.com/pytorch/pytorch/issues/12345", "").value(), "pytorch-12345");
  EXPECT_EQ(known_name("https://github.com/triton-lang/triton/pull/7#issuecomment-1", "").value(), "triton-7");
  EXPECT_EQ(known_name("https://example.org/reports?id=3", "report_3").value(), "report_3");
  for (const char* bad :
       {"", "12345", "pytorch#12345", "https://", "https://a b/c", "https://example.org/reports?id=3"})
    EXPECT_FALSE(known_name(bad, "").ok()) << bad;
  for (const char* bad : {"../a", "a.py", "a b"})
    EXPECT_FALSE(known_name("https://github.com/pytorch/pytorch/issues/1", bad).ok()) << bad;
}

TEST(KnownState, WhatIsPrinted) {
  using enum Standing;
  EXPECT_EQ(standing_text({kHere, kGone, kHere}), "3 known bugs: 2 here, 1 gone");
  EXPECT_EQ(standing_text({kHere, kUnknown}), "2 known bugs: 1 here, 0 gone, 1 can't be judged");
  const auto bug = [](const std::string& name, const std::string& state) {
    return report::parse_known(name, "# A bug.\n# link: unreported\n# state: " + state + "\n").value();
  };
  const auto said =
      regressions({bug("a", "fixed"), bug("b", "open"), bug("c", "fixed")}, {kHere, kHere, kGone}, "2.13.0+cpu");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0], "regression: a (unreported) was fixed, and torch 2.13.0 shows it again");
}

}  // namespace
}  // namespace jp::campaign
