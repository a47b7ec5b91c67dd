// Oracles other than the first, on recorded outcomes; and what holds for all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/choices.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/judge/source.h"
#include "oracle/signature/signature.h"
#include "tests/oracle/shown.h"
#include "tests/oracle/unusual_oracle.h"

namespace jp::oracle::test {
namespace {

using VerdictKind = Verdict::Kind;

TEST(SeedVsMutant, ReportsWhatOneOfTheTwoShowsAlone) {
  const auto of = [](float eager_seed, float seed, float eager, float mutant) {
    return on("seed_vs_mutant", {{"eager", shows(eager)},
                                 {"compiled", shows(mutant)},
                                 {"eager_seed", shows(eager_seed)},
                                 {"compiled_seed", shows(seed)}});
  };
  EXPECT_EQ(of(1, 1, 1, 1).rule, "bitwise");
  EXPECT_EQ(of(1, 1, 1, 3).kind, VerdictKind::kDiverge);
  EXPECT_EQ(of(1, 3, 1, 1).kind, VerdictKind::kDiverge) << "the mutant is right and the seed is not";
  EXPECT_EQ(of(1, 3, 1, 3).rule, "seed_too");
  EXPECT_EQ(of(1, 1, 5, 5).kind, VerdictKind::kAgree) << "the eager pair has the difference too";
  EXPECT_EQ(of(1, 1, 1, 3).differences[0].numbers.at("argmax_flips"), 1);
  EXPECT_EQ(of(1, 1, 1, 1.5F).differences[0].numbers.at("argmax_flips"), 0);
}

TEST(SeedVsMutant, PutsTheQuestionsToBothPrograms) {
  const std::vector<Shown> runs = {
      {"eager", shows(1)}, {"compiled", shows(1.0003F)}, {"eager_seed", shows(1)}, {"compiled_seed", shows(0.9997F)}};
  EXPECT_EQ(on("seed_vs_mutant", runs).kind, VerdictKind::kDiverge);
  const Answers rounding = {{"monte_carlo_1", shows(1.0001F)}, {"monte_carlo_1_seed", shows(1.0001F)}};
  EXPECT_EQ(on("seed_vs_mutant", runs, rounding).rule, "monte_carlo");
}

TEST(SeedVsMutant, NeedsASeed) {
  const Oracle* oracle = find_oracle("seed_vs_mutant");
  const Plan plan = oracle->plan(Program::make("x = 1\n", {}).value(), {});
  const Verdict verdict = verdict_of_oracle("seed_vs_mutant", plan, {});
  EXPECT_EQ(verdict.kind, VerdictKind::kRejected);
  EXPECT_EQ(verdict.rule, "no_seed");
  EXPECT_EQ(plan_of("seed_vs_mutant").runs[2].source, "x = 1\n");
}

TEST(RejectsAlike, ACleanExceptionOrABug) {
  const auto of = [](const Recorded& compiled) {
    return on("rejects_alike", {{"eager", raises(exception("builtins.RuntimeError"))}, {"compiled", compiled}});
  };
  EXPECT_EQ(of(raises(exception("builtins.RuntimeError"))).rule, "rejects_alike");
  EXPECT_EQ(of(shows(1)).rule, "accepts");
  ExceptionRecord wrapped = exception("torch._dynamo.exc.TorchRuntimeError");
  wrapped.while_compiling = true;
  EXPECT_EQ(of(raises(wrapped)).kind, VerdictKind::kAgree);
  ExceptionRecord internal = exception("torch._dynamo.exc.InternalTorchDynamoError", "an assertion of its own");
  internal.while_compiling = true;
  EXPECT_EQ(of(raises(internal)).rule, "compiler_error");
  internal.bases = {"torch._dynamo.exc.TorchDynamoException", "builtins.RuntimeError", "builtins.Exception"};
  EXPECT_EQ(of(raises(internal)).rule, "compiler_error") << "every exception of Dynamo is a RuntimeError";
  wrapped.bases = internal.bases;
  EXPECT_EQ(of(raises(wrapped)).kind, VerdictKind::kAgree);
  internal.causes = {"builtins.RuntimeError"};
  EXPECT_EQ(of(raises(internal)).kind, VerdictKind::kAgree) << "what eager raised stands behind it";
  EXPECT_EQ(of(raises(exception("builtins.KeyError"))).kind, VerdictKind::kAgree) << "the class is weak";
  ExceptionRecord dim = exception("builtins.IndexError", "Dimension out of range (expected to be in range of [-1, 0])");
  dim.while_compiling = true;
  EXPECT_EQ(of(raises(dim)).kind, VerdictKind::kAgree) << "torch's own check, made earlier";
  dim.message = "Dimension specified as -3 but tensor has no dimensions";
  EXPECT_EQ(of(raises(dim)).kind, VerdictKind::kAgree);
  dim.message = "tuple index out of range";
  EXPECT_EQ(of(raises(dim)).rule, "compiler_error");
  EXPECT_EQ(on("rejects_alike", {{"eager", shows(1)}}).rule, "not_broken");
}

TEST(RejectsAlike, TheSameWordsAreTheSameRefusal) {
  ExceptionRecord failed = exception("torch._inductor.exc.InductorError", "LoweringException: RuntimeError: …");
  failed.while_compiling = true;
  const auto of = [&](const std::string& root) {
    failed.causes = {"torch._inductor.exc.LoweringException", "builtins.RuntimeError: " + root};
    const ExceptionRecord refused =
        exception("builtins.NotImplementedError", "\"adaptive_avg_pool2d\" not implemented for 'Long'");
    return on("rejects_alike", {{"eager", raises(refused)}, {"compiled", raises(failed)}});
  };
  EXPECT_EQ(of("'adaptive_avg_pool2d' not implemented for 'Long'").kind, VerdictKind::kAgree);
  EXPECT_EQ(of("'adaptive_avg_pool2d' not implemented for 'Long'\n  target: aten").kind, VerdictKind::kAgree);
  EXPECT_EQ(of("'adaptive_avg_pool2d' not implemented for 'Int'").rule, "compiler_error");
  EXPECT_EQ(of("Only Tensors of floating point dtype can require gradients").rule, "compiler_error");
}

TEST(Survives, OnlyEndings) {
  const auto of = [](const Ending& compiled, const Ending& eager) {
    return verdict_of_oracle("survives", plan_of("survives"), {{"compiled", compiled, 0}, {"eager", eager, 0}});
  };
  const Ending fine = shows(1).outcome("").ending;
  EXPECT_EQ(of(fine, fine).rule, "survives");
  EXPECT_EQ(of(Raised{"compile", "", exception("builtins.KeyError")}, fine).rule, "survives");
  EXPECT_EQ(of(Died{"signal", 6, 0, "", {}}, fine).rule, "death");
  EXPECT_EQ(of(OutOfMemory{1}, fine).rule, "memory");
  EXPECT_EQ(of(Died{"signal", 6, 0, "", {}}, Died{"signal", 6, 0, "", {}}).kind, VerdictKind::kRejected);
  const Judgement judgement = find_oracle("survives")->judge(plan_of("survives"), {{"compiled", TimedOut{3, {}}, 0}});
  ASSERT_EQ(judgement.wanted.size(), 1U);
  EXPECT_FALSE(judgement.wanted[0].compiled);
  EXPECT_TRUE(judgement.wanted[0].backend.empty());
}

TEST(StateAfter, EagerMustBeAsBefore) {
  const auto of = [](const Recorded& after, const Answers& answers = {}) {
    return on("state_after", {{"eager", shows(1)}, {"eager_after", after}}, answers);
  };
  EXPECT_EQ(of(shows(1)).rule, "state_after");
  EXPECT_EQ(of(shows(3)).kind, VerdictKind::kDiverge);
  Recorded threads = shows(1);
  threads.call().mode = {};
  EXPECT_EQ(of(threads).kind, VerdictKind::kAgree);
  EXPECT_EQ(of(shows(3), {{"eager_twice", shows(3)}}).kind, VerdictKind::kUnstable) << "the program does it itself";
  EXPECT_EQ(of(shows(3), {{"eager_twice", shows(1)}}).kind, VerdictKind::kDiverge);
  const Recorded small = returning(floats({1e-40F}));
  const Verdict flushed = on("state_after", {{"eager", small}, {"eager_after", returning(floats({0.0F}))}});
  EXPECT_EQ(flushed.rule, "denormal");
  EXPECT_EQ(flushed.kind, VerdictKind::kDiverge);
  EXPECT_EQ(plan_of("state_after").runs[1].after, "inductor");
  EXPECT_FALSE(plan_of("state_after").runs[1].compiled);
}

TEST(StateAfter, AModeThatStays) {
  Recorded before = shows(1);
  before.call().mode = {{"threads", "1"}};
  Recorded after = shows(1);
  after.call().mode = {{"threads", "4"}};
  EXPECT_EQ(on("state_after", {{"eager", before}, {"eager_after", after}}).rule, "mode");
}

TEST(Cost, ByCountersAgainstTheSeedOrTheLines) {
  const auto of = [](std::int64_t seed, std::int64_t program) {
    Recorded one = shows(1);
    one.counters.others["guards"] = seed;
    Recorded other = shows(1);
    other.counters.others["guards"] = program;
    return on("cost", {{"compiled_seed", one}, {"compiled", other}});
  };
  EXPECT_EQ(of(10, 30).rule, "in_proportion");
  EXPECT_EQ(of(100, 5000).rule, "cost");
  EXPECT_EQ(mismatch_name(of(100, 5000).differences[0].mismatch), "cost");
  Plan alone = plan_of("cost");
  alone.runs.resize(1);
  alone.sizes.erase("seed");
  Recorded run = shows(1);
  run.counters.graphs = 41;
  EXPECT_EQ(verdict_of_oracle("cost", alone, {run.outcome("compiled")}).kind, VerdictKind::kDiverge) << "two lines";
  run.counters.graphs = 40;
  EXPECT_EQ(verdict_of_oracle("cost", alone, {run.outcome("compiled")}).kind, VerdictKind::kAgree);
  run.counters.known = false;
  EXPECT_EQ(verdict_of_oracle("cost", alone, {run.outcome("compiled")}).kind, VerdictKind::kVacuous);
}

TEST(Source, DeadLinesAndSize) {
  const std::string source = "def program(x):\n  a = x.sum(dim=9)\n  b = x + 1\n  c == 2\n  return b\n\n# note\n";
  EXPECT_EQ(dead_lines(source), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(code_lines(source), 5);
}

TEST(Source, StraightIsWithoutAWordForAChoice) {
  const std::string head = "import torch\n\n\ndef program(x, y):\n";
  EXPECT_TRUE(is_straight(head + "    z = torch.cross(x, y, dim=0)  # if it takes two\n    return z.half()\n"));
  for (const char* body : {"    return x if y.sum() > 0 else y\n", "    while x.any():\n        x = y\n",
                           "    return [x, y.double()][x.argmax().item()]\n", "    return torch.cond(p, f, g, (x,))\n",
                           "    n = int(x)\n", "    z = x.any() and y\n", "    s = '#'; z = x if y else s\n",
                           "    raise RuntimeError('dtype')\n", "    torch._check(x.any(), why)\n"})
    EXPECT_FALSE(is_straight(head + body)) << body;
}

TEST(Signature, NamesOraclesAndSwitches) {
  const auto sign = [](const std::vector<std::string>& switches) {
    Plan plan = plan_of("config_vs_config");
    plan.runs[2].switches = switches;
    const std::vector<Outcome> outcomes =
        outcomes_of({{"eager", shows(1)}, {"compiled", shows(1)}, {"switched", shows(3)}});
    const Verdict verdict = verdict_of_oracle("config_vs_config", plan, outcomes);
    return signature_of("inductor", verdict, outcomes, nullptr, &plan);
  };
  EXPECT_NE(sign({"dynamic"}).id(), sign({"freezing"}).id());
  EXPECT_TRUE(diverges_alike(sign({"dynamic", "freezing"}), sign({"freezing"}))) << "while they are reduced";
  const std::vector<Outcome> dead = {shows(1).outcome("eager"),
                                     shows(1).outcome("compiled"),
                                     {"switched", Died{"signal", 11, 0, "", {"libtorch_cpu.so(f)"}}, 0}};
  const Verdict verdict = verdict_of_oracle("config_vs_config", plan_of("config_vs_config"), dead);
  EXPECT_EQ(signature_of("inductor", verdict, dead).frames, (std::vector<std::string>{"SIGSEGV", "f"}));
}

Ending died_in(const std::string& frame) { return Died{"signal", 11, 0, "", {frame}}; }

TEST(Verdict, NamesTheRunThatItBlames) {
  const auto judged = [](const std::string& oracle, const std::string& failing) {
    const Plan plan = plan_of(oracle);
    std::vector<Outcome> outcomes;
    for (const RunRequest& run : plan.runs)
      outcomes.push_back(run.role == failing ? Outcome{run.role, died_in("f"), 0} : shows(1).outcome(run.role));
    return verdict_of_oracle(oracle, plan, outcomes);
  };
  EXPECT_EQ(judged("config_vs_config", "switched").under_test, "switched");
  EXPECT_EQ(judged("config_vs_config", "compiled").under_test, "compiled") << "the other configuration is well";
  EXPECT_EQ(judged("config_vs_config", "compiled").reference, "eager");
  EXPECT_EQ(judged("seed_vs_mutant", "compiled_seed").under_test, "compiled_seed");
  EXPECT_EQ(judged("seed_vs_mutant", "compiled_seed").reference, "eager_seed");
  const Verdict between = on("config_vs_config", {{"eager", shows(1)}, {"compiled", shows(1)}, {"switched", shows(3)}});
  EXPECT_EQ(between.reference, "compiled");
  EXPECT_EQ(between.under_test, "switched");
  EXPECT_EQ(run_text(*run_under_test(plan_of("config_vs_config"), between)), "compiled with dynamic");
  EXPECT_EQ(run_text(*run_under_test(plan_of("seed_vs_mutant"), judged("seed_vs_mutant", "compiled_seed"))),
            "compiled, of the seed");
  EXPECT_EQ(run_text(plan_of("state_after").runs.back()), "eager after compiling");
}

TEST(Verdict, ThatNamesNoRunSpeaksOfWhatItsOracleCompares) {
  const Plan plan = plan_of("config_vs_config");
  Verdict old = on("config_vs_config", {{"eager", shows(1)}, {"compiled", shows(1)}, {"switched", shows(3)}});
  old.reference = old.under_test = "";
  EXPECT_EQ(run_under_test(plan, old)->role, "switched");
  EXPECT_EQ(with_roles(old, plan).under_test, "switched");
  EXPECT_EQ(plain_run(plan)->role, "eager");
  Plan unknown = plan;
  unknown.oracle = "of another version";
  EXPECT_EQ(run_under_test(unknown, old)->role, "compiled");
}

TEST(Signature, OfAnOracleThatNamesItsRunsItself) {
  const Plan plan = plan_of("second_opinion");
  const auto sign = [&](const std::vector<Outcome>& outcomes) {
    return signature_of("inductor", verdict_of_oracle("second_opinion", plan, outcomes), outcomes, nullptr, &plan);
  };
  const auto raising = [](const std::string& type) { return raises(exception("builtins." + type, "no " + type)); };
  const Recorded fine = shows(1);
  const Signature death =
      sign({{"bystander", died_in("other"), 0}, fine.outcome("opinion"), {"counter_opinion", died_in("f"), 0}});
  EXPECT_EQ(death.frames, (std::vector<std::string>{"SIGSEGV", "f", "oracle second_opinion", "switches dynamic "}));
  const Signature raised = sign({raising("KeyError").outcome("bystander"), fine.outcome("opinion"),
                                 raising("ValueError").outcome("counter_opinion")});
  EXPECT_EQ(raised.kind, "raises");
  EXPECT_EQ(raised.frames.front(), "builtins.ValueError");
  const Signature accepted = sign({raising("KeyError").outcome("bystander"), raising("IndexError").outcome("opinion"),
                                   fine.outcome("counter_opinion")});
  EXPECT_EQ(accepted.kind, "accepts");
  EXPECT_EQ(accepted.frames.front(), "builtins.IndexError");
}

// What must hold of every oracle.

std::vector<Outcome> same_everywhere(const Plan& plan, const Recorded& run) {
  std::vector<Outcome> outcomes;
  for (const RunRequest& request : plan.runs) outcomes.push_back(run.outcome(request.role));
  return outcomes;
}

TEST(Property, TheSameOutcomeEverywhereIsNoFinding) {
  for (const Oracle* oracle : Registry<Oracle>::instance().all()) {
    const std::string name(oracle->name());
    const Recorded run = name == "rejects_alike" ? raises(exception("builtins.ValueError")) : shows(1);
    const Verdict verdict = verdict_of_oracle(name, plan_of(name), same_everywhere(plan_of(name), run));
    EXPECT_EQ(verdict.kind, VerdictKind::kAgree) << name << ": " << verdict.reason;
  }
}

TEST(Property, AnyWrongByteBeyondRoundingDiverges) {
  Choices choices(31);
  for (const char* name :
       {"eager_vs_compiled", "config_vs_config", "seed_vs_mutant", "device_vs_device", "second_opinion"}) {
    const Plan plan = plan_of(name);
    for (int round = 0; round < 100; ++round) {
      std::vector<std::int64_t> elements;
      for (int i = 0; i < 4; ++i) elements.push_back(choices.between(-1000, 1000));
      const Recorded eager = returning(longs(elements));
      Recorded wrong = eager;
      std::string& bytes = wrong.observation.tensors[0].bytes;
      bytes[choices.below(bytes.size())] ^= static_cast<char>(1 << choices.below(8));
      std::vector<Outcome> outcomes = same_everywhere(plan, eager);
      const std::string role = find_oracle(name)->sides().observed;
      for (Outcome& outcome : outcomes)
        if (outcome.role == role) outcome = wrong.outcome(role);
      EXPECT_EQ(verdict_of_oracle(name, plan, outcomes).kind, VerdictKind::kDiverge) << name << " " << round;
    }
  }
}

// A verdict that diverges names a planned run, and what it was held against; any other names none.
void expect_roles(const Plan& plan, const std::vector<Outcome>& outcomes, const Verdict& verdict) {
  if (verdict.kind != VerdictKind::kDiverge) {
    EXPECT_EQ(verdict.reference + verdict.under_test, "") << plan.oracle;
    return;
  }
  EXPECT_NE(run_under_test(plan, verdict), nullptr) << plan.oracle << ": " << verdict.under_test;
  EXPECT_NE(outcome_of(outcomes, verdict.under_test), nullptr) << plan.oracle << ": " << verdict.under_test;
  EXPECT_NE(verdict.reference, verdict.under_test) << plan.oracle;
  const bool no_run = verdict.reference.empty();
  EXPECT_TRUE(no_run || outcome_of(outcomes, verdict.reference)) << plan.oracle << ": " << verdict.reference;
}

TEST(Property, EveryOracleEndsAndIgnoresTheOrder) {
  Choices choices(32);
  const std::vector<Ending> endings = {shows(1).outcome("").ending,
                                       shows(1.0001F).outcome("").ending,
                                       returning(longs({1})).outcome("").ending,
                                       raises(exception("builtins.ValueError")).outcome("").ending,
                                       Died{"signal", 11, 0, "", {}},
                                       TimedOut{3, {}},
                                       OutOfMemory{1},
                                       Raised{"backend", "no", {}},
                                       Raised{"compile", "no", exception("builtins.KeyError")}};
  for (const Oracle* oracle : Registry<Oracle>::instance().all()) {
    const Plan plan = plan_of(std::string(oracle->name()));
    for (int round = 0; round < 300; ++round) {
      std::vector<Outcome> outcomes;
      int rounds = 0;
      for (Judgement judgement = oracle->judge(plan, outcomes);; judgement = oracle->judge(plan, outcomes)) {
        std::vector<Outcome> reversed(outcomes.rbegin(), outcomes.rend());
        const Judgement other = oracle->judge(plan, reversed);
        ASSERT_EQ(judgement.verdict, other.verdict);
        ASSERT_EQ(judgement.wanted, other.wanted);
        if (judgement.wanted.empty()) {
          EXPECT_EQ(judgement.verdict.differences.empty(), judgement.verdict.kind != VerdictKind::kDiverge);
          EXPECT_FALSE(judgement.verdict.rule.empty());
          EXPECT_FALSE(judgement.verdict.reason.empty());
          expect_roles(plan, outcomes, judgement.verdict);
          break;
        }
        ASSERT_LT(++rounds, 8) << oracle->name();
        std::set<std::string> roles;
        for (const RunRequest& run : judgement.wanted) {
          ASSERT_TRUE(roles.insert(run.role).second) << run.role;
          outcomes.push_back({run.role, choices.chance(1, 2) ? endings[0] : choices.pick(endings), 0});
        }
      }
    }
  }
}

TEST(LostChildren, AreDeaths) {
  const auto of = [](std::vector<std::string> eager, std::vector<std::string> compiled) {
    Finished one{shows(1).observation, shows(1).counters, std::move(eager)};
    Finished other{shows(1).observation, shows(1).counters, std::move(compiled)};
    return judge_outcomes({{"eager", one, 0}, {"compiled", other, 0}}).verdict;
  };
  const Verdict lost = of({}, {"cc1plus: signal 11"});
  EXPECT_EQ(lost.rule, "lost_children");
  EXPECT_EQ(mismatch_name(lost.differences[0].mismatch), "death");
  EXPECT_EQ(of({"cat: signal 13"}, {"cat: signal 13"}).kind, VerdictKind::kAgree);
}

}  // namespace
}  // namespace jp::oracle::test
