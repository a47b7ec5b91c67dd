#include "app/render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/command.h"
#include "app/terminal.h"
#include "core/text.h"
#include "core/utf8.h"
#include "oracle/judge/compared_runs.h"
#include "report/summary.h"

namespace jp::app {
namespace {

std::string painted(const std::string& text, const char* code, bool colour) {
  return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

const char* colour_of(Verdict::Kind kind) {
  if (kind == Verdict::Kind::kDiverge) return "31;1";
  return kind == Verdict::Kind::kAgree ? "32" : "33";
}

std::string shortened(std::string text, std::size_t most = 200) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= most) return text;
  return std::string(whole_characters(text, most)) + "…";
}

const Counters* counters_under_test(const Plan& plan, const Verdict& verdict, const std::vector<Outcome>& outcomes) {
  const RunRequest* run = oracle::run_under_test(plan, verdict);
  const Outcome* outcome = run ? oracle::outcome_of(outcomes, run->role) : nullptr;
  const auto* finished = outcome ? std::get_if<Finished>(&outcome->ending) : nullptr;
  return finished && finished->counters.known ? &finished->counters : nullptr;
}

std::string phase_text(const PhaseLine& line) {
  std::string text(phase_name(line.phase));
  std::replace(text.begin(), text.end(), '_', ' ');
  return line.backend.empty() ? text : fmt::format("{} {}", text, line.backend);
}

// "  time: 41 % compiled inductor, 22 % reduce new, …": what took most.
std::string most_time_text(const PhaseTable& phases) {
  constexpr std::size_t kShown = 4;
  std::vector<std::pair<double, std::string>> lines;
  for (const auto& [line, seconds] : phases) lines.emplace_back(-seconds, phase_text(line));
  std::sort(lines.begin(), lines.end());
  if (lines.size() > kShown) lines.resize(kShown);
  std::vector<std::string> parts;
  for (const auto& [seconds, name] : lines)
    parts.push_back(fmt::format("{:.0f} % {}", -100 * seconds / total(phases), name));
  return parts.empty() ? "" : fmt::format("  time: {} (--stats shows all)\n", fmt::join(parts, ", "));
}

std::string render_counters(const Counters& counters) {
  std::int64_t breaks = 0;
  for (const auto& [reason, times] : counters.graph_breaks) breaks += times;
  return fmt::format("  compiler: {}\n", report::compiled_text(counters, static_cast<std::uint64_t>(breaks)));
}

}  // namespace

std::string seeds_text(const SeedCount& seeds) {
  return fmt::format("{}: {} of {}", seeds.source, seeds.run, plural(*seeds.size, "program"));
}

std::string render_verdict(const std::string& title, const JudgedProgram& judged, bool colour) {
  const Verdict& verdict = judged.verdict;
  const auto [reference, under_test] = oracle::side_texts(judged.plan, verdict);
  const std::size_t width = std::max(reference.size(), under_test.size());
  std::string name(verdict_name(verdict.kind));
  std::string text = fmt::format("{}: {} ({}): {}\n", title, painted(name, colour_of(verdict.kind), colour),
                                 verdict.rule, shortened(verdict.reason, 600));
  for (const Difference& difference : verdict.differences) {
    text += fmt::format("  {} at {}{}\n", mismatch_name(difference.mismatch), difference.where,
                        difference.call > 0 ? fmt::format(" of call {}", difference.call + 1) : "");
    text += fmt::format("    {:<{}} {}\n", reference, width, shortened(difference.reference));
    text += fmt::format("    {:<{}} {}\n", under_test, width, shortened(difference.observed));
    std::string numbers;
    for (const auto& [key, value] : difference.numbers) numbers += fmt::format("  {} {:.4g}", key, value);
    if (!numbers.empty()) text += fmt::format("   {}\n", numbers);
  }
  if (!verdict.weak.empty()) {
    std::vector<std::string> weak;
    for (const Difference& difference : verdict.weak)
      weak.push_back(fmt::format("{} at {}", mismatch_name(difference.mismatch), difference.where));
    text += fmt::format("  weak, not counted: {}\n", shortened(fmt::format("{}", fmt::join(weak, ", ")), 300));
  }
  if (const Counters* counters = counters_under_test(judged.plan, verdict, judged.outcomes))
    text += render_counters(*counters);
  return text;
}

// The first few internal errors, each with how to reproduce it.
std::string render_internal_errors(const std::vector<InternalErrorOf>& errors, const std::string& folder) {
  constexpr std::size_t kShown = 5;
  if (errors.empty()) return "";
  std::string text =
      fmt::format("  {} of jitprobe's own; such a test was not judged\n", plural(errors.size(), "internal error"));
  for (std::size_t i = 0; i < std::min(errors.size(), kShown); ++i) {
    const InternalErrorOf& error = errors[i];
    if (error.test)
      text += fmt::format("    test {}: {}\n      again with: {}\n", *error.test, error.what,
                          replay_line(folder, *error.test));
    else
      text += fmt::format("    in a reduction that no test depends on: {}\n", error.what);
  }
  if (errors.size() > kShown) text += fmt::format("    and {} more\n", errors.size() - kShown);
  return text;
}

std::string render_phases(const PhaseTable& phases) {
  const double whole = total(phases);
  if (whole <= 0) return "";
  std::string text = fmt::format("{:<36}{:>10}{:>7}\n", "phase", "seconds", "%");
  for (const auto& [line, seconds] : phases)
    text += fmt::format("{:<36}{:>10.1f}{:>7.1f}\n", phase_text(line), seconds, 100 * seconds / whole);
  return text + fmt::format("{:<36}{:>10.1f}{:>7.1f}\n", "all jobs together", whole, 100.0);
}

std::string render_replay(std::uint64_t test, const report::EndedTest& ended) {
  const std::string rule = ended.rule.empty() || ended.rule == "skipped" ? "" : fmt::format(" ({})", ended.rule);
  return fmt::format("test {}: {}{}{}\n{}", test, ended.verdict, rule,
                     ended.reason.empty() ? "" : ": " + shortened(ended.reason, 600), ended.program);
}

std::string render_summary(const Tally& tally, std::uint64_t seed, const std::string& folder) {
  std::string text = fmt::format("{} in {:.0f} s ({:.2f}/s), seed {}\n", plural(tally.tests, "test"), tally.seconds,
                                 tally.tests_per_second(), seed);
  text += fmt::format("  {} valid seeds, {} rejected, {} vacuous, {} unstable\n", tally.valid, tally.rejected,
                      tally.vacuous, tally.unstable);
  for (const SeedCount& seeds : tally.seeds)
    if (seeds.size) text += fmt::format("  {}\n", seeds_text(seeds));
  if (tally.eager_wrong)
    text += fmt::format("  {} in which eager is wrong and the compiled run right\n", plural(tally.eager_wrong, "test"));
  text += fmt::format("  {}, {} confirmed and distinct, {} flaky\n", plural(tally.divergences, "diverging test"),
                      plural(tally.kept.findings, "finding"), tally.kept.flaky);
  if (tally.only_in_batch)
    text += fmt::format("  {} that differed in a batch, and neither alone nor with memory filled\n",
                        plural(tally.only_in_batch, "test"));
  for (const auto& [what, runs] : tally.broken)
    text += fmt::format("  {} that jitprobe's own worker could not make: {}\n",
                        plural(static_cast<std::uint64_t>(runs), "run"), shortened(what, 300));
  if (tally.kept.known) text += fmt::format("  {} of known bugs, not counted\n", plural(tally.kept.known, "finding"));
  if (tally.kept.candidates)
    text += fmt::format("  {} not confirmed yet: --resume confirms them first\n",
                        plural(tally.kept.candidates, "candidate"));
  if (tally.kept.waiting)
    text += fmt::format("  {} not decided yet: --resume does that\n", plural(tally.kept.waiting, "divergence"));
  if (tally.kept.unfinished)
    text += fmt::format("  {} not fully reduced: --resume --finish continues that\n",
                        plural(tally.kept.unfinished, "finding"));
  text += render_internal_errors(tally.internal_errors, folder);
  text += most_time_text(tally.time.phases);
  text += fmt::format("kept in {}: jitprobe findings list --campaign {}\n", folder, shell_word(folder));
  return text;
}

}  // namespace jp::app
