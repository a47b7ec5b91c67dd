#include "app/reduction.h"

#include <algorithm>

#include "app/confirm.h"
#include "app/harvest.h"
#include "app/reducing.h"
#include "app/tools.h"
#include "mutate/engine.h"
#include "oracle/reduce/lineage.h"
#include "oracle/reduce/surely.h"
#include "oracle/signature.h"

namespace jp::app {
namespace {

/// The program that a lineage starts from; nothing when it can't be had any more.
std::optional<mutate::Parsed> base_of(const Seed& seed) {
  Result<Program> program =
      seed.door == Seed::Door::kFile ? load_program(seed.path, "program", "make_inputs") : regenerate_any(seed);
  if (!program.ok()) return std::nullopt;
  if (seed.door == Seed::Door::kFile && program.value().sha256() != seed.sha256) return std::nullopt;
  Result<mutate::Parsed> parsed = mutate::parse(program.value());
  return parsed.ok() ? std::optional(std::move(parsed).value()) : std::nullopt;
}

}  // namespace

pyrunner::Limits limits_for(pyrunner::Limits limits, const Judged& judged, double asked) {
  if (asked > 0) limits.seconds = asked;
  for (const Outcome& outcome : judged.outcomes)
    if (std::holds_alternative<TimedOut>(outcome.ending)) return limits;
  double longest = 0;
  for (const Outcome& outcome : judged.outcomes) longest = std::max(longest, outcome.seconds);
  if (asked <= 0) limits.seconds = std::min(limits.seconds, 10 + 3 * longest);
  limits.hang_retry_factor = 0;
  return limits;
}

reduce::Reduced both_stages(const mutate::Parsed& start, const reduce::Problem& problem,
                            std::vector<std::string>* mutations) {
  const Lineage& lineage = start.program().lineage();
  std::optional<mutate::Parsed> base;
  if (lineage.seed.door != Seed::Door::kFile || !lineage.steps.empty()) base = base_of(lineage.seed);
  if (!base || mutate::replay(*base, lineage.steps).source() != start.source()) return reduce::reduce(start, problem);
  const reduce::Reduced first = reduce::reduce_lineage(*base, lineage.steps, problem, base_of);
  if (mutations) {
    mutations->clear();
    for (const Step& step : first.parsed.program().lineage().steps) mutations->push_back(step.mutation);
  }
  Result<mutate::Parsed> between = mutate::parse(first.parsed.program());
  JP_CHECK(between.ok(), "a replayed program does not parse");
  reduce::Reduced second = reduce::reduce(between.value(), problem);
  second.progress.asked += first.progress.asked;
  second.progress.accepted += first.progress.accepted;
  second.progress.passes.insert(first.progress.passes.begin(), first.progress.passes.end());
  return second;
}

std::optional<report::SmallForm> reduce_finding(pyrunner::Runner& runner, const Finding& finding,
                                                std::int64_t candidates, const std::function<bool()>& given_up) {
  Result<mutate::Parsed> parsed = mutate::parse(finding.program);
  if (!parsed.ok()) return std::nullopt;
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  const oracle::PlanOptions options = plan_options_of(finding.plan);
  const Judged judged = judge_alone(runner, oracle, finding.program, options);
  if (judged.verdict.kind != Verdict::Kind::kDiverge ||
      !oracle::diverges_alike(judged.signature, oracle::current_signature(finding)))
    return std::nullopt;
  const pyrunner::Limits limits = runner.options().limits;
  runner.set_limits(limits_for(limits, judged, 0));
  const std::unique_ptr<Crew> crew = Crew::of(runner);
  SameFault fault(*crew, oracle, options, judged.signature);
  reduce::Problem problem;
  problem.first_interesting = [&](const std::vector<Program>& list) { return fault.first(list); };
  problem.facts = [&](const mutate::Parsed& program) { return fault.facts(program); };
  problem.stop = [&] { return fault.judged() >= candidates || given_up(); };
  problem.better = [](const Program&, const reduce::Progress&) {};
  problem.output = output_of(judged.verdict.differences.front());
  std::vector<std::string> mutations;
  for (const Step& step : finding.program.lineage().steps) mutations.push_back(step.mutation);
  const reduce::Reduced reduced = reduce::reduce_surely(
      problem, [&] { fault.judge_fully(); },
      [&](const reduce::Problem& asked) { return both_stages(parsed.value(), asked, &mutations); });
  runner.set_limits(limits);
  if (given_up()) return std::nullopt;
  return report::SmallForm{reduced.parsed.program(), std::move(mutations)};
}

}  // namespace jp::app
