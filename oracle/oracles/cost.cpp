// Is the work of compiling in proportion to the program? Measured by the compiler's own counters, never by the clock.
//
// With a seed: a counter may grow some times as fast as the lines of code. A mutation adds or changes a few statements;
// what grows faster grows with a power of the program's size. Without a seed: so many per line of code as no ordinary
// program comes near. oracle/judge/limits.h has the numbers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "oracle/judge/endings.h"
#include "oracle/judge/limits.h"
#include "oracle/judge/source.h"
#include "oracle/judge/verdicts.h"

namespace jp::oracle::cost_oracle {
namespace {

struct Limit {
  std::string_view counter;
  double a_line;
};

constexpr std::array<Limit, 5> kCounters = {{{"graphs", kLimits.graphs_a_line},
                                             {"recompiles", kLimits.recompiles_a_line},
                                             {"generated_kernels", kLimits.kernels_a_line},
                                             {"guards", kLimits.guards_a_line},
                                             {"ir_nodes", kLimits.ir_nodes_a_line}}};

double count(const Counters& counters, std::string_view name) {
  if (name == "graphs") return static_cast<double>(counters.graphs);
  const auto found = counters.others.find(std::string(name));
  return found == counters.others.end() ? 0 : static_cast<double>(found->second);
}

class Cost final : public Oracle {
 public:
  std::string_view name() const override { return "cost"; }
  std::string_view says() const override {
    return "the compiler's own counters (graphs, breaks, recompiles, kernels) stay in proportion to the size of the "
           "program";
  }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    plan.sizes["program"] = code_lines(program.source());
    plan.runs.push_back(compiled_run("compiled", options));
    if (options.seed_text.empty()) return plan;
    plan.sizes["seed"] = code_lines(options.seed_text);
    RunRequest seed = compiled_run("compiled_seed", options);
    seed.source = options.seed_text;
    plan.runs.push_back(std::move(seed));
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    const Runs runs(plan, outcomes);
    if (auto broken = judge_broken(runs)) return *broken;
    if (auto wanted = runs.missing(); !wanted.empty()) return {{}, std::move(wanted)};
    for (const RunRequest& run : plan.runs)
      if (const Outcome& outcome = *runs.outcome(run.role); !std::holds_alternative<Finished>(outcome.ending))
        return decided(verdict_of(Verdict::Kind::kRejected, "not_repeatable",
                                  fmt::format("the {} run {}", run.role, describe_ending(outcome.ending))));
    const Finished* seed = runs.finished("compiled_seed");
    const Finished& compiled = *runs.finished("compiled");
    if (!compiled.counters.known || (seed && !seed->counters.known))
      return decided(verdict_of(Verdict::Kind::kVacuous, "vacuous", "the backend's file counts nothing"));
    Comparison comparison;
    comparison.agreement = "in_proportion";
    for (const Limit& limit : kCounters) weigh(plan, limit, compiled, seed, comparison);
    const Sides limit{.reference = "", .observed = "compiled"};
    return decided(conclude(std::move(comparison), plan, limit, &compiled.counters));
  }

 private:
  static void weigh(const Plan& plan, const Limit& limit, const Finished& compiled, const Finished* seed,
                    Comparison& comparison) {
    const double seen = count(compiled.counters, limit.counter);
    const auto lines = [&](const char* of) {
      const auto found = plan.sizes.find(of);
      return found == plan.sizes.end() ? 1.0 : std::max(1.0, static_cast<double>(found->second));
    };
    double allowed = limit.a_line * lines("program");
    const double longer = std::max(1.0, lines("program") / lines("seed"));
    if (seed) allowed = kLimits.cost_growth * count(seed->counters, limit.counter) * longer + kLimits.cost_slack;
    if (seen <= allowed) return;
    const std::string reference = fmt::format("at most {:g} {}", allowed, limit.counter);
    const std::string observed = fmt::format("{:g} {}", seen, limit.counter);
    comparison.add({.difference = {Mismatch::kCost,
                                   0,
                                   "counters." + std::string(limit.counter),
                                   reference,
                                   observed,
                                   {{"seen", seen}, {"allowed", allowed}, {"lines", lines("program")}},
                                   std::string(limit.counter)},
                    .rule = "cost",
                    .sentence = fmt::format("compiling made {}, and {} would be in proportion", observed, reference)});
  }
};

const Register<Oracle, Cost> registered;

}  // namespace
}  // namespace jp::oracle::cost_oracle
