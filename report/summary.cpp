#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace jp::report {
namespace {

constexpr std::size_t kMostShown = 10;

std::string draw_text(const Draw& draw) {
  if (const auto* number = std::get_if<std::int64_t>(&draw)) return fmt::format("{}", *number);
  return fmt::format("'{}'", std::get<std::string>(draw));
}

std::string difference_text(const Difference& difference) {
  std::string text =
      fmt::format("  {}, call {}, {}\n    eager:    {}\n    compiled: {}\n", mismatch_name(difference.mismatch),
                  difference.call, difference.where, difference.reference, difference.observed);
  for (const auto& [name, value] : difference.numbers) text += fmt::format("    {} {:.6g}\n", name, value);
  return text;
}

std::string differences_text(const std::string& title, const std::vector<Difference>& differences) {
  if (differences.empty()) return "";
  std::string text = "\n" + title + "\n";
  const std::size_t shown = std::min(differences.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) text += difference_text(differences[i]);
  if (shown < differences.size()) text += fmt::format("  and {} more\n", differences.size() - shown);
  return text;
}

std::string lineage_text(const Lineage& lineage) {
  const Seed& seed = lineage.seed;
  std::string text = "\nLineage\n";
  if (seed.door == Seed::Door::kGenerated)
    text += fmt::format("  generated: seed {}, {} operators, generator {}\n", seed.seed, seed.operators,
                        seed.generator_version);
  else
    text += fmt::format("  file: {}\n", seed.path.empty() ? "(no path)" : seed.path);
  for (const Step& step : lineage.steps) {
    text += fmt::format("  {} {}@{}{}{}", step.number, step.mutation, step.site.statement,
                        step.site.path.empty() ? "" : ":", step.site.path);
    for (std::size_t i = 0; i < step.draws.size(); ++i)
      text += fmt::format("{}{}", i == 0 ? "=" : ",", draw_text(step.draws[i]));
    text += "\n";
  }
  return text;
}

std::string plan_text(const Plan& plan) {
  std::string text = fmt::format("\nPlan ({})\n", plan.oracle);
  for (const RunRequest& run : plan.runs) {
    text += fmt::format("  {}: {}", run.role, run.compiled ? run.backend : "eager");
    for (const auto& [key, literal] : run.options) text += fmt::format(", {}={}", key, literal);
    text += fmt::format(", {}, gradients {}, threads {}\n", run.precision, run.gradients ? "on" : "off", run.threads);
  }
  return text;
}

std::string counters_text(const std::vector<Outcome>& outcomes) {
  std::string text;
  for (const Outcome& outcome : outcomes) {
    const auto* finished = std::get_if<Finished>(&outcome.ending);
    if (!finished || !finished->counters.known) continue;
    const Counters& counters = finished->counters;
    text += fmt::format("  {}: {} of {} frames compiled, {} graphs, {} graph breaks\n", outcome.role,
                        counters.frames_compiled, counters.frames_seen, counters.graphs, counters.graph_breaks.size());
    for (const auto& [reason, times] : counters.graph_breaks)
      text += fmt::format("    break: {} ({})\n", reason, times);
    for (const auto& [name, value] : counters.others) text += fmt::format("    {} {}\n", name, value);
  }
  return text.empty() ? "" : "\nCounters\n" + text;
}

}  // namespace

std::string finding_summary(const Finding& finding) {
  const Signature& signature = finding.signature;
  std::string text = fmt::format("{} {} on {}{}{}\n", signature.id(), signature.kind, signature.backend,
                                 signature.stage.empty() ? "" : ", stage ", signature.stage);
  text += fmt::format("{}: {} of {} fresh runs showed it\n", status_name(finding.status), finding.reproduced,
                      finding.attempts);
  text += fmt::format("{} (rule {})\n", finding.verdict.reason, finding.verdict.rule);
  for (const std::string& frame : signature.frames) text += fmt::format("  {}\n", frame);
  text += differences_text("Differences", finding.verdict.differences);
  text += differences_text("Weak differences", finding.verdict.weak);
  return text + lineage_text(finding.program.lineage()) + counters_text(finding.outcomes) + plan_text(finding.plan);
}

}  // namespace jp::report
