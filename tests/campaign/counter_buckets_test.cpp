// Buckets of the compiler's counters.
#include "campaign/feedback/counter_buckets.h"

#include <gtest/gtest.h>

#include <map>

namespace jp::campaign {
namespace {

Outcome finished(std::int64_t graphs, std::map<std::string, std::int64_t> breaks = {}, std::int64_t recompiles = 0) {
  Counters counters{.known = true, .graphs = graphs, .graph_breaks = std::move(breaks), .others = {}};
  if (recompiles > 0) counters.others["recompiles"] = recompiles;
  return {.role = "compiled", .ending = Finished{{}, counters, {}}};
}

TEST(Buckets, CountsFallTogetherAndReasonsLoseTheirNumbers) {
  EXPECT_EQ(counter_buckets({finished(2), finished(5, {{"call at line 17\nmore", 1}}, 3)}),
            (std::vector<std::string>{"graph_break: call at line ", "graphs 2", "graphs 4+", "recompiles 3"}));
  EXPECT_EQ(counter_buckets({finished(0, {{"none of them", 0}})}), std::vector<std::string>{});
  EXPECT_EQ(counter_buckets({finished(7)}), counter_buckets({finished(4)}));
  EXPECT_EQ(counter_buckets({finished(31)}), std::vector<std::string>{"graphs 16+"});
  Outcome unknown = finished(2);
  std::get<Finished>(unknown.ending).counters.known = false;
  EXPECT_TRUE(counter_buckets({unknown, {.role = "compiled", .ending = Died{}}}).empty());
}

}  // namespace
}  // namespace jp::campaign
