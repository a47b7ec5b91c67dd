// Endings, oracles and most weak classes: each rule where it holds, and the nearest real bug.
#include <gtest/gtest.h>

#include "tests/oracle/rules.h"

namespace jp::oracle::test {
namespace {

TEST(Rule_compiler_error, Holds) {
  ExceptionRecord record = exception("torch._inductor.exc.InductorError", "an assertion of its own");
  record.while_compiling = true;
  Recorded compiled;
  compiled.call().exception = record;
  EXPECT_EQ(of(raising("builtins.ValueError"), compiled).kind, VerdictKind::kAgree);
}
TEST(Rule_compiler_error, NearestBugGetsThrough) {
  ExceptionRecord record = exception("torch._inductor.exc.InductorError", "an assertion of its own");
  record.while_compiling = true;
  Recorded compiled;
  compiled.call().exception = record;
  DIVERGES(of(plain(), compiled), "compiler_error");
}

TEST(Rule_death, Holds) {
  IS(verdict_of_oracle("eager_vs_compiled", test_plan(), {{"eager", Died{"signal", 11, 0, "", {}}, 0}}),
     VerdictKind::kRejected, "eager_fails");
}
TEST(Rule_death, NearestBugGetsThrough) { DIVERGES(ends(Died{"signal", 8, 0, "", {}}), "death"); }

TEST(Rule_lost_children, Holds) {
  const auto lost = [](std::vector<std::string> children) {
    return Finished{plain().observation, plain().counters, std::move(children)};
  };
  const auto judged = [&](const Finished& one, const Finished& other) {
    return verdict_of_oracle("eager_vs_compiled", test_plan(), {{"eager", one, 0}, {"compiled", other, 0}});
  };
  AGREES(judged(lost({"sh: signal 9"}), lost({"sh: signal 9"})), "bitwise");
}
TEST(Rule_lost_children, NearestBugGetsThrough) {
  const auto lost = [](std::vector<std::string> children) {
    return Finished{plain().observation, plain().counters, std::move(children)};
  };
  const auto judged = [&](const Finished& one, const Finished& other) {
    return verdict_of_oracle("eager_vs_compiled", test_plan(), {{"eager", one, 0}, {"compiled", other, 0}});
  };
  DIVERGES(judged(lost({"sh: signal 9"}), lost({"cc1plus: signal 11"})), "lost_children");
}

TEST(Rule_hang, Holds) {
  IS(verdict_of_oracle("eager_vs_compiled", test_plan(), {{"eager", TimedOut{9, {}}, 0}}), VerdictKind::kRejected,
     "eager_fails");
}
TEST(Rule_hang, NearestBugGetsThrough) { DIVERGES(ends(TimedOut{9, {}}), "hang"); }

TEST(Rule_memory, Holds) {
  IS(verdict_of_oracle("eager_vs_compiled", test_plan(), {{"eager", OutOfMemory{9}, 0}}), VerdictKind::kRejected,
     "eager_fails");
}
TEST(Rule_memory, NearestBugGetsThrough) { DIVERGES(ends(OutOfMemory{9}), "memory"); }

TEST(Rule_vacuous, Holds) {
  Recorded idle = plain();
  idle.counters = {.known = true};
  IS(of(plain(), idle), VerdictKind::kVacuous, "vacuous");
}
TEST(Rule_vacuous, NearestBugGetsThrough) {
  Recorded idle = returning(longs({2}));
  idle.counters = {.known = true};
  DIVERGES(of(returning(longs({1})), idle), "exact");
}

TEST(Rule_eager_fails, Holds) {
  IS(verdict_of_oracle("eager_vs_compiled", test_plan(), {{"eager", Raised{"inputs", "no", {}}, 0}}),
     VerdictKind::kRejected, "eager_fails");
}
TEST(Rule_eager_fails, NearestBugGetsThrough) { DIVERGES(of(raising("builtins.ValueError"), plain()), "accepts"); }

// Whichever run it is, and whatever the others show.
TEST(Rule_broken, Holds) {
  const Broken gone{
      "AttributeError: module 'torch._C' has no attribute '_gone' (runtime/state.py, line 9, in restore)"};
  IS(ends(gone), VerdictKind::kRejected, "broken");
  IS(verdict_of_oracle("eager_vs_compiled", test_plan(), {{"eager", gone, 0}}), VerdictKind::kRejected, "broken");
  const Verdict further =
      verdict_of_oracle("eager_vs_compiled", test_plan(),
                        {one_float(1).outcome("eager"), one_float(2).outcome("compiled"), {"monte_carlo_1", gone, 0}});
  IS(further, VerdictKind::kRejected, "broken");
  EXPECT_NE(further.reason.find("_gone"), std::string::npos) << further.reason;
  for (const char* oracle : {"survives", "state_after", "cost", "rejects_alike", "seed_vs_mutant", "config_vs_config"})
    IS(judged_by(oracle, {plain().outcome("eager"),
                          {"compiled", gone, 0},
                          {"eager_after", gone, 0},
                          plain().outcome("eager_seed"),
                          {"compiled_seed", gone, 0},
                          {"switched", gone, 0}}),
       VerdictKind::kRejected, "broken");
}
// A process that dies, and a program or compiler that raises the same as a missing name.
TEST(Rule_broken, NearestBugGetsThrough) {
  DIVERGES(ends(Died{"protocol", 0, 0, "", {}}), "death");
  DIVERGES(of(plain(), raising("builtins.AttributeError", "module 'torch._C' has no attribute '_gone'")), "raises");
}

TEST(Rule_eager_differs, Holds) {
  IS(of(returning(longs({1})), returning(longs({2})), {{"eager_again", returning(longs({3}))}}), VerdictKind::kUnstable,
     "eager_differs");
}
TEST(Rule_eager_differs, NearestBugGetsThrough) {
  DIVERGES(of(returning(longs({1})), returning(longs({2})), {{"eager_again", returning(longs({1}))}}), "exact");
}

TEST(Rule_not_repeatable, Holds) { IS(ends(Raised{"inputs", "no", {}}), VerdictKind::kUnstable, "not_repeatable"); }
TEST(Rule_not_repeatable, NearestBugGetsThrough) {
  DIVERGES(ends(Raised{"observe", "no", exception("builtins.KeyError")}), "raises");
}

TEST(Rule_backend, Holds) { IS(ends(Raised{"backend", "no such file", {}}), VerdictKind::kRejected, "backend"); }
TEST(Rule_backend, NearestBugGetsThrough) {
  DIVERGES(ends(Raised{"compile", "no", exception("builtins.KeyError")}), "compiler_error");
}

TEST(Rule_no_seed, Holds) {
  const auto judged = [&](const std::string& name, const PlanOptions& options) {
    return verdict_of_oracle(name, find_oracle(name)->plan(Program::make("x = 1", {}).value(), options),
                             {plain().outcome("eager")});
  };
  IS(judged("seed_vs_mutant", {}), VerdictKind::kRejected, "no_seed");
}
TEST(Rule_no_seed, NearestBugGetsThrough) {
  DIVERGES(judged_by("seed_vs_mutant",
                     {shown("eager", 1), shown("compiled", 2), shown("eager_seed", 1), shown("compiled_seed", 1)}),
           "exact");
}

TEST(Rule_no_switches, Holds) {
  const auto judged = [&](const std::string& name, const PlanOptions& options) {
    return verdict_of_oracle(name, find_oracle(name)->plan(Program::make("x = 1", {}).value(), options),
                             {plain().outcome("eager")});
  };
  IS(judged("config_vs_config", {}), VerdictKind::kRejected, "no_switches");
}
TEST(Rule_no_switches, NearestBugGetsThrough) {
  DIVERGES(judged_by("config_vs_config", {shown("eager", 1), shown("compiled", 1), shown("switched", 2)}), "exact");
}

TEST(Rule_not_broken, Holds) {
  const auto judged = [&](const std::string& name, const PlanOptions& options) {
    return verdict_of_oracle(name, find_oracle(name)->plan(Program::make("x = 1", {}).value(), options),
                             {plain().outcome("eager")});
  };
  IS(judged("rejects_alike", {}), VerdictKind::kRejected, "not_broken");
}
TEST(Rule_not_broken, NearestBugGetsThrough) {
  DIVERGES(judged_by("rejects_alike", {raising("builtins.ValueError").outcome("eager"), shown("compiled", 1)}),
           "accepts");
}

TEST(Rule_seed_too, Holds) {
  AGREES(judged_by("seed_vs_mutant",
                   {shown("eager", 1), shown("compiled", 2), shown("eager_seed", 1), shown("compiled_seed", 2)}),
         "seed_too");
}
TEST(Rule_seed_too, NearestBugGetsThrough) {
  DIVERGES(judged_by("seed_vs_mutant",
                     {shown("eager", 1), shown("compiled", 2), shown("eager_seed", 1), shown("compiled_seed", 3)}),
           "exact");
}

TEST(Rule_both_configurations, Holds) {
  AGREES(judged_by("config_vs_config", {shown("eager", 1), shown("compiled", 2), shown("switched", 2)}),
         "both_configurations");
}
TEST(Rule_both_configurations, NearestBugGetsThrough) {
  DIVERGES(judged_by("config_vs_config", {shown("eager", 1), shown("compiled", 2), shown("switched", 1)}), "exact");
}

TEST(Rule_both_devices, Holds) {
  AGREES(judged_by("device_vs_device",
                   {shown("eager", 1), shown("compiled", 2), shown("eager_cuda", 1), shown("cuda", 2)}),
         "both_devices");
}
TEST(Rule_both_devices, NearestBugGetsThrough) {
  DIVERGES(judged_by("device_vs_device",
                     {shown("eager", 1), shown("compiled", 1), shown("eager_cuda", 1), shown("cuda", 2)}),
           "exact");
}

// Random numbers are others on each device.
TEST(Rule_devices_differ, Holds) {
  IS(judged_by("device_vs_device", {shown("eager", 1), shown("compiled", 1), shown("eager_cuda", 5), shown("cuda", 7)}),
     VerdictKind::kUnstable, "devices_differ");
  // Only one run is off its eager run, and gives what the other one gives: no agreement.
  IS(judged_by("device_vs_device", {shown("eager", 1), shown("compiled", 1), shown("eager_cuda", 5), shown("cuda", 1)}),
     VerdictKind::kUnstable, "devices_differ");
}
// Where eager is the same on both, also beside a place where it is not.
TEST(Rule_devices_differ, NearestBugGetsThrough) {
  DIVERGES(judged_by("device_vs_device",
                     {shown("eager", 1), shown("compiled", 1), shown("eager_cuda", 1), shown("cuda", 7)}),
           "exact");
  const auto pair = [](const std::string& role, std::int64_t drawn, std::int64_t computed) {
    Recorded run;
    const Value one = run.add(longs({drawn}));
    const Value other = run.add(longs({computed}));
    run.call().output = sequence("tuple", {one, other});
    return run.outcome(role);
  };
  DIVERGES(judged_by("device_vs_device",
                     {pair("eager", 1, 4), pair("compiled", 1, 4), pair("eager_cuda", 5, 4), pair("cuda", 5, 9)}),
           "exact");
}

TEST(Rule_rejects_alike, Holds) {
  AGREES(judged_by("rejects_alike", {raising("builtins.ValueError").outcome("eager"),
                                     raising("builtins.ValueError").outcome("compiled")}),
         "rejects_alike");
}
TEST(Rule_rejects_alike, NearestBugGetsThrough) {
  ExceptionRecord record = exception("torch._inductor.exc.InductorError", "an assertion of its own");
  record.while_compiling = true;
  Recorded compiled;
  compiled.call().exception = record;
  DIVERGES(judged_by("rejects_alike", {raising("builtins.ValueError").outcome("eager"), compiled.outcome("compiled")}),
           "compiler_error");
}

TEST(Rule_survives, Holds) { AGREES(judged_by("survives", {shown("compiled", 2)}), "survives"); }
TEST(Rule_survives, NearestBugGetsThrough) {
  DIVERGES(judged_by("survives", {shown("eager", 1), {"compiled", Died{"exit", 0, 3, "", {}}, 0}}), "death");
}

TEST(Rule_state_after, Holds) {
  AGREES(judged_by("state_after", {shown("eager", 1), shown("eager_after", 1)}), "state_after");
}
TEST(Rule_state_after, NearestBugGetsThrough) {
  DIVERGES(judged_by("state_after", {shown("eager", 1), shown("eager_after", 2)}), "exact");
}

TEST(Rule_in_proportion, Holds) {
  AGREES(judged_by("cost", {counted("compiled_seed", 10), counted("compiled", 40)}), "in_proportion");
}
TEST(Rule_in_proportion, NearestBugGetsThrough) {
  DIVERGES(judged_by("cost", {counted("compiled_seed", 10), counted("compiled", 400)}), "cost");
}

TEST(Rule_cost, Holds) {
  Outcome slow = counted("compiled", 10);
  slow.seconds = 1e6;
  AGREES(judged_by("cost", {counted("compiled_seed", 10), slow}), "in_proportion");
}
TEST(Rule_cost, NearestBugGetsThrough) {
  DIVERGES(judged_by("cost", {counted("compiled_seed", 1), counted("compiled", 69)}), "cost");
}

}  // namespace
}  // namespace jp::oracle::test
