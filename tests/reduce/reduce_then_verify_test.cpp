// Cheap answers on the way, sure ones in the end.
#include "oracle/reduce/reduce_then_verify.h"

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
  VerifiedReduction result;
  int cheap = 0;
  int sure = 0;
};

/// Cheap answers want `x`; full ones want the texts.
Asked reduced_then_verified(const std::vector<std::string>& texts) {
  const Parsed start = parsed_from(kProgram);
  Asked asked{{{start, {}, false}, false}};
  bool is_sure = false;
  Problem problem;
  problem.first_interesting = asker([&](const Program& program) {
    ++(is_sure ? asked.sure : asked.cheap);
    return holds_all(program.source(), is_sure ? texts : std::vector<std::string>{"x"});
  });
  asked.result = reduce_then_verify(problem, {[&] { is_sure = true; }, {}},
                                    [&](const Problem& given) { return reduce(start, given); });
  return asked;
}

TEST(Surely, OneSureQuestionWhereTheCheapWayWasRight) {
  const Asked asked = reduced_then_verified({"x"});
  EXPECT_EQ(asked.sure, 1);
  EXPECT_GE(asked.cheap, 1);
  EXPECT_EQ(asked.result.reduced.parsed.source().find('*'), std::string::npos);
}

TEST(Surely, GoesBackToWhatStandsAndOnFromThere) {
  const Asked asked = reduced_then_verified({"* 2"});
  EXPECT_TRUE(holds_all(asked.result.reduced.parsed.source(), {"* 2"})) << asked.result.reduced.parsed.source();
  EXPECT_EQ(asked.result.reduced.parsed.source().find("/ 4"), std::string::npos);
  EXPECT_GT(asked.sure, 1);
}

TEST(Surely, GoesOnAsItIsTold) {
  const Parsed good = parsed_from("def program(x):\n    return x * 2\n");
  const Parsed bad = parsed_from("def program(x):\n    return x\n");
  Problem problem;
  problem.first_interesting = asker([](const Program& program) { return holds_all(program.source(), {"* 2"}); });
  std::string told;
  VerificationHooks hooks{[] {}, {}};
  hooks.go_on = [&](const Parsed& verified, const Problem&) {
    told = verified.source();
    return Reduced{verified, {}, true};
  };
  const VerifiedReduction result = reduce_then_verify(problem, hooks, [&](const Problem& given) {
    for (const Parsed& one : {good, bad}) given.better(one.program(), {});
    return Reduced{bad, {}, true};
  });
  EXPECT_EQ(told, good.source());
  EXPECT_EQ(result.reduced.parsed.source(), good.source());
  EXPECT_TRUE(result.reduced.finished && result.verified);
}

TEST(Surely, KeepsTheProgramWhereNothingOnTheWayStands) {
  const Asked asked = reduced_then_verified({"+ 1", "* 2", "- 3", "/ 4", "return"});
  EXPECT_TRUE(holds_all(asked.result.reduced.parsed.source(), {"+ 1", "* 2", "- 3", "/ 4"}));
}

TEST(Surely, AsksNothingMoreOnceStopped) {
  const Parsed start = parsed_from(kProgram);
  bool stopped = false;
  bool is_sure = false;
  Problem problem;
  problem.first_interesting = asker([&](const Program&) { return !is_sure; });
  problem.stop = [&] { return stopped; };
  problem.better = [&](const Program&, const Progress&) { stopped = true; };
  const auto reduced = [&](const Problem& given) { return reduce(start, given); };
  // If it is told that answers still mean something, it asks about the result alone, and says that it is refuted.
  const VerifiedReduction refuted = reduce_then_verify(problem, {[&] { is_sure = true; }, {}}, reduced);
  EXPECT_FALSE(refuted.reduced.finished);
  EXPECT_EQ(refuted.reduced.progress.accepted, 0);
  EXPECT_EQ(refuted.reduced.parsed.source(), kProgram);
  stopped = is_sure = false;
  const VerifiedReduction cut =
      reduce_then_verify(problem, {[&] { is_sure = true; }, [&] { return stopped; }}, reduced);
  EXPECT_FALSE(cut.reduced.finished);
  EXPECT_FALSE(cut.verified);
  EXPECT_EQ(cut.reduced.progress.accepted, 1);
}

TEST(Surely, AStoppedResultIsStillAskedForAsAWhole) {
  const Parsed start = parsed_from(kProgram);
  int accepted = 0;
  bool is_sure = false;
  int sure = 0;
  Problem problem;
  problem.first_interesting = asker([&](const Program& program) {
    sure += is_sure;
    return is_sure ? holds_all(program.source(), {"* 2"}) : true;
  });
  problem.stop = [&] { return accepted > 1; };
  problem.better = [&](const Program&, const Progress&) { ++accepted; };
  const VerifiedReduction result = reduce_then_verify(problem, {[&] { is_sure = true; }, {}},
                                                      [&](const Problem& given) { return reduce(start, given); });
  EXPECT_TRUE(result.verified);
  EXPECT_FALSE(result.reduced.finished);
  EXPECT_GT(sure, 0);
  EXPECT_TRUE(holds_all(result.reduced.parsed.source(), {"* 2"})) << result.reduced.parsed.source();
}

}  // namespace
}  // namespace jp::reduce
