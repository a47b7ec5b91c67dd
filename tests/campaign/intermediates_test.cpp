// The first wrong value on the way: how programs are made to show it, and the search, without running anything.
#include "campaign/evidence/intermediates.h"

#include <gtest/gtest.h>

#include "campaign/evidence/backward.h"
#include "campaign/evidence/statement_form.h"
#include "campaign/known/known.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

const std::string kSource =
    "import torch\n\n\ndef program(x):\n    a = x + 1\n    b = a * 2\n    b.relu_()\n    c, d = b, a\n    return c, "
    "d\n";

mutate::Parsed parsed(const std::string& source) { return mutate::parse(report::test::program_of(source)).value(); }

std::vector<std::string> names_in(const mutate::Parsed& program) {
  std::vector<std::string> names;
  for (const Binding& binding : bindings_of(program)) names.push_back(binding.name);
  return names;
}
using Names = std::vector<std::string>;

TEST(Intermediates, AreTheBindingsOfTheEntry) {
  const std::vector<Binding> bindings = bindings_of(parsed(kSource));
  EXPECT_EQ(names_in(parsed(kSource)), (Names{"a", "b", "b", "c", "d"}));
  EXPECT_EQ(bindings[2].statement, "b.relu_()");
  EXPECT_EQ(bindings[2].line, 7);
  EXPECT_TRUE(bindings_of(parsed("program = len\n")).empty());
}

TEST(Intermediates, OfEveryTargetBlockAndFunction) {
  const std::string source =
      "import torch\n\n\ndef other(y):\n    z = y * 2\n    return z\n\n\ndef make_inputs():\n    q = 1\n    return "
      "(q,)\n\n\n"
      "def program(x):\n    a, (b, *c) = x\n    x[0] = 3\n    for i in range(2):\n        if i:\n            d = "
      "other(a)\n"
      "    with open(x) as e:\n        e.total = 1\n    try:\n        f = g = a\n    except E:\n        "
      "torch.manual_seed(0)\n"
      "    def inner():\n        h = a\n        return h\n    k = lambda: a\n    m = (n for n in c)\n    return a\n";
  EXPECT_EQ(names_in(parsed(source)), (Names{"z", "a", "b", "c", "x", "i", "d", "e", "e.total", "g", "f", "h"}));
  const std::vector<Binding> bindings = bindings_of(parsed(source));
  EXPECT_TRUE(bindings[0].outside);
  EXPECT_FALSE(bindings[11].outside) << "a function inside the entry sees its list";
  EXPECT_EQ(bindings[5].indent, std::string(8, ' ')) << "at the beginning of the loop's block";
}

std::string kept(const std::string& index_and_name) {
  const std::string name = index_and_name.substr(index_and_name.find(' ') + 1);
  std::string line =
      "kept.append((I, N.detach().clone() if isinstance(N, torch.Tensor) else list(N) if isinstance(N, "
      "list) else dict(N) if isinstance(N, dict) else N))\n";
  line.replace(line.find('I'), 1, index_and_name.substr(0, index_and_name.find(' ')));
  for (std::size_t at = line.find('N'); at != std::string::npos; at = line.find('N', at + name.size()))
    line.replace(at, 1, name);
  return line;
}

TEST(Intermediates, AreGivenBesideTheOutput) {
  const mutate::Parsed program = parsed(kSource);
  EXPECT_EQ(with_bindings(program, bindings_of(program), {0, 2, 4}).value().source(),
            "import torch\n\n\ndef program(x):\n    kept = []\n    a = x + 1\n    " + kept("0 a") +
                "    b = a * 2\n    b.relu_()\n    " + kept("2 b") + "    c, d = b, a\n    " + kept("4 d") +
                "    return (c, d), kept\n");
}

TEST(Intermediates, WhateverWayTheEntryEnds) {
  const auto made = [](const std::string& source, const std::vector<std::size_t>& chosen) {
    const mutate::Parsed program = parsed("import torch\n" + source);
    const std::optional<Program> with = with_bindings(program, bindings_of(program), chosen);
    return with ? with->source().substr(13) : "";
  };
  EXPECT_EQ(made("def program(x):\n    if x: return x\n    a = x\n    return\n", {0}),
            "def program(x):\n    kept = []\n    if x: return (x), kept\n    a = x\n    " + kept("0 a") +
                "    return (None), kept\n");
  EXPECT_EQ(
      made("def program(x):\n    if x:\n        a = x\n", {0}),
      "def program(x):\n    kept = []\n    if x:\n        a = x\n        " + kept("0 a") + "    return None, kept\n");
  EXPECT_EQ(made("def program(x):\n    a = x\n    yield a\n", {0}), "") << "a generator";
  EXPECT_EQ(made("def other(x):\n    a = x\n    return a\ndef program(x):\n    b = other(x)\n    return b\n", {0, 1}),
            "kept = []\n\n\ndef other(x):\n    a = x\n    " + kept("0 a") +
                "    return a\ndef program(x):\n    kept.clear()\n    b = other(x)\n    " + kept("1 b") +
                "    return (b), list(kept)\n")
      << "functions of the module see a list of the module's";
}

Difference at(const std::string& where, int call = 0) { return {Mismatch::kValue, call, where, "1", "2", {}, "float"}; }

TEST(Intermediates, FirstOfAllAtOnce) {
  int asked = 0;
  const auto found = first_wrong(parsed(kSource), [&](const Program&) {
    ++asked;
    return Shown{{at("output[0][1]"), at("output[1][2][1]"), at("output[1][1][1]")}, {}, {}};
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "b");
  EXPECT_EQ(found->statement, "b = a * 2");
  EXPECT_EQ(found->form, "*");
  EXPECT_EQ(found->words, "a multiplication");
  EXPECT_FALSE(found->bisected);
  EXPECT_EQ(asked, 1);
}

TEST(Intermediates, InTheOrderInWhichTheyWereMade) {
  // The third value that was kept is the first step's again, in the second call.
  const auto found = first_wrong(parsed(kSource), [](const Program&) {
    return Shown{{at("output[1][2][1]", 1)}, {{0, 1}, {1, 2, 0}}, {}};
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "a");
}

TEST(Intermediates, WhereTheSidesPart) {
  const auto found = first_wrong(parsed(kSource), [](const Program&) {
    return Shown{{at("output[1]")}, {{0, 1, 3}}, {{0, 1, 2, 3}}};
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->statement, "b.relu_()") << "the compiled run made it, eager did not";
}

TEST(Intermediates, TheOutputItself) {
  const mutate::Parsed program =
      parsed("import torch\ndef program(x):\n    a = x + 1\n    return torch.flip(a // 2, (0,))\n");
  const auto found = first_wrong(program, [](const Program&) { return Shown{{at("output[0]")}, {}, {}}; });
  ASSERT_TRUE(found) << "where showing its parts hides the fault, by all of them";
  EXPECT_EQ(found->name, "output");
  EXPECT_EQ(found->form, "// flip");
  EXPECT_EQ(found->words, "torch.flip over a floor division");
}

TEST(Intermediates, TheExpressionOfAStatement) {
  const mutate::Parsed program =
      parsed("import torch\ndef program(x):\n    return (x.roll(2).rot90(0)[0] + torch.relu(-x),)\n");
  const std::vector<mutate::Node> expressions = expressions_of(program.statements().back());
  Names texts;
  for (const mutate::Node& node : expressions) texts.emplace_back(node.text());
  EXPECT_EQ(texts, (Names{"x.roll(2).rot90(0)[0] + torch.relu(-x)", "x.roll(2).rot90(0)[0]", "x.roll(2).rot90(0)",
                          "x.roll(2)", "torch.relu(-x)", "-x"}));
  const std::string source = with_expressions(program, expressions).value().source();
  EXPECT_NE(
      source.find("    return ((keep(0, keep(1, keep(2, keep(3, x.roll(2)).rot90(0))[0]) + keep(4, torch.relu(keep(5, "
                  "-x)))),)), kept\n"),
      std::string::npos)
      << source;
  int asked = 0;
  const auto found = first_wrong(program, [&](const Program&) {
    if (++asked == 1) return Shown{{at("output[0][0]")}, {}, {}};
    return Shown{{at("output[1][1][1]"), at("output[1][0][1]")}, {{3, 2, 1, 5, 4, 0}}, {}};
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->form, "roll");
  EXPECT_EQ(found->words, "roll");
}

TEST(Intermediates, TheWriteToAnArgument) {
  const mutate::Parsed program =
      parsed("import torch\ndef program(x, y):\n    a = x + 1\n    y.add_(a)\n    y[0] = 1\n    return a\n");
  int asked = 0;
  const auto found = first_wrong(program, [&](const Program&) {
    ++asked;
    return Shown{{at("inputs[1]")}, {}, {}};
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->statement, "y.add_(a)");
  EXPECT_EQ(asked, 1) << "all values are right, so nothing hides";
}

TEST(Intermediates, HalvedWhenAllHideIt) {
  // Shows only where no more than one value is given, from the second on.
  const auto found = first_wrong(parsed(kSource), [](const Program& program) {
    const std::string& source = program.source();
    const std::size_t first = source.find("kept.append");
    const bool one = source.find("kept.append", first + 1) == std::string::npos;
    const bool wrong = source.find("kept.append((0") == std::string::npos;
    return one && wrong ? Shown{{at("output[1][0][1]")}, {{1}}, {}} : Shown{};
  });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->bisected);
  EXPECT_FALSE(first_wrong(parsed(kSource), [](const Program&) { return Shown{}; }));
}

TEST(Gradients, NearestToTheOutput) {
  const mutate::Parsed program = parsed(
      "import torch\n\n\ndef program(x):\n    a = x.exp()\n    b = torch.cumprod(a, 0)\n    c = b * 2\n    return c\n");
  const auto found = first_wrong_gradient(program, [](const Program& asked) {
    EXPECT_NE(asked.source().find("kept = [torch.zeros((), requires_grad=True) for _ in range(3)]"), std::string::npos)
        << asked.source();
    EXPECT_NE(asked.source().find("    a = a + kept[0].to(a.dtype) if"), std::string::npos);
    return std::vector<Difference>{at("gradients[inputs[0]]"), at("gradients[kept[0]]")};
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "gradient of a");
  EXPECT_EQ(found->statement, "b = torch.cumprod(a, 0)")
      << "it reads what has a wrong gradient, and gives what has a right one";
  const auto of_leaf =
      first_wrong_gradient(program, [](const Program&) { return std::vector<Difference>{at("gradients[inputs[0]]")}; });
  ASSERT_TRUE(of_leaf);
  EXPECT_EQ(of_leaf->form, "exp");
  EXPECT_FALSE(first_wrong_gradient(program, [](const Program&) { return std::vector<Difference>{}; }));
}

std::string form(const std::string& statement) {
  const mutate::Parsed program =
      parsed("import torch.nn.functional as F\ndef own(x):\n    return x\ndef program(x):\n    " + statement + "\n");
  return form_of(program, program.statements().back().node);
}

TEST(StatementForm, NamesAndNumbersAreDetails) {
  EXPECT_EQ(form("v = F.pad(4 // y, (0, 1))"), "// pad");
  EXPECT_EQ(form("other = F.pad(2 // x, (7, 3))"), form("v = F.pad(4 // y, (0, 1))"));
  EXPECT_NE(form("v = F.pad(4 % y, (0, 1))"), form("v = F.pad(4 // y, (0, 1))"));
  EXPECT_EQ(form("x[0] += y.T[1:]"), "+= .T [:] []=");
  EXPECT_EQ(form("return own(x).relu()"), "call relu") << "what the file's own functions are called is a detail";
  EXPECT_EQ(form("return x, y"), "");
  EXPECT_EQ(form("return x if a is b else -y"), "- conditional_expression is");
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

TEST(StatementForm, OfAProgramThatDoesNothing) {
  const auto does = [](const std::string& source) { return does_something(Program::make(source, {}).value()); };
  EXPECT_FALSE(does("def program(): pass\n"));
  EXPECT_FALSE(
      does("import torch\n\n\ndef make_inputs():\n    return (torch.ones(1),)\n\n\ndef program(x):\n    return x\n"));
  EXPECT_TRUE(does("def program(x):\n    return x + 0\n"));
  EXPECT_TRUE(does("def program(x):\n    for y in x:\n        y.neg_()\n"));
}

}  // namespace
}  // namespace jp::campaign
