// Places that mutations must leave alone, each beside the nearest one that they may take.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "helpers.h"
#include "mutate/calls/elementwise.h"
#include "mutate/infer/infer_values.h"
#include "mutate/infer/operator_rules.h"
#include "mutate/safety/rounding.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

using testing::made_up_facts;
using testing::parsed_from;

const Statement& with_text(const Parsed& parsed, std::string_view text) {
  for (const Statement& statement : parsed.statements())
    if (statement.node.text() == text) return statement;
  JP_CHECK(false, "no statement is {}", text);
  return parsed.statement(0);
}

std::string function(const std::string& lines) { return "import torch\ndef program(x, v, s):\n" + lines; }

/// The mutation has that site at the statement.
bool has_site(const std::string& source, const char* mutation, const std::string& text, const std::string& path) {
  const Parsed parsed = parsed_from(source);
  const auto sites = Mutations::instance().find(mutation)->sites(parsed, made_up_facts(parsed));
  return std::find(sites.begin(), sites.end(), Site{with_text(parsed, text).id, path}) != sites.end();
}

/// What the mutation makes at the site, by that many seeds.
std::vector<std::string> made_by(const std::string& source, const char* mutation, const std::string& text,
                                 const std::string& path, std::uint64_t seeds) {
  const Parsed parsed = parsed_from(source);
  const Facts facts = made_up_facts(parsed);
  const Site site{with_text(parsed, text).id, path};
  std::vector<std::string> made;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Choices choices(seed);
    const EditSet edits = Mutations::instance().find(mutation)->rewrite(parsed, facts, site, choices, 1);
    if (!edits.empty()) made.push_back(edits.apply(source));
  }
  return made;
}

std::size_t count_with(const std::vector<std::string>& texts, std::string_view part) {
  return static_cast<std::size_t>(std::count_if(
      texts.begin(), texts.end(), [&](const std::string& text) { return text.find(part) != std::string::npos; }));
}

TEST(AliasRead, AnAliasOfAnAliasHasTheTensorsOwnDtype) {
  const auto made = made_by(function("    y = x * v\n    return y\n"), "alias_read", "y = x * v", "0", 4000);
  EXPECT_GT(count_with(made, "a1 = x.view(torch.int32)"), 0U);
  EXPECT_GT(count_with(made, ".view(x.dtype)"), 0U);
  EXPECT_EQ(count_with(made, "(a1.dtype)"), 0U);
}

TEST(OneFactor, NumbersBehindAWriteAreLeftAlone) {
  const auto at = [](const std::string& line, const std::string& path) {
    return has_site(function("    " + line + "\n    return x\n"), "one_factor", line, path);
  };
  EXPECT_TRUE(at("y = torch.add(x.add_(1), 2)", "0"));
  EXPECT_FALSE(at("y = torch.add(x.add_(1), 2)", "1"));
  EXPECT_FALSE(at("y = x.unsqueeze_(0)[0]", "1"));
  EXPECT_TRUE(at("y = x.unsqueeze(0)[0]", "1"));
  EXPECT_FALSE(at("y = torch.nn.functional.relu(x, inplace=True) * 2", "0"));
  EXPECT_FALSE(at("v[0] = x.unsqueeze_(0)", "0")) << "the value is evaluated before the target";
  EXPECT_TRUE(at("v[0] = x", "0"));
}

TEST(OneFactor, NumbersInTargetsBehindABindingAreLeftAlone) {
  const auto at = [](const std::string& line) {
    return has_site(function("    " + line + "\n    return x\n"), "one_factor", line, "0");
  };
  EXPECT_FALSE(at("x, v[0] = s, x"));
  EXPECT_FALSE(at("x = v[0] = s"));
  EXPECT_TRUE(at("v[0] = x"));
  EXPECT_TRUE(at("x = v[0]"));
}

TEST(WrapWith, TheGradientModeThatACalledFunctionSetsStays) {
  const std::string text = "y = x * v";
  const auto with = [&](const std::string& body) {
    const std::string source = "import torch\ndef set_mode():\n    " + body +
                               "\ndef program(x, v):\n    y = x * v\n    set_mode()\n    return y\n";
    return made_by(source, "wrap_with", text, "", 300);
  };
  const auto sets = with("torch.set_grad_enabled(False)");
  EXPECT_EQ(count_with(sets, "torch.set_grad_enabled(torch.is_grad_enabled())"), 0U);
  EXPECT_EQ(count_with(sets, "if torch.is_grad_enabled() else"), 0U);
  EXPECT_GT(count_with(with("pass"), "torch.set_grad_enabled(torch.is_grad_enabled())"), 0U);
}

TEST(TrueBlock, LeavesDeeplyNestedStatementsAlone) {
  const auto nested = [](int depth) {
    std::string lines;
    std::string indent = "    ";
    for (int i = 0; i < depth; ++i, indent += "    ") lines += indent + fmt::format("for i{} in range(1):\n", i);
    return function(lines + indent + "y = x * v\n    return x\n");
  };
  EXPECT_TRUE(has_site(nested(3), "true_block", "y = x * v", ""));
  EXPECT_TRUE(has_site(nested(3), "true_block", "y = x * v", "empty"));
  EXPECT_FALSE(has_site(nested(13), "true_block", "y = x * v", ""));
  EXPECT_FALSE(has_site(nested(13), "true_block", "y = x * v", "empty"));
}

TEST(Splice, TakesRangesThatAddToAName) {
  const std::string source = function("    y = x * v\n    y += v\n    return y - v\n");
  EXPECT_GT(count_with(made_by(source, "splice", "return y - v", "", 300), "t1 += "), 0U);
}

TEST(Elementwise, ClampByAttributesIsForIntegersAlone) {
  const auto integers_only = [](const std::string& line) {
    const Parsed parsed = parsed_from(function("    " + line + "\n    return y\n"));
    const auto found = find_elementwise(parsed, with_text(parsed, line), "");
    EXPECT_TRUE(found) << line;
    return found && found->integers_only;
  };
  EXPECT_FALSE(integers_only("y = torch.clamp(x, 0, 1)"));
  EXPECT_TRUE(integers_only("y = torch.clamp(x, v)"));
  EXPECT_TRUE(integers_only("y = torch.clamp(x, s.low)"));
  EXPECT_TRUE(integers_only("y = torch.clamp(x, 0, s.high)"));
}

/// What is only known up to rounding stays so behind `x = a * 3`.
bool stays_small(const std::string& before, const std::string& behind) {
  const Parsed parsed = parsed_from("import torch\ndef program(a, b):\n" + before + "    x = a * 3\n" + behind);
  return rounding_stays_small(parsed, Facts(), with_text(parsed, "x = a * 3"));
}

TEST(Rounding, FollowsFunctionsThatAreDefinedAbove) {
  EXPECT_FALSE(stays_small("    def f():\n        return x > 0\n", "    return f()\n"));
  EXPECT_FALSE(stays_small("    def f():\n        return x * 2\n", "    return f() > 0\n"));
  EXPECT_FALSE(stays_small("    def f(t):\n        return t > 0\n", "    return f(x)\n"));
  EXPECT_TRUE(stays_small("    def f():\n        return x * 2\n", "    return f()\n"));
}

TEST(Rounding, GoesRoundLoopsAsOftenAsThereAreNames) {
  const std::string names = "    b = a\n    c = a\n    d = a\n";
  const std::string loop = "    for i in range(4):\n        e = {}\n        d = c\n        c = b\n        b = x\n";
  EXPECT_FALSE(stays_small(names, fmt::format(fmt::runtime(loop), "d > 0")));
  EXPECT_TRUE(stays_small(names, fmt::format(fmt::runtime(loop), "d * 2")));
}

TEST(Rounding, SeesWhatFillsContainers) {
  const std::string rows = "    rows = []\n";
  for (const char* fills : {"rows.extend([x])", "rows.insert(0, x)", "rows.append(x)", "rows[0], b = x, 1"}) {
    EXPECT_FALSE(stays_small(rows, fmt::format("    {}\n    return rows[0] > 0\n", fills))) << fills;
    EXPECT_TRUE(stays_small(rows, fmt::format("    {}\n    return rows[0] * 2\n", fills))) << fills;
  }
}

TEST(Rounding, SeesDecisionsAndTextsThatAreNoOperators) {
  for (const char* value : {"x or a", "a and x", "not x", "a if x else b", "str(x)", "repr(x)", "f'{x}'",
                            "'{}'.format(x)", "sorted([x])", "hash(x)"})
    EXPECT_FALSE(stays_small("", fmt::format("    return {}\n", value))) << value;
  EXPECT_TRUE(stays_small("", "    return x * 2\n"));
}

AbstractValue tensor_of(std::vector<std::int64_t> shape) { return AbstractValue::tensor(Dtype::kFloat32, shape); }

TEST(Shapes, AreUnknownWhereAFlagIsNoLiteral) {
  CallArguments sum{"sum", find_rule("sum"), {tensor_of({2, 3})}, {}, {}, {}};
  sum.keywords["dim"] = number_value(Dtype::kInt64, 1);
  sum.as_written["dim"] = "1";
  EXPECT_EQ(shape_of(sum), (Shape{2}));
  sum.as_written["keepdim"] = "True";
  EXPECT_EQ(shape_of(sum), (Shape{2, 1}));
  sum.as_written["keepdim"] = "keep";
  EXPECT_EQ(shape_of(sum), std::nullopt);
  CallArguments loss{"mse_loss", find_rule("mse_loss"), {tensor_of({2, 3}), tensor_of({2, 3})}, {}, {}, {}};
  EXPECT_EQ(shape_of(loss), Shape());
  loss.as_written["reduction"] = "'none'";
  EXPECT_EQ(shape_of(loss), (Shape{2, 3}));
  loss.as_written["reduction"] = "\"sum\"";
  EXPECT_EQ(shape_of(loss), Shape());
  loss.as_written["reduction"] = "how";
  EXPECT_EQ(shape_of(loss), std::nullopt);
}

TEST(Inference, TheLeastNumberHasNoNegative) {
  const Parsed parsed = parsed_from("import torch\ndef program(n):\n    y = -n\n    return y\n");
  const Statement& statement = with_text(parsed, "y = -n");
  Facts facts;
  NameFacts least;
  least.kind = "int";
  least.literal = fmt::format("{}", std::numeric_limits<std::int64_t>::min());
  facts.before[statement.id].set("n", least);
  AbstractState none;
  ExpressionInference values(parsed, facts, statement, none);
  const auto made = values.value(assignment(statement).right);
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->number);
}

}  // namespace
}  // namespace jp::mutate
