// The first wrong value on the way: how programs are made to show it, and the search, without running anything.
#include "app/intermediates.h"

#include <gtest/gtest.h>

#include "app/known.h"
#include "tests/report/build.h"

namespace jp::app {
namespace {

const std::string kSource =
    "import torch\n\n\ndef program(x):\n    a = x + 1\n    b = a * 2\n    b.relu_()\n    c, d = b, a\n    return c, "
    "d\n";

mutate::Parsed parsed(const std::string& source) { return mutate::parse(report::test::program_of(source)).value(); }

TEST(Intermediates, AreTheBindingsOfTheEntry) {
  const std::vector<Binding> bindings = bindings_of(parsed(kSource));
  ASSERT_EQ(bindings.size(), 3u);
  EXPECT_EQ(bindings[0].name, "a");
  EXPECT_EQ(bindings[2].name, "b");
  EXPECT_EQ(bindings[2].statement, "b.relu_()");
  EXPECT_EQ(bindings[2].line, 7);
  EXPECT_TRUE(bindings_of(parsed("program = len\n")).empty());
}

TEST(Intermediates, AreGivenBesideTheOutput) {
  const mutate::Parsed program = parsed(kSource);
  EXPECT_EQ(with_bindings(program, bindings_of(program), {0, 2}).value().source(),
            "import torch\n\n\ndef program(x):\n    kept = []\n    a = x + 1\n"
            "    kept.append(a.detach().clone() if isinstance(a, torch.Tensor) else a)\n    b = a * 2\n    b.relu_()\n"
            "    kept.append(b.detach().clone() if isinstance(b, torch.Tensor) else b)\n    c, d = b, a\n"
            "    return (c, d), kept\n");
  const mutate::Parsed early = parsed("def program(x):\n    if x:\n        return x\n    a = x\n    return a\n");
  EXPECT_FALSE(with_bindings(early, bindings_of(early), {0}));
  const mutate::Parsed nothing = parsed("def program(x):\n    a = x\n");
  EXPECT_FALSE(with_bindings(nothing, bindings_of(nothing), {0}));
}

Difference at(const std::string& where) { return {Mismatch::kValue, 0, where, "1", "2", {}, "float"}; }

TEST(Intermediates, FirstOfAllAtOnce) {
  int asked = 0;
  const auto found = first_wrong(parsed(kSource), [&](const Program&) {
    ++asked;
    return std::vector<Difference>{at("output[0][1]"), at("output[1][2]"), at("output[1][1]")};
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "b");
  EXPECT_EQ(found->statement, "b = a * 2");
  EXPECT_FALSE(found->bisected);
  EXPECT_EQ(asked, 1);
}

TEST(Intermediates, HalvedWhenAllHideIt) {
  // Shows only where no more than one value is given, from the second on.
  const auto found = first_wrong(parsed(kSource), [](const Program& program) {
    const std::string& source = program.source();
    const std::size_t first = source.find("kept.append");
    const bool one = source.find("kept.append", first + 1) == std::string::npos;
    const bool wrong = source.find("kept.append(b") != std::string::npos;
    return one && wrong ? std::vector<Difference>{at("output[1][0]")} : std::vector<Difference>{};
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->statement, "b = a * 2");
  EXPECT_TRUE(found->bisected);
  EXPECT_FALSE(first_wrong(parsed(kSource), [](const Program&) { return std::vector<Difference>{at("output[0]")}; }));
}

TEST(Recheck, StatusesAndWhatIsSaid) {
  EXPECT_EQ(again_name(again_of(1)), "still there");
  EXPECT_EQ(again_name(again_of(0)), "gone");
  for (int status : {2, -1, 139}) EXPECT_EQ(again_name(again_of(status)), "changed");
  Recheck recheck{.name = "a", .set = "known", .link = "", .state = "open", .status = 1};
  EXPECT_TRUE(recheck.as_said());
  EXPECT_FALSE(recheck.regression());
  recheck.said_gone = true;
  EXPECT_FALSE(recheck.as_said());
  EXPECT_TRUE(recheck.regression());
  recheck.status = 0;
  EXPECT_TRUE(recheck.as_said());
  EXPECT_FALSE(recheck.regression());
  recheck.status = 2;
  EXPECT_FALSE(recheck.as_said());
}

}  // namespace
}  // namespace jp::app
