// The table of operators: its form, and what it says of a few that everyone knows. What it says of all of them is held
// against eager torch by tests/operators/check_operators_table.py.
#include "core/operators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace jp {
namespace {

using ShapeRule = OperatorFacts::ShapeRule;
using TypeRule = OperatorFacts::TypeRule;

TEST(Operators, StandSortedWithoutDuplicates) {
  const auto rows = all_operators();
  ASSERT_GT(rows.size(), 600U);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i - 1].name, rows[i].name);
  for (const OperatorFacts& row : rows) EXPECT_EQ(find_operator(row.name), &row) << row.name;
}

TEST(Operators, AreNotFoundByOtherNames) {
  EXPECT_EQ(find_operator(""), nullptr);
  EXPECT_EQ(find_operator("add_"), nullptr);
  EXPECT_EQ(find_operator("no_such_operator"), nullptr);
  EXPECT_EQ(base_name("add_"), "add");
  EXPECT_EQ(base_name("add"), "add");
  EXPECT_EQ(base_name("_"), "_");
  EXPECT_EQ(base_name("__add__"), "__add__");
}

TEST(Operators, SayWhatTorchSays) {
  const OperatorFacts& add = *find_operator("add");
  EXPECT_EQ(add.places, 2U);
  EXPECT_EQ(add.required, 2U);
  EXPECT_EQ(add.parameters[0], "input");
  EXPECT_EQ(add.symbol, "+");
  EXPECT_TRUE(add.function && add.method && add.in_place && add.out && add.foreach && add.pointwise && add.is_new());
  EXPECT_TRUE(add.has_overload("Tensor") && add.has_overload("Scalar"));
  EXPECT_FALSE(add.functional || add.reduction || add.random);
  EXPECT_TRUE(add.dtypes.contains(Dtype::kBool));
  EXPECT_FALSE(add.backward.contains(Dtype::kInt64));
  EXPECT_TRUE(add.backward.contains(Dtype::kComplex64));
  EXPECT_EQ(find_operator("transpose")->result, OperatorFacts::Result::kView);
  EXPECT_EQ(find_operator("reshape")->result, OperatorFacts::Result::kEither);
  EXPECT_TRUE(find_operator("dropout")->random);
  EXPECT_EQ(find_operator("softmax")->module, "Softmax");
  // nn.Flatten starts at another axis than torch.flatten.
  EXPECT_EQ(find_operator("flatten")->module, "");
}

TEST(Operators, AreFoundByTheirSymbols) {
  EXPECT_EQ(find_symbol("-", true), find_operator("neg"));
  EXPECT_EQ(find_symbol("-", false), find_operator("sub"));
  EXPECT_EQ(find_symbol("<<", false), find_operator("bitwise_left_shift"));
  EXPECT_EQ(find_symbol("@", false), find_operator("matmul"));
  EXPECT_EQ(find_symbol("+", true), nullptr);
  EXPECT_EQ(find_symbol("in", false), nullptr);
}

TEST(Operators, HaveARuleOrNone) {
  for (const OperatorFacts& row : all_operators()) {
    const bool known = row.shape != ShapeRule::kUnknown;
    EXPECT_EQ(known, row.operands != 0) << row.name;
    if (!known) continue;
    EXPECT_NE(row.type, TypeRule::kUnknown) << row.name;
    EXPECT_FALSE(row.takes.empty()) << row.name;
    EXPECT_GE(row.operands, -1) << row.name;
    EXPECT_LE(row.operands, 3) << row.name;
  }
}

TEST(Operators, HaveTraitsThatGoTogether) {
  for (const OperatorFacts& row : all_operators()) {
    EXPECT_TRUE(!row.steady || row.is_new()) << row.name;
    EXPECT_TRUE(row.pieces == OperatorFacts::Pieces::kUnknown || (row.pointwise && row.is_new())) << row.name;
    EXPECT_TRUE(row.numerics == OperatorFacts::Numerics::kUnknown || row.pointwise) << row.name;
    EXPECT_FALSE(row.random && (row.pure || row.steady)) << row.name;
    EXPECT_TRUE(!row.foreach || row.is_new()) << row.name;
    EXPECT_LE(row.required, row.places) << row.name;
  }
}

TEST(Operators, HaveFamiliesOfSeveralMembersThatTakeAlikeOperands) {
  std::size_t families = 0;
  for (const OperatorFacts& row : all_operators()) {
    std::set<std::string_view> modules;
    for (const OperatorFamily& family : row.families) {
      // Which family a call is of must not be open.
      EXPECT_TRUE(modules.insert(family.module).second) << row.name << " has two families in '" << family.module << "'";
      EXPECT_TRUE(family.module.empty() || family.module == "functional" || family.module == "special" ||
                  family.module == "foreach")
          << family.module;
      const auto& members = family_members(family);
      EXPECT_GE(members.size(), 2U) << family.name;
      EXPECT_TRUE(std::find(members.begin(), members.end(), &row) != members.end()) << row.name;
      for (const OperatorFacts* member : members)
        EXPECT_EQ(member->family_in(family.module)->operands, family.operands) << member->name;
      families += members.front() == &row ? 1 : 0;
    }
  }
  EXPECT_GT(families, 40U);
}

}  // namespace
}  // namespace jp
