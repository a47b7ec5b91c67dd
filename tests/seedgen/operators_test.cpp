// What is drawn, against the table of operators: forms in place and over lists are there where the table says so.
#include "core/operators.h"

#include <gtest/gtest.h>

#include <string_view>

#include "seedgen/bases/members.h"

namespace jp::seedgen {
namespace {

TEST(Operators, AreDrawnInFormsThatTheTableKnows) {
  constexpr std::string_view kOverLists = "_foreach_";
  int forms = 0;
  for (const Member& member : all_members()) {
    std::string_view name = member.id;
    const bool over_lists = name.starts_with(kOverLists);
    if (over_lists) name.remove_prefix(kOverLists.size());
    const bool in_place = base_name(name) != name;
    if (!over_lists && !in_place) continue;
    const OperatorFacts* op = find_operator(base_name(name));
    ASSERT_NE(op, nullptr) << member.id;
    EXPECT_TRUE(over_lists ? op->foreach : op->in_place) << member.id;
    ++forms;
  }
  EXPECT_GT(forms, 60);
}

}  // namespace
}  // namespace jp::seedgen
