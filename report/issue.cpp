#include "report/issue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "oracle/judge/compared_runs.h"
#include "oracle/judge/condition.h"
#include "oracle/judge/endings.h"
#include "report/expression.h"
#include "report/markdown.h"
#include "report/short_form.h"

namespace jp::report {
namespace {

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// The numbers behind a decision that a reader needs, in words.
std::string shown_numbers(const Difference& difference) {
  const auto number = [&](const char* name) -> std::optional<double> {
    const auto found = difference.numbers.find(name);
    return found == difference.numbers.end() ? std::nullopt : std::optional(found->second);
  };
  std::vector<std::string> told;
  if (const auto wrong = number("elements"), count = number("count"); wrong && count)
    told.push_back(fmt::format("{:.0f} of {:.0f} elements differ", *wrong, *count));
  if (const auto most = number("max_abs")) told.push_back(fmt::format("by at most {:.4g}", *most));
  if (const auto relative = number("max_rel")) told.push_back(fmt::format("{:.4g} relative", *relative));
  if (const auto eager = number("eager_to_float64"), compiled = number("compiled_to_float64"); eager && compiled)
    told.push_back(fmt::format("from a run in float64 eager is {:.4g} away, compiled {:.4g}", *eager, *compiled));
  return told.empty() ? "" : fmt::format(" ({})", fmt::join(told, ", "));
}

std::string exception_text(const ExceptionRecord& exception) {
  std::string text = fmt::format("{}: {}\n", exception.type, exception.message);
  std::size_t shown = 0;
  for (const Frame& frame : exception.frames) {
    if (shown++ == 8) break;
    text += fmt::format("    at {}:{} in {}\n", frame.file, frame.line, frame.function);
  }
  return text;
}

// "inputs[0].x" -> the record that holds it.
const Value* place_in(const CallRecord& call, const std::string& where) {
  const std::string place = part_of_call(where);
  if (place == "inputs") return &call.inputs;
  if (place == "gradients") return &call.gradients;
  if (place == "state") return &call.state;
  if (place == "after_backward") return &call.after_backward;
  if (place == "late") return &call.late;
  return place == "output" ? &call.output : nullptr;
}

std::string finished_text(const Finished& finished, const Difference& lead) {
  const Observation& seen = finished.observation;
  if (lead.where.starts_with("observed")) return value_text(seen.observed, seen.tensors);
  if (lead.call < 0 || static_cast<std::size_t>(lead.call) >= seen.calls.size()) return "";
  const CallRecord& call = seen.calls[static_cast<std::size_t>(lead.call)];
  if (call.exception) return exception_text(*call.exception);
  if (lead.where.starts_with("backward"))
    return call.backward_exception ? exception_text(*call.backward_exception)
                                   : "backward works: " + value_text(call.gradients, seen.tensors);
  if (lead.where.starts_with("printed")) return call.printed;
  if (lead.where.starts_with("overwritten")) return fmt::format("{}\n", fmt::join(call.overwritten, "\n"));
  const Value* value = place_in(call, lead.where);
  return value_text(value ? *value : call.output, seen.tensors);
}

std::string ending_text(const Ending& ending, const Difference& lead) {
  if (const auto* finished = std::get_if<Finished>(&ending)) return finished_text(*finished, lead);
  if (const auto* raised = std::get_if<Raised>(&ending)) return exception_text(raised->exception);
  return fmt::format("the run {}\n", oracle::describe_ending(ending));
}

std::string expectation(const Finding& finding) {
  const Difference& lead = finding.verdict.differences.front();
  const std::string where = lead.where.empty() ? "the result" : code_span(lead.where);
  std::string text = fmt::format("A compiled function should do what eager does. Here, {}{}, {}{}.\n",
                                 lead.call > 0 ? fmt::format("in call {}, ", lead.call + 1) : "",
                                 "with `backend=\"" + finding.signature.backend + "\"`", where, " differs");
  const oracle::SideTexts names = oracle::side_texts(finding.plan, finding.verdict);
  text += fmt::format("\n- {}: {}\n- {}: {}{}\n", names.reference, code_span(one_line(lead.reference)),
                      names.under_test, code_span(one_line(lead.observed)), shown_numbers(lead));
  if (const std::string condition = oracle::condition_text(finding.plan); !condition.empty())
    text += fmt::format("\nThe difference {}. The program below sets that itself.\n", condition);
  return text;
}

// "`x`", "the gradient of `x`", "the output".
std::string named(const std::string& name) {
  constexpr std::string_view kGradient = "gradient of ";
  if (name == "output") return "the output";
  if (name.starts_with(kGradient)) return "the gradient of " + code_span(name.substr(kGradient.size()));
  return name.empty() ? "what follows" : code_span(name);
}

// The conditions tried for a difference that shows in some runs only.
std::string trials_table(const std::vector<Trial>& trials) {
  if (trials.empty()) return "";
  std::string text = "### When it shows\n\n| how it is run | shown |\n|---|---|\n";
  for (const Trial& trial : trials)
    text += fmt::format("| {} | {} of {} |\n", table_cell(trial.condition), trial.reproduced, trial.attempts);
  return text + "\n";
}

std::string intermediate_text(const Intermediate& seen) {
  return fmt::format("The first value on the way that differs is {}, line {}: {}{}\n\n- eager: {}\n- compiled: {}\n\n",
                     named(seen.name), seen.line, code_span(one_line(seen.statement, 100)),
                     seen.bisected ? " (seen only when few values are returned at once)." : ".",
                     code_span(one_line(seen.reference)), code_span(one_line(seen.observed)));
}

// How the finding was verified: reports of fuzzers are rejected when that is missing.
std::string certainty(const Finding& finding) {
  std::string text = fmt::format("Seen in {} of {} fresh processes. ", finding.reproduced, finding.attempts);
  int threads = 1;  // the second eager run may have had one of them
  for (const RunRequest& run : finding.plan.runs) threads = std::max(threads, run.threads);
  text += fmt::format(
      "Default tolerances of `torch.testing`. Random streams are seeded alike on both sides, caches are off, {}. ",
      threads == 1 ? "one thread" : fmt::format("{} threads", threads));
  if (!finding.plan.depends_on.empty()) text += "Eager gives the same under each of the conditions that were tried. ";
  const auto asked = [&](std::string_view rule) {
    return std::any_of(finding.verdict.decisions.begin(), finding.verdict.decisions.end(),
                       [&](const Decision& decision) { return decision.rule == rule; });
  };
  if (asked("float64")) text += "Eager was compared with a run of the same inputs in float64. ";
  if (asked("monte_carlo")) text += "The result does not hang on the rounding of single operators. ";
  return text + "\n\n";
}

std::string sibling_table(const std::vector<Finding>& siblings) {
  if (siblings.empty()) return "";
  std::string text = "### The same cause, other symptoms\n\n| backend | kind | what |\n|---|---|---|\n";
  for (const Finding& sibling : siblings)
    text += fmt::format("| {} | {} | {} |\n", table_cell(sibling.signature.backend), table_cell(sibling.signature.kind),
                        table_cell(sibling.verdict.reason));
  return text + "\n";
}

}  // namespace

std::string ablation_table(const std::vector<Ablation>& rows) {
  if (rows.empty()) return "";
  std::string text = "| how it is run | result |\n|---|---|\n";
  for (const Ablation& row : rows) {
    const std::string kind = row.kind.empty() ? row.verdict : row.kind;
    const std::string result = row.alike                ? "**differs in the same way**"
                               : row.verdict == "agree" ? "agrees with eager"
                                                        : fmt::format("{}: {}", kind, table_cell(row.reason));
    text += fmt::format("| {} | {} |\n", table_cell(row.name), result);
  }
  return text;
}

TwoSides sides_of(const Finding& finding) {
  const oracle::SideTexts names = oracle::side_texts(finding.plan, finding.verdict);
  TwoSides sides{.reference = {names.reference, ""}, .under_test = {names.under_test, ""}};
  if (finding.verdict.differences.empty()) return sides;
  const Verdict verdict = oracle::with_roles(finding.verdict, finding.plan);
  const auto shown = [&](const std::string& role) {
    const Outcome* outcome = oracle::outcome_of(finding.outcomes, role);
    return outcome ? ending_text(outcome->ending, verdict.differences.front()) : "";
  };
  sides.reference.shown = shown(verdict.reference);
  sides.under_test.shown = shown(verdict.under_test);
  return sides;
}

std::string issue_text(const Finding& finding, const Evidence& evidence, const std::string& program,
                       const std::vector<Finding>& siblings, const ReproducerOptions& options) {
  const Finding& shown = evidence.plain ? *evidence.plain : finding;
  std::string text = fmt::format("# {}\n\n", title(shown, {evidence.intermediate, evidence.bisection}));
  text +=
      "> The program below was made by a fuzzer and cut down by a machine. A person has to review this text and run "
      "the program before it is sent.\n\n";
  text += "### Describe the bug\n\n" + expectation(shown) + "\n";
  if (evidence.intermediate) text += intermediate_text(*evidence.intermediate);
  text += code_block(program, "python") + "\n";
  const TwoSides sides = sides_of(shown);
  for (const Side& side : {sides.reference, sides.under_test})
    if (!side.shown.empty()) text += capitalised(side.name) + ":\n\n" + code_block(side.shown) + "\n";
  text += certainty(finding);
  text += trials_table(finding.trials);
  if (!evidence.ablation.empty()) text += "### Where it shows\n\n" + ablation_table(evidence.ablation) + "\n";
  if (!evidence.bisection.empty())
    text += "`torch._inductor.compiler_bisector` says:\n\n" + code_block(evidence.bisection) + "\n";
  text += sibling_table(siblings);
  text += "### Versions\n\n";
  const std::string environment =
      !evidence.environment.empty() ? evidence.environment
      : !evidence.torch.empty()     ? fmt::format("torch {}\nPython {}\n", evidence.torch, evidence.python)
                                : fmt::format("torch {}\nPython {}\n", options.torch_version, options.python_version);
  return text + code_block(environment);
}

}  // namespace jp::report
