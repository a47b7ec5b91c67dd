// What a flaky difference depends on, found from recorded judgements.
#include "campaign/triage/flaky.h"

#include <gtest/gtest.h>

#include "campaign/common/confirm.h"
#include "campaign/triage/flaky_shown.h"
#include "codec/codec.h"
#include "oracle/judge/condition.h"
#include "oracle/signature/signature.h"
#include "tests/oracle/build.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using Shows = std::function<bool(const oracle::PlanOptions&, int)>;

constexpr std::int64_t kFirstFill = 0xB4;  // 0x4b in fresh memory
constexpr std::int64_t kSecondFill = 0x3A;
constexpr std::int64_t kZeros = 0xFF;

const std::string kSource = "def program(x):\n    return x + 1\n";

Plan plan_of(const oracle::PlanOptions& options) {
  return need_oracle("eager_vs_compiled").plan(report::test::program_of(kSource), options);
}

oracle::PlanOptions options_of(int threads = 1) { return {.backend = "aot_eager", .threads = threads}; }

// Judges recorded outcomes: eager returns 1, and compiled returns 1, or 4 if the difference is to show.
class Bench {
 public:
  explicit Bench(Shows shows) : shows_(std::move(shows)) {}

  Finding flaky(int threads = 1) {
    const Condition plain{.name = "", .depends_on = "", .options = options_of(threads)};
    const JudgedProgram judged = judged_as(plain, true);
    Finding finding = candidate(report::test::program_of(kSource), judged);
    finding.status = Finding::Status::kFlaky;
    finding.reproduced = 1;
    finding.attempts = 2;
    return finding;
  }

  Trying trying() {
    return {.judge =
                [this](const Condition& condition) {
                  ++judgements;
                  return judged_as(condition, shows_(condition.options, judgements));
                },
            .standalone =
                [this](const Finding& finding) {
                  standalone_under.push_back(oracle::condition_text(finding.plan));
                  return standalone_under.size() > standalone_fails ? 1 : 0;
                },
            .given_up = [this] { return judgements >= most; }};
  }

  int judgements = 0;
  int most = 1000;
  std::size_t standalone_fails = 0;
  std::vector<std::string> standalone_under;
  std::function<float(const oracle::PlanOptions&)> eager = [](const oracle::PlanOptions&) { return 1.0F; };

 private:
  JudgedProgram judged_as(const Condition& condition, bool shown) {
    using oracle::test::floats;
    using oracle::test::returning;
    JudgedProgram judged;
    judged.plan = plan_of(condition.options);
    const float right = eager(condition.options);
    judged.outcomes = {returning(floats({right})).outcome("eager"),
                       returning(floats({shown ? 4.0F : right})).outcome("compiled")};
    judged.verdict.kind = shown ? Verdict::Kind::kDiverge : Verdict::Kind::kAgree;
    judged.verdict.reason = "output: eager has 1, compiled has 4";
    if (shown) judged.verdict.differences = {{Mismatch::kValue, 0, "output", "1", "4", {}, "float"}};
    if (shown) judged.signature = oracle::signature_of("aot_eager", judged.verdict, judged.outcomes);
    return judged;
  }

  Shows shows_;
};

bool odd(int number) { return number % 2 == 1; }

TEST(Conditions, AreTheSameInTheSameOrder) {
  std::vector<std::string> names;
  for (const Condition& condition : conditions_for(options_of())) names.push_back(condition.name);
  EXPECT_EQ(names, (std::vector<std::string>{"every fresh byte is 0x4b", "every fresh byte is 0xc5",
                                             "every fresh byte is 0x00", "2 threads", "8 threads", "fixed addresses",
                                             "other addresses"}));
  names.clear();
  for (const Condition& condition : conditions_for(options_of(2))) names.push_back(condition.name);
  EXPECT_EQ(names[0], "every fresh byte is 0x4b, 2 threads");
  EXPECT_EQ(names[3], "one thread");
}

TEST(Conditions, StayInThePlan) {
  for (const Condition& condition : conditions_for(options_of(2))) {
    const Plan plan = plan_of(condition.options);
    const oracle::PlanOptions again = plan_options_of(plan);
    EXPECT_EQ(again.depends_on, condition.depends_on);
    EXPECT_EQ(again.memory_fill, condition.options.memory_fill);
    EXPECT_EQ(again.threads, condition.options.threads);
    EXPECT_EQ(again.fixed_addresses, condition.options.fixed_addresses);
    EXPECT_EQ(with_condition(options_of(), plan).memory_fill, condition.options.memory_fill);
  }
}

TEST(Diagnosis, UnwrittenMemory) {
  Bench bench([](const oracle::PlanOptions& options, int number) {
    return options.memory_fill == 0 ? odd(number) : options.memory_fill != kZeros;
  });
  const Finding flaky = bench.flaky();
  const Finding found = diagnose(flaky, bench.trying());
  EXPECT_EQ(found.status, Finding::Status::kConfirmed);
  EXPECT_EQ(found.plan.depends_on, oracle::kUnwrittenMemory);
  EXPECT_EQ(plan_options_of(found.plan).memory_fill, kFirstFill);
  EXPECT_EQ(found.reproduced, 5);
  EXPECT_EQ(found.attempts, 5);
  EXPECT_EQ(found.verdict.reason,
            "depends on unwritten memory (every fresh byte is 0x4b): output: eager has 1, compiled has 4");
  EXPECT_EQ(found.signature.id(), flaky.signature.id());
  EXPECT_EQ(trials_text(found.trials),
            "as it is 2 of 4, every fresh byte is 0x4b 5 of 5, every fresh byte is 0xc5 5 of 5, every fresh byte is "
            "0x00 0 of 5");
}

TEST(Diagnosis, MemoryThatIsWrongHoweverItIsFilled) {
  const auto shows = [](int from) {
    return
        [from](const oracle::PlanOptions& options, int number) { return options.memory_fill != 0 || number >= from; };
  };
  Bench seldom(shows(100));
  EXPECT_EQ(diagnose(seldom.flaky(), seldom.trying()).plan.depends_on, oracle::kUnwrittenMemory);
  // Without conditions it shows in four of five: that it shows in all the others may be chance.
  Bench mostly(shows(0));
  const Finding found = diagnose(mostly.flaky(), mostly.trying());
  EXPECT_EQ(found.status, Finding::Status::kFlaky);
  EXPECT_EQ(found.reproduced, 4);
  EXPECT_EQ(found.attempts, 5);
}

TEST(Diagnosis, Threads) {
  Bench bench([](const oracle::PlanOptions& options, int number) {
    return options.threads > 1 && (options.threads > 2 || odd(number));
  });
  const Finding found = diagnose(bench.flaky(2), bench.trying());
  EXPECT_EQ(found.status, Finding::Status::kConfirmed);
  EXPECT_EQ(found.plan.depends_on, oracle::kThreads);
  EXPECT_EQ(plan_options_of(found.plan).threads, 8);
  EXPECT_EQ(bench.standalone_under, std::vector<std::string>{"depends on threads (8 threads)"});
}

TEST(Diagnosis, Addresses) {
  Bench bench([](const oracle::PlanOptions& options, int number) { return options.fixed_addresses || odd(number); });
  const Finding found = diagnose(bench.flaky(), bench.trying());
  EXPECT_EQ(found.status, Finding::Status::kConfirmed);
  EXPECT_EQ(oracle::condition_text(found.plan), "depends on addresses (fixed addresses)");
}

TEST(Diagnosis, ChanceStaysFlakyAndEverythingIsTried) {
  Bench bench([](const oracle::PlanOptions& /*options*/, int number) { return odd(number); });
  const Finding found = diagnose(bench.flaky(), bench.trying());
  EXPECT_EQ(found.status, Finding::Status::kFlaky);
  EXPECT_EQ(found.trials.size(), 1 + conditions_for(options_of()).size());
  EXPECT_LE(bench.judgements, kTrials * static_cast<int>(found.trials.size()));
  EXPECT_TRUE(found.plan.depends_on.empty());
  EXPECT_TRUE(bench.standalone_under.empty());
  const std::string text = flaky_text({found});
  EXPECT_NE(text.find("as it is 2 of 4"), std::string::npos) << text;
  EXPECT_NE(text.find("other addresses"), std::string::npos) << text;
  EXPECT_EQ(flaky_json({found})[0]["trials"].size(), found.trials.size());
}

// A fault that shows in one run of ten, or of two, is flaky in 95 cases of 100 at least; one that shows in all is
// confirmed. Judgements and the standalone file show it independently of one another.
TEST(Chance, IsCalledFlaky) {
  constexpr int kCases = 2000;
  for (const std::uint64_t tenths : {1U, 5U, 10U}) {
    Choices choices(7 + tenths);
    const auto shows = [&] { return choices.chance(tenths, 10); };
    int right = 0;
    for (int i = 0; i < kCases; ++i) {
      bool confirmed = shows();  // by the standalone file
      for (int run = 0; run < kConfirmations; ++run) confirmed = confirmed && shows();
      if (!confirmed) {
        Bench bench([&](const oracle::PlanOptions& /*options*/, int) { return shows(); });
        Trying trying = bench.trying();
        trying.standalone = [&](const Finding& /*finding*/) { return shows() ? 1 : 0; };
        confirmed = diagnose(bench.flaky(), trying).status == Finding::Status::kConfirmed;
      }
      right += confirmed == (tenths == 10) ? 1 : 0;
    }
    EXPECT_GE(right, kCases / 100 * (tenths == 10 ? 100 : 95)) << "a fault that shows in " << tenths << " of 10 runs";
  }
}

TEST(Diagnosis, TheStandaloneFileMustShowItToo) {
  const auto shows = [](const oracle::PlanOptions& options, int number) {
    return options.memory_fill == 0 ? odd(number) : options.memory_fill != kZeros;
  };
  Bench second(shows);
  second.standalone_fails = 1;
  const Finding found = diagnose(second.flaky(), second.trying());
  EXPECT_EQ(plan_options_of(found.plan).memory_fill, kSecondFill);
  Bench none(shows);
  none.standalone_fails = 1000;
  const Finding never = diagnose(none.flaky(), none.trying());
  EXPECT_EQ(never.status, Finding::Status::kFlaky);
  EXPECT_EQ(none.standalone_under.size(), 2U);
  EXPECT_NE(trials_text(never.trials).find("the standalone file, every fresh byte is 0x4b 0 of 1"), std::string::npos);
}

// A program whose own eager runs differ with the contents of memory is no evidence against the compiler.
TEST(Diagnosis, EagerMustBeSteadyUnderAllConditionsOfAKind) {
  Bench bench([](const oracle::PlanOptions& options, int number) {
    return options.memory_fill == 0 ? odd(number) : options.memory_fill != kZeros;
  });
  bench.eager = [](const oracle::PlanOptions& options) { return options.memory_fill == kZeros ? 0.0F : 1.0F; };
  const Finding found = diagnose(bench.flaky(), bench.trying());
  EXPECT_EQ(found.status, Finding::Status::kFlaky);
  EXPECT_TRUE(bench.standalone_under.empty());
}

TEST(Diagnosis, GivenUpItIsACandidateAgain) {
  Bench bench([](const oracle::PlanOptions& /*options*/, int number) { return odd(number); });
  bench.most = 7;
  const Finding found = diagnose(bench.flaky(), bench.trying());
  EXPECT_EQ(found.status, Finding::Status::kCandidate);
  EXPECT_EQ(found.attempts, 0);
  EXPECT_LE(bench.judgements, 7);
}

TEST(Diagnosis, ARunThatEndsInTheStandaloneFileIsNotTriedFurther) {
  Bench bench([](const oracle::PlanOptions&, int) { return true; });
  Finding flaky = bench.flaky();
  flaky.verdict.differences.front().mismatch = Mismatch::kHang;
  flaky.reproduced = flaky.attempts = 0;
  const Finding found = diagnose(flaky, bench.trying());
  EXPECT_EQ(found.status, Finding::Status::kFlaky);
  EXPECT_EQ(trials_text(found.trials), "the standalone file 0 of 1");
  EXPECT_EQ(bench.judgements, 0);
}

TEST(Diagnosis, AHangIsOnlyCounted) {
  Bench bench([](const oracle::PlanOptions& /*options*/, int) { return false; });
  Finding flaky = bench.flaky();
  flaky.verdict.differences.front().mismatch = Mismatch::kHang;
  const Finding found = diagnose(flaky, bench.trying());
  EXPECT_EQ(trials_text(found.trials), "as it is 1 of 3");
}

// A difference that showed only with filled memory is judged without conditions, too.
TEST(Diagnosis, BeginsWithoutTheConditionThatShowedIt) {
  Bench bench([](const oracle::PlanOptions& options, int) { return options.memory_fill == kFirstFill; });
  oracle::PlanOptions filled = options_of();
  filled.memory_fill = kFirstFill;
  filled.depends_on = oracle::kUnwrittenMemory;
  Finding flaky = bench.flaky();
  flaky.plan = plan_of(filled);
  flaky.reproduced = flaky.attempts = 0;
  const Finding found = diagnose(flaky, bench.trying());
  EXPECT_EQ(found.status, Finding::Status::kConfirmed);
  EXPECT_EQ(found.trials.front(), (Trial{"as it is", 0, 5}));
  EXPECT_EQ(bench.judgements, 5 + 5 + 1 + 1) << "a filling under which it doesn't show once explains nothing";
}

}  // namespace
}  // namespace jp::campaign
