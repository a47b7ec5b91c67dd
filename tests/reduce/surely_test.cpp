// Cheap answers on the way, sure ones in the end.
#include "oracle/reduce/surely.h"

#include <gtest/gtest.h>

#include "helpers.h"

namespace jp::reduce {
namespace {

using testing::asker;
using testing::holds_all;
using testing::parsed_from;

constexpr const char* kProgram = R"(def program(x):
    a = x + 1
    b = a * 2
    c = b - 3
    d = c / 4
    return d
)";

struct Asked {
  Reduced reduced;
  int cheap = 0;
  int sure = 0;
};

/// Cheap answers want `x`; sure ones want the texts.
Asked reduced_surely(const std::vector<std::string>& texts) {
  const Parsed start = parsed_from(kProgram);
  Asked asked{{start, {}, false}};
  bool is_sure = false;
  Problem problem;
  problem.first_interesting = asker([&](const Program& program) {
    ++(is_sure ? asked.sure : asked.cheap);
    return holds_all(program.source(), is_sure ? texts : std::vector<std::string>{"x"});
  });
  asked.reduced = reduce_surely(
      problem, [&] { is_sure = true; }, [&](const Problem& given) { return reduce(start, given); });
  return asked;
}

TEST(Surely, OneSureQuestionWhereTheCheapWayWasRight) {
  const Asked asked = reduced_surely({"x"});
  EXPECT_EQ(asked.sure, 1);
  EXPECT_GE(asked.cheap, 1);
  EXPECT_EQ(asked.reduced.parsed.source().find('*'), std::string::npos);
}

TEST(Surely, GoesBackToWhatStandsAndOnFromThere) {
  const Asked asked = reduced_surely({"* 2"});
  EXPECT_TRUE(holds_all(asked.reduced.parsed.source(), {"* 2"})) << asked.reduced.parsed.source();
  EXPECT_EQ(asked.reduced.parsed.source().find("/ 4"), std::string::npos);
  EXPECT_GT(asked.sure, 1);
}

TEST(Surely, KeepsTheProgramWhereNothingOnTheWayStands) {
  const Asked asked = reduced_surely({"+ 1", "* 2", "- 3", "/ 4", "return"});
  EXPECT_TRUE(holds_all(asked.reduced.parsed.source(), {"+ 1", "* 2", "- 3", "/ 4"}));
}

TEST(Surely, AsksNothingMoreOnceStopped) {
  const Parsed start = parsed_from(kProgram);
  bool stopped = false;
  bool is_sure = false;
  Problem problem;
  problem.first_interesting = asker([&](const Program&) { return !is_sure; });
  problem.stop = [&] { return stopped; };
  problem.better = [&](const Program&, const Progress&) { stopped = true; };
  const Reduced reduced = reduce_surely(
      problem, [&] { is_sure = true; }, [&](const Problem& given) { return reduce(start, given); });
  EXPECT_FALSE(reduced.finished);
  EXPECT_EQ(reduced.progress.accepted, 1);
}

}  // namespace
}  // namespace jp::reduce
