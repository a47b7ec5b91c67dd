// The order in which findings are listed.
#include "report/rank.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/choices.h"

namespace jp::report {
namespace {

TEST(Rank, WorstFirstThenTheMostUnlike) {
  const std::vector<Traits> findings = {{2, {"dtype", "op:any"}},
                                        {0, {"value", "op:norm", "op:add"}},
                                        {0, {"value", "op:norm", "op:sub"}},
                                        {1, {"error", "op:cat"}}};
  EXPECT_EQ(furthest_first(findings), (std::vector<std::size_t>{1, 3, 0, 2}));
  EXPECT_TRUE(furthest_first({}).empty());
}

TEST(Rank, EqualOnesKeepTheirOrder) {
  EXPECT_EQ(furthest_first({{0, {"a"}}, {0, {"a"}}, {0, {}}}), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Rank, Distance) {
  EXPECT_EQ(distance({}, {}), 0);
  EXPECT_EQ(distance({"a"}, {"b"}), 1);
  EXPECT_EQ(distance({"a", "b"}, {"a", "c", "d"}), 0.75);
}

// Ten faults in a hundred reports, most of them of one fault, each with operators that are not involved.
TEST(Rank, TenFaultsAmongTheFirstFifteen) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Choices choices(seed);
    std::vector<Traits> findings;
    std::vector<int> faults;
    for (int i = 0; i < 100; ++i) {
      const int fault = i < 10 ? i : choices.chance(2, 3) ? 0 : static_cast<int>(choices.below(10));
      Traits traits{static_cast<int>(fault % 3), {}};
      for (const char* part : {"kind ", "frame ", "op ", "mutation "})
        traits.features.insert(part + std::to_string(fault));
      for (std::uint64_t more = choices.below(3); more > 0; --more)
        traits.features.insert("noise " + std::to_string(choices.below(200)));
      findings.push_back(traits);
      faults.push_back(fault);
    }
    std::set<int> seen;
    const std::vector<std::size_t> order = furthest_first(findings);
    for (std::size_t i = 0; i < 15; ++i) seen.insert(faults[order[i]]);
    EXPECT_EQ(seen.size(), 10u) << "seed " << seed;
  }
}

}  // namespace
}  // namespace jp::report
