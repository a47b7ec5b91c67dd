// A program and the seed that it was made from by mutations that change nothing: compiled, they must still show the
// same.
//
// Four runs: eager and compiled, of the mutant and of the seed. A difference between the two compiled runs is reported
// if one of them is off its own eager run beyond rounding and the eager runs don't differ; every question about
// rounding is asked of both programs. The size of a numerical difference, and whether the place of the largest element
// changes with it ("argmax_flips"), is in its numbers.
#include "oracle/judge/verdicts.h"

namespace jp::oracle::seed_vs_mutant_oracle {
namespace {

class SeedVsMutant final : public Oracle {
 public:
  std::string_view name() const override { return "seed_vs_mutant"; }
  std::string_view says() const override {
    return "a compiled program and its compiled seed, which mutations changed without changing the result";
  }
  Needs needs() const override { return Needs::kSeed; }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    plan.runs.push_back(eager_run("eager", options));
    if (options.seed_text.empty()) return plan;
    if (options.full) plan.runs.push_back(eager_again(options));
    plan.runs.push_back(compiled_run("compiled", options));
    for (RunRequest run : {eager_run("eager_seed", options), compiled_run("compiled_seed", options)}) {
      run.source = options.seed_text;
      plan.runs.push_back(std::move(run));
    }
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    const Runs runs(plan, outcomes);
    if (!runs.request("eager_seed")) {
      if (auto wanted = runs.missing(); !wanted.empty()) return {{}, std::move(wanted)};
      return decided(verdict_of(Verdict::Kind::kRejected, "no_seed",
                                "there is no seed to compare the program with: give it with its mutations"));
    }
    const Sides seed{.reference = "eager_seed", .observed = "compiled_seed", .eager = "eager_seed", .suffix = "_seed"};
    return judge_pair_of_pairs(runs, {.one = seed,
                                      .other = sides(),
                                      .alike = "seed_too",
                                      .reason = "the compiled seed is off its own eager run in the same way"});
  }
};

const Register<Oracle, SeedVsMutant> registered;

}  // namespace
}  // namespace jp::oracle::seed_vs_mutant_oracle
