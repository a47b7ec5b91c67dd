#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/judge/condition.h"

namespace jp::report {
namespace {

constexpr std::size_t kMostShown = 10;

std::string draw_text(const Draw& draw) {
  if (const auto* number = std::get_if<std::int64_t>(&draw)) return fmt::format("{}", *number);
  return fmt::format("'{}'", std::get<std::string>(draw));
}

std::string painted(const std::string& text, const char* code, bool colour) {
  return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string title_text(const std::string& title, bool colour) {
  return fmt::format("\n{}\n", painted(title, "1", colour));
}

std::string difference_text(const Difference& difference, const oracle::SideTexts& names) {
  const std::size_t width = std::max(names.reference.size(), names.under_test.size()) + 1;
  std::string text =
      fmt::format("  {}, call {}, {}\n", mismatch_name(difference.mismatch), difference.call + 1, difference.where);
  text += fmt::format("    {:<{}} {}\n", names.reference + ":", width, difference.reference);
  text += fmt::format("    {:<{}} {}\n", names.under_test + ":", width, difference.observed);
  for (const auto& [name, value] : difference.numbers) text += fmt::format("    {} {:.6g}\n", name, value);
  return text;
}

std::string differences_text(const std::string& title, const std::vector<Difference>& differences,
                             const oracle::SideTexts& names, bool colour) {
  if (differences.empty()) return "";
  std::string text = title_text(title, colour);
  const std::size_t shown = std::min(differences.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) text += difference_text(differences[i], names);
  if (shown < differences.size()) text += fmt::format("  and {} more\n", differences.size() - shown);
  return text;
}

std::string lineage_text(const Lineage& lineage, bool colour) {
  const Seed& seed = lineage.seed;
  std::string text = title_text("Lineage", colour);
  if (seed.origin == Seed::Origin::kGenerated)
    text += fmt::format("  generated: seed {}, {} operators, generator {}{}\n", seed.seed, seed.operators,
                        seed.generator_version, seed.path.empty() ? "" : ", with the harvest in " + seed.path);
  else if (seed.origin == Seed::Origin::kTable)
    text += fmt::format("  table {}: program {}, generator {}\n", seed.table, seed.seed, seed.generator_version);
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

std::string plan_text(const Plan& plan, bool colour) {
  std::string text = title_text(fmt::format("Plan ({})", plan.oracle), colour);
  for (const RunRequest& run : plan.runs) {
    text += fmt::format("  {}: {}", run.role, run.compiled ? run.backend : "eager");
    for (const auto& [key, literal] : run.options) text += fmt::format(", {}={}", key, literal);
    text += fmt::format(", {}, gradients {}, threads {}", run.precision, run.gradients ? "on" : "off", run.threads);
    if (run.memory_fill != 0) text += fmt::format(", every fresh byte is 0x{:02x}", ~run.memory_fill & 0xFF);
    text += run.fixed_addresses ? ", fixed addresses\n" : "\n";
  }
  return text;
}

std::string counters_text(const std::vector<Outcome>& outcomes, bool colour) {
  std::string text;
  for (const Outcome& outcome : outcomes) {
    const auto* finished = std::get_if<Finished>(&outcome.ending);
    if (!finished || !finished->counters.known) continue;
    const Counters& counters = finished->counters;
    text += fmt::format("  {}: {}\n", outcome.role, compiled_text(counters, counters.graph_breaks.size()));
    for (const auto& [reason, times] : counters.graph_breaks)
      text += fmt::format("    break: {} ({})\n", reason, times);
    for (const auto& [name, value] : counters.others) text += fmt::format("    {} {}\n", name, value);
  }
  return text.empty() ? "" : title_text("Counters", colour) + text;
}

std::string evidence_text(const Evidence& evidence, bool colour) {
  std::string text;
  if (!evidence.ablation.empty()) text += title_text("Compile configurations", colour);
  for (const Ablation& row : evidence.ablation) {
    const std::string result = row.alike                ? painted("differs in the same way", "31", colour)
                               : row.verdict == "agree" ? painted("agrees", "32", colour)
                                                        : fmt::format("{}: {}", row.verdict, row.reason);
    text += fmt::format("  {:<44} {}\n", row.name, result);
  }
  if (evidence.intermediate) {
    const Intermediate& seen = *evidence.intermediate;
    text += title_text("First wrong value", colour);
    text +=
        fmt::format("  {} at line {}: {}{}\n    eager:    {}\n    compiled: {}\n", seen.name, seen.line, seen.statement,
                    seen.bisected ? " (seen when few values are returned at once)" : "", seen.reference, seen.observed);
  }
  if (!evidence.bisection.empty()) text += title_text("Inductor's bisector", colour) + evidence.bisection;
  if (!evidence.torch.empty())
    text += title_text("Environment", colour) + fmt::format("  torch {}, Python {}\n", evidence.torch, evidence.python);
  return text;
}

}  // namespace

std::string compiled_text(const Counters& counters, std::uint64_t breaks) {
  return fmt::format("{} of {} frames compiled, {}, {}", counters.frames_compiled, counters.frames_seen,
                     plural(static_cast<std::uint64_t>(counters.graphs), "graph"), plural(breaks, "graph break"));
}

std::string finding_summary(const Finding& finding, const std::optional<Evidence>& evidence, const Label& label,
                            bool colour) {
  const Signature& signature = finding.signature;
  std::string text =
      fmt::format("{} {} on {}{}{}\n", painted(signature.id(), "1", colour), painted(signature.kind, "31;1", colour),
                  signature.backend, signature.stage.empty() ? "" : ", stage ", signature.stage);
  text += finding.status == Finding::Status::kKnown
              ? "known: counted as it was found, neither confirmed nor reduced\n"
              : fmt::format("{}: {} of {} fresh runs showed it\n", status_name(finding.status), finding.reproduced,
                            finding.attempts);
  if (const std::string condition = oracle::condition_text(finding.plan); !condition.empty()) text += condition + "\n";
  for (const Trial& trial : finding.trials)
    text += fmt::format("  {:<48} {} of {}\n", trial.condition, trial.reproduced, trial.attempts);
  if (!label.label.empty())
    text += fmt::format("labelled {}{}{}\n", label.label, label.note.empty() ? "" : ": ", label.note);
  text += fmt::format("{} (rule {})\n", finding.verdict.reason, finding.verdict.rule);
  for (const std::string& frame : signature.frames) text += fmt::format("  {}\n", frame);
  const oracle::SideTexts names = oracle::side_texts(finding.plan, finding.verdict);
  text += differences_text("Differences", finding.verdict.differences, names, colour);
  text += differences_text("Weak differences", finding.verdict.weak, names, colour);
  text += lineage_text(finding.program.lineage(), colour) + counters_text(finding.outcomes, colour);
  text += plan_text(finding.plan, colour);
  return evidence ? text + evidence_text(*evidence, colour) : text;
}

}  // namespace jp::report
