// The order of judging: endings, exceptions, calls, state, gradients, vacuous and unstable runs.
#include <gtest/gtest.h>

#include "oracle/judge/condition.h"
#include "oracle/judge/limits.h"
#include "tests/oracle/build.h"

namespace jp::oracle::test {
namespace {

using VerdictKind = Verdict::Kind;

Outcome ending(const std::string& role, Ending how) { return {role, std::move(how), 0.1}; }
Recorded fine() { return returning(floats({1, 2})); }

Verdict compiled_ends(Ending how) {
  const Judgement judgement = judge_outcomes({fine().outcome("eager"), ending("compiled", std::move(how))});
  EXPECT_TRUE(judgement.wanted.empty());
  return judgement.verdict;
}

TEST(Plan, OnceOrTwiceEager) {
  EXPECT_EQ(test_plan(false).runs.size(), 2U);
  const Plan full = test_plan(true);
  ASSERT_EQ(full.runs.size(), 3U);
  EXPECT_EQ(full.runs[1].role, "eager_again");
  EXPECT_NE(full.runs[1].memory_fill, 0);
  EXPECT_EQ(full.runs[2].backend, "aot_eager");
  EXPECT_TRUE(full.runs[2].compiled);
}

// All runs are made under the condition, and the second eager run under another one.
TEST(Plan, UnderACondition) {
  PlanOptions options{.backend = "aot_eager"};
  options.full = true;
  options.memory_fill = 0xB4;
  options.depends_on = kUnwrittenMemory;
  const Program program = Program::make("x = 1\n", {}).value();
  const Plan filled = find_oracle("eager_vs_compiled")->plan(program, options);
  EXPECT_EQ(filled.depends_on, kUnwrittenMemory);
  EXPECT_EQ(filled.runs[0].memory_fill, 0xB4);
  EXPECT_NE(filled.runs[1].memory_fill, 0xB4);
  EXPECT_NE(filled.runs[1].memory_fill, 0);
  EXPECT_EQ(filled.runs[2].memory_fill, 0xB4);
  EXPECT_EQ(condition_text(filled), "depends on unwritten memory (every fresh byte is 0x4b)");
  options = {.backend = "aot_eager", .threads = 8, .depends_on = std::string(kThreads), .full = true};
  const Plan threads = find_oracle("eager_vs_compiled")->plan(program, options);
  EXPECT_EQ(threads.runs[0].threads, 8);
  EXPECT_EQ(threads.runs[1].threads, 1);
  EXPECT_EQ(threads.runs[2].threads, 8);
  EXPECT_EQ(condition_text(threads), "depends on threads (8 threads)");
  options = {.backend = "aot_eager", .fixed_addresses = true, .depends_on = std::string(kAddresses), .full = true};
  const Plan fixed = find_oracle("eager_vs_compiled")->plan(program, options);
  EXPECT_TRUE(fixed.runs[0].fixed_addresses && fixed.runs[2].fixed_addresses);
  EXPECT_FALSE(fixed.runs[1].fixed_addresses);
}

// With one thread the mode differs; that says nothing about eager.
TEST(Twice, TheNumberOfThreadsIsNoDifferenceOfEager) {
  const auto with_threads = [](std::int64_t threads, std::int64_t value) {
    Recorded run = returning(longs({value}));
    run.call().mode["threads"] = std::to_string(threads);
    return run;
  };
  Plan plan = test_plan(true);
  const std::vector<Outcome> outcomes = {with_threads(8, 1).outcome("eager"), with_threads(1, 1).outcome("eager_again"),
                                         with_threads(8, 2).outcome("compiled")};
  const Oracle& oracle = *find_oracle("eager_vs_compiled");
  EXPECT_EQ(oracle.judge(plan, outcomes).verdict.kind, VerdictKind::kUnstable);
  plan.depends_on = kThreads;
  EXPECT_EQ(verdict_of_oracle("eager_vs_compiled", plan, outcomes).kind, VerdictKind::kDiverge);
}

TEST(Plan, MissingOutcomesAreWanted) {
  EXPECT_EQ(judge_outcomes({}).wanted.size(), 2U);
  const Judgement judgement = judge_outcomes({fine().outcome("eager")});
  ASSERT_EQ(judgement.wanted.size(), 1U);
  EXPECT_EQ(judgement.wanted[0].role, "compiled");
}

TEST(Endings, EagerThatCannotRunIsRejected) {
  for (const Ending& how : std::vector<Ending>{Raised{"inputs", "make_inputs() raised ValueError: no", {}},
                                               Died{"signal", 11, 0, "", {}}, TimedOut{30, {}}, OutOfMemory{1 << 30}}) {
    const Judgement judgement = judge_outcomes({ending("eager", how)});
    EXPECT_TRUE(judgement.wanted.empty());
    EXPECT_EQ(judgement.verdict.kind, VerdictKind::kRejected);
    EXPECT_FALSE(judgement.verdict.reason.empty());
  }
}

TEST(Endings, OfTheCompiledRun) {
  const Verdict death = compiled_ends(Died{"signal", 11, 0, "", {}});
  EXPECT_EQ(death.rule, "death");
  EXPECT_NE(death.reason.find("SIGSEGV"), std::string::npos);
  EXPECT_EQ(compiled_ends(TimedOut{30, {}}).rule, "hang");
  EXPECT_EQ(compiled_ends(OutOfMemory{1 << 30}).rule, "memory");
  EXPECT_EQ(compiled_ends(Raised{"compile", "", exception("builtins.AssertionError")}).rule, "compiler_error");
  EXPECT_EQ(compiled_ends(Raised{"observe", "", exception("builtins.KeyError")}).rule, "raises");
  EXPECT_EQ(compiled_ends(Raised{"backend", "no such file", {}}).kind, VerdictKind::kRejected);
  EXPECT_EQ(compiled_ends(Raised{"file", "it raised", {}}).kind, VerdictKind::kUnstable);
  ExceptionRecord refusal = exception("torch._dynamo.exc.Unsupported");
  refusal.expected_refusal = true;
  EXPECT_EQ(compiled_ends(Raised{"compile", "", refusal}).rule, "expected_refusal");
}

TEST(Twice, EagerThatDiffersFromItselfIsUnstable) {
  const Recorded eager = returning(longs({1}));
  const Recorded other = returning(longs({2}));
  Judgement judgement = judge_outcomes({eager.outcome("eager"), other.outcome("compiled")});
  ASSERT_EQ(judgement.wanted.size(), 2U);
  EXPECT_EQ(judgement.wanted[0].role, "eager_again");
  EXPECT_NE(judgement.wanted[0].memory_fill, 0) << "what reads unwritten memory must show";
  EXPECT_EQ(judgement.wanted[1].precision, "float64");
  EXPECT_EQ(judgement.wanted[1].memory_fill, 0);
  judgement =
      judge_outcomes({eager.outcome("eager"), other.outcome("compiled"), returning(longs({5})).outcome("eager_again")});
  EXPECT_TRUE(judgement.wanted.empty());
  EXPECT_EQ(judgement.verdict.kind, VerdictKind::kUnstable);
  EXPECT_EQ(judgement.verdict.rule, "eager_differs");
}

// A program that tells the time beside an output: runs with another clock have another, and so does a third run.
TEST(Twice, ATimeIsFreeAndTheRestIsCompared) {
  const auto telling = [](const std::string& time, std::int64_t value, const std::string& role) {
    Recorded run = returning(longs({value}));
    run.call().printed = "took " + time + " s";
    return run.outcome(role);
  };
  const auto all = [&](std::int64_t compiled, const std::string& third, const std::string& chosen) {
    std::vector<Outcome> outcomes = {telling("0.1", 1, "eager"), telling("2.5", compiled, "compiled"),
                                     telling("0.2", 1, "eager_again"), telling(third, 1, "eager_again_twice")};
    for (int i = 1; i <= kLimits.choice_runs; ++i)
      outcomes.push_back(telling(chosen, 1, "other_choices_" + std::to_string(i)));
    return verdict_of_oracle("eager_vs_compiled", test_plan(), outcomes);
  };
  EXPECT_FALSE(
      judge_outcomes({telling("0.1", 1, "eager"), telling("2.5", 1, "compiled"), telling("0.2", 1, "eager_again")})
          .wanted.empty());
  EXPECT_EQ(all(1, "0.3", "4.0").kind, VerdictKind::kAgree);
  EXPECT_EQ(all(2, "0.3", "4.0").kind, VerdictKind::kDiverge);
  EXPECT_EQ(all(2, "0.2", "4.0").rule, "eager_differs") << "it repeats where memory is filled alike";
  EXPECT_EQ(all(2, "0.3", "0.1").rule, "eager_differs") << "another clock doesn't move it";
}

TEST(Twice, AgreementAsksForNothing) {
  EXPECT_TRUE(judge_outcomes({fine().outcome("eager"), fine().outcome("compiled")}).wanted.empty());
}

TEST(Twice, AnExceptionWhileCompilingNeedsNoFloat64) {
  ExceptionRecord internal = exception("builtins.AssertionError");
  internal.while_compiling = true;
  Recorded compiled;
  compiled.call().exception = internal;
  const Judgement judgement = judge_outcomes({fine().outcome("eager"), compiled.outcome("compiled")});
  ASSERT_EQ(judgement.wanted.size(), 1U);
  EXPECT_EQ(judgement.wanted[0].role, "eager_again");
}

TEST(Vacuous, OnlyInPlaceOfAgree) {
  Recorded idle = fine();
  idle.counters = {.known = true, .frames_seen = 1};
  EXPECT_EQ(verdict_on(fine(), idle).kind, VerdictKind::kVacuous);
  Recorded limited = fine();
  limited.counters.recompile_limit_hits = 1;
  EXPECT_EQ(verdict_on(fine(), limited).kind, VerdictKind::kVacuous);
  Recorded unknown = fine();
  unknown.counters = {};
  EXPECT_EQ(verdict_on(fine(), unknown).kind, VerdictKind::kAgree);
  Recorded graphs_only = fine();  // as under fullgraph=True
  graphs_only.counters = {.known = true, .graphs = 1};
  EXPECT_EQ(verdict_on(fine(), graphs_only).kind, VerdictKind::kAgree);
  Recorded wrong = returning(floats({1, 9}));
  wrong.counters = idle.counters;
  EXPECT_EQ(verdict_on(fine(), wrong).kind, VerdictKind::kDiverge);
}

struct Sides {
  Recorded eager;
  Recorded compiled;
};
Sides raises(std::optional<ExceptionRecord> eager, std::optional<ExceptionRecord> compiled) {
  Sides runs;
  runs.eager.call().exception = std::move(eager);
  runs.compiled.call().exception = std::move(compiled);
  return runs;
}
Verdict on(const Sides& runs) { return verdict_on(runs.eager, runs.compiled); }

TEST(Vacuous, RaisingAlikeWhileTracingIsAgreement) {
  const ExceptionRecord error{.type = "builtins.RuntimeError", .bases = {"builtins.Exception"}};
  Sides runs = raises(error, error);
  runs.compiled.counters = {.known = true, .frames_seen = 1};
  EXPECT_EQ(verdict_on(runs.eager, runs.compiled).kind, VerdictKind::kAgree);
  runs.compiled.counters = {.known = true};
  EXPECT_EQ(verdict_on(runs.eager, runs.compiled).kind, VerdictKind::kVacuous) << "the compiler saw no frame";
}

TEST(Exceptions, BothRaise) {
  const ExceptionRecord value_error = exception("builtins.ValueError", "one text");
  EXPECT_EQ(on(raises(value_error, exception("builtins.ValueError", "another text"))).rule, "both_raise");
  ExceptionRecord subclass = exception("torch._dynamo.exc.TorchRuntimeError");
  subclass.bases.insert(subclass.bases.begin(), "builtins.RuntimeError");
  EXPECT_TRUE(on(raises(exception("builtins.RuntimeError"), subclass)).weak.empty());
  ExceptionRecord wrapped = exception("torch._dynamo.exc.BackendCompilerFailed");
  wrapped.causes = {"builtins.ValueError"};
  EXPECT_TRUE(on(raises(value_error, wrapped)).weak.empty());
  wrapped.causes = {"builtins.ValueError: its text"};
  EXPECT_TRUE(on(raises(value_error, wrapped)).weak.empty()) << "the text of what is only wrapped stands with it";
  const Verdict unrelated = on(raises(value_error, exception("builtins.KeyError")));
  EXPECT_EQ(unrelated.kind, VerdictKind::kAgree);
  ASSERT_EQ(unrelated.weak.size(), 1U);
  EXPECT_EQ(unrelated.weak[0].mismatch, Mismatch::kErrorClass);
}

TEST(Exceptions, OnlyOneSideRaises) {
  EXPECT_EQ(on(raises({}, exception("builtins.ValueError"))).rule, "raises");
  ExceptionRecord internal = exception("torch._dynamo.exc.InternalTorchDynamoError");
  internal.while_compiling = true;
  EXPECT_EQ(on(raises({}, internal)).rule, "compiler_error");
  EXPECT_EQ(on(raises(exception("builtins.ValueError"), {})).rule, "accepts");
  internal.expected_refusal = true;
  EXPECT_EQ(on(raises({}, internal)).rule, "expected_refusal");
}

TEST(Exceptions, AHandledExceptionShowsInTheValues) {
  const Recorded eager = returning(text("caught ValueError"));
  EXPECT_EQ(verdict_on(eager, returning(text("caught KeyError")), &eager).kind, VerdictKind::kDiverge);
}

TEST(Exceptions, InBackward) {
  const auto run = [](bool raises_there) {
    Recorded made = fine();
    if (raises_there) made.call().backward_exception = exception("builtins.RuntimeError");
    return made;
  };
  EXPECT_EQ(verdict_on(run(true), run(true)).rule, "both_raise");
  EXPECT_EQ(verdict_on(run(false), run(true)).rule, "raises");
  EXPECT_EQ(verdict_on(run(true), run(false)).rule, "accepts");
  EXPECT_EQ(verdict_on(run(false), run(true)).differences[0].where, "backward");
}

TEST(Exceptions, BackwardThatEagerCannotDoMayBeRefusedInTheCall) {
  Recorded eager = fine();
  eager.call().backward_exception = exception("builtins.RuntimeError");
  Recorded compiled;
  compiled.call().exception = exception("builtins.AssertionError");
  const Verdict verdict = verdict_on(eager, compiled);
  EXPECT_EQ(verdict.kind, VerdictKind::kAgree);
  EXPECT_EQ(verdict.weak.size(), 1U);
  EXPECT_EQ(verdict_on(fine(), compiled).kind, VerdictKind::kDiverge) << "eager's backward is fine";
}

TEST(Exceptions, ABackwardWhoseExceptionRoundingDecidesIsUnstable) {
  Recorded compiled = fine();
  compiled.call().backward_exception = exception("builtins.ValueError", "too large");
  EXPECT_EQ(verdict_on(fine(), compiled).kind, VerdictKind::kDiverge);
  Recorded noisy = fine();
  noisy.call().backward_exception = exception("builtins.ValueError", "too large");
  const Verdict verdict = verdict_on(fine(), compiled, nullptr, {{"monte_carlo_2", noisy}});
  EXPECT_EQ(verdict.kind, VerdictKind::kUnstable);
  EXPECT_EQ(verdict.rule, "monte_carlo");
}

TEST(Calls, StateOfACallThatRaisedIsNotCompared) {
  Sides runs = raises(exception("builtins.ValueError"), exception("builtins.ValueError"));
  runs.eager.call().state = mapping({{"'n'", integer(1)}});
  runs.compiled.call().state = mapping({{"'n'", integer(0)}});
  // What follows from it in the next call is not a second bug.
  runs.eager.call(1).output = integer(2);
  runs.compiled.call(1).output = integer(1);
  EXPECT_EQ(on(runs).kind, VerdictKind::kAgree);
}

TEST(Calls, LaterCallsAreComparedWhileBothStandAlike) {
  Sides runs = raises(exception("builtins.ValueError"), exception("builtins.ValueError"));
  runs.eager.call(1).output = integer(2);
  runs.compiled.call(1).output = integer(1);
  const Verdict verdict = verdict_on(runs.eager, runs.compiled);
  ASSERT_EQ(verdict.kind, VerdictKind::kDiverge);
  EXPECT_EQ(verdict.differences[0].call, 1);
  EXPECT_EQ(verdict.reason.rfind("call 2 output", 0), 0U) << verdict.reason;
}

TEST(Calls, TheEarliestDifferenceLeads) {
  Recorded eager = fine();
  Recorded compiled = fine();
  eager.call().state = mapping({{"'n'", integer(1)}});
  compiled.call().state = mapping({{"'n'", integer(2)}});
  eager.call(1).output = integer(1);
  compiled.call(1).output = integer(2);
  const Verdict verdict = verdict_on(eager, compiled);
  ASSERT_EQ(verdict.differences.size(), 2U);
  EXPECT_EQ(verdict.differences[0].mismatch, Mismatch::kStateAfter);
  EXPECT_EQ(verdict.differences[0].where, "state['n']");
}

TEST(State, InputsObservedPrintedModes) {
  const auto worst = [](auto&& change) {
    Recorded compiled = fine();
    change(compiled);
    const Verdict verdict = verdict_on(fine(), compiled);
    return verdict.kind == VerdictKind::kDiverge
               ? std::string(mismatch_name(verdict.differences[0].mismatch)) + " " + verdict.differences[0].where
               : verdict.rule;
  };
  EXPECT_EQ(worst([](Recorded& run) { run.call().inputs = integer(1); }), "state_after inputs");
  EXPECT_EQ(worst([](Recorded& run) { run.observation.observed = integer(1); }), "state_after observed");
  EXPECT_EQ(worst([](Recorded& run) { run.call().printed = "x\n"; }), "state_after printed");
  EXPECT_EQ(worst([](Recorded& run) { run.call().late = integer(1); }), "structure late");
  EXPECT_EQ(worst([](Recorded& run) { run.call().warnings = {"UserWarning: x"}; }), "bitwise");
  Recorded eager = fine();
  Recorded compiled = fine();
  eager.call().mode = {{"grad", "True"}};
  compiled.call().mode = {{"grad", "False"}};
  EXPECT_EQ(verdict_on(eager, compiled).rule, "mode");
}

// After an exception a compiler may have got less far, but what eager leaves alone it leaves, too.
TEST(State, ModesWhereBothRaise) {
  const auto raising = [](const char* grad, const char* sets = "False") {
    Recorded run;
    run.call().exception = exception("builtins.ValueError");
    run.call().mode = {{"grad", grad}, {"set_by_the_program", sets}};
    return run;
  };
  EXPECT_EQ(verdict_on(raising("True", "True"), raising("False", "True")).rule, "both_raise")
      << "it may not have come to the statement that sets it";
  EXPECT_EQ(verdict_on(raising("True"), raising("False")).rule, "mode");
  EXPECT_EQ(verdict_on(raising("False"), raising("True")).rule, "both_raise") << "the program has set it in eager";
  EXPECT_EQ(verdict_on(raising("True"), raising("True")).rule, "both_raise");
}

// Seed and mutant, or a program with and without the line of a known bug, have different words.
TEST(State, WhatATextMaySetIsNoMode) {
  Recorded one = fine();
  Recorded other = fine();
  one.call().mode = {{"grad", "True"}, {"set_by_the_program", "False"}};
  other.call().mode = {{"grad", "True"}, {"set_by_the_program", "True"}};
  EXPECT_EQ(verdict_on(one, other).kind, VerdictKind::kAgree);
}

TEST(State, AWrittenInputIsStateNotOutput) {
  Recorded eager = fine();
  Recorded compiled = fine();
  eager.call().inputs = sequence("tuple", {eager.add(floats({1}))});
  compiled.call().inputs = sequence("tuple", {compiled.add(floats({2}))});
  const Verdict verdict = verdict_on(eager, compiled);
  ASSERT_EQ(verdict.kind, VerdictKind::kDiverge);
  EXPECT_EQ(verdict.differences[0].mismatch, Mismatch::kStateAfter);
  EXPECT_EQ(verdict.differences[0].where, "inputs[0]");
}

TEST(Gradients, ByValueAndPresence) {
  const auto run = [](float x) {
    Recorded made = fine();
    made.call().gradients = mapping({{"v0", made.add(floats({x}))}});
    return made;
  };
  const Verdict verdict = verdict_on(run(1), run(2));
  ASSERT_EQ(verdict.kind, VerdictKind::kDiverge);
  EXPECT_EQ(verdict.differences[0].mismatch, Mismatch::kGradient);
  EXPECT_EQ(verdict.differences[0].where, "gradients[v0]");
  Recorded none = fine();
  none.call().gradients = mapping({{"v0", Value{}}});
  const Verdict lost = verdict_on(run(1), none);
  EXPECT_EQ(lost.differences[0].mismatch, Mismatch::kGradient);
  EXPECT_EQ(lost.differences[0].what, "none for a tensor");
  EXPECT_EQ(verdict_on(none, run(1)).differences[0].what, "a tensor for none");
  EXPECT_EQ(verdict_on(none, run(0)).differences[0].what, "zeros for none");
  EXPECT_EQ(verdict_on(none, run(-0.0F)).differences[0].what, "zeros for none");
  const Recorded exact = [] {
    Recorded made = fine();
    made.call().gradients = mapping({{"v0", made.add(doubles({1.0001}))}});
    return made;
  }();
  EXPECT_EQ(verdict_on(run(1), run(1.0002F), &exact).rule, "float64");
}

TEST(Float64, AWitnessThatRaisesWhereEagerDoesNotIsNone) {
  const Recorded eager = fine();
  const Recorded compiled = returning(floats({1, 2.5F}));
  Recorded third;
  third.call().exception = exception("builtins.RuntimeError");
  const Verdict verdict = verdict_on(eager, compiled, &third);
  EXPECT_EQ(verdict.kind, VerdictKind::kDiverge);
  EXPECT_FALSE(verdict.differences[0].numbers.contains("eager_to_float64"));
}

}  // namespace
}  // namespace jp::oracle::test
