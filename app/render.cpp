#include "app/render.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/command.h"
#include "app/terminal.h"

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
  std::size_t cut = most;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return text.substr(0, cut) + "…";
}

const Counters* compiled_counters(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes)
    if (const auto* finished = std::get_if<Finished>(&outcome.ending))
      if (outcome.role == "compiled" && finished->counters.known) return &finished->counters;
  return nullptr;
}

std::string seeds_text(const SeedCount& seeds) {
  return fmt::format("{}: {} of {}", seeds.source, seeds.run, plural(*seeds.size, "program"));
}

std::string render_counters(const Counters& counters) {
  std::int64_t breaks = 0;
  for (const auto& [reason, times] : counters.graph_breaks) breaks += times;
  return fmt::format("  compiler: {} of {} frames compiled, {} graphs, {} graph breaks\n", counters.frames_compiled,
                     counters.frames_seen, counters.graphs, breaks);
}

}  // namespace

std::string render_verdict(const std::string& backend, const Verdict& verdict, const std::vector<Outcome>& outcomes,
                           bool colour) {
  std::string name(verdict_name(verdict.kind));
  std::string text = fmt::format("{}: {} ({}): {}\n", backend, painted(name, colour_of(verdict.kind), colour),
                                 verdict.rule, shortened(verdict.reason, 600));
  for (const Difference& difference : verdict.differences) {
    text += fmt::format("  {} at {}{}\n", mismatch_name(difference.mismatch), difference.where,
                        difference.call > 0 ? fmt::format(" of call {}", difference.call + 1) : "");
    text += fmt::format("    eager    {}\n    compiled {}\n", shortened(difference.reference),
                        shortened(difference.observed));
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
  if (const Counters* counters = compiled_counters(outcomes)) text += render_counters(*counters);
  return text;
}

// What broke for each of the first few, and how to meet it again.
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

std::string render_replay(std::uint64_t test, const report::EndedTest& ended) {
  const std::string rule = ended.rule.empty() || ended.rule == "skipped" ? "" : fmt::format(" ({})", ended.rule);
  return fmt::format("test {}: {}{}{}\n{}", test, ended.verdict, rule,
                     ended.reason.empty() ? "" : ": " + shortened(ended.reason, 600), ended.program);
}

std::string render_progress(const Tally& tally, const std::string& running) {
  auto seconds = static_cast<int>(tally.seconds);
  std::string text =
      fmt::format("{}:{:02} · {}, {:.1f}/s · {}", seconds / 60, seconds % 60, plural(tally.tests, "test"),
                  tally.tests_per_second(), plural(tally.kept.findings, "finding"));
  if (tally.kept.flaky) text += fmt::format(" · {} flaky", tally.kept.flaky);
  if (tally.vacuous) text += fmt::format(" · {} vacuous", tally.vacuous);
  if (!tally.internal_errors.empty()) text += " · " + plural(tally.internal_errors.size(), "internal error");
  for (const SeedCount& seeds : tally.seeds)
    if (seeds.size) text += " · " + seeds_text(seeds);
  if (!running.empty()) text += " · " + running;
  return text;
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
    text +=
        fmt::format("  {} that differed in a process that had run others, and neither alone nor with memory filled\n",
                    plural(tally.only_in_batch, "test"));
  for (const auto& [what, runs] : tally.broken)
    text += fmt::format("  {} that jitprobe's own worker could not make: {}\n",
                        plural(static_cast<std::uint64_t>(runs), "run"), shortened(what, 300));
  if (tally.kept.known) text += fmt::format("  {} of known bugs, not counted\n", plural(tally.kept.known, "finding"));
  if (tally.kept.candidates)
    text += fmt::format("  {} left to confirm: --resume does that first\n", plural(tally.kept.candidates, "candidate"));
  if (tally.kept.unfinished)
    text += fmt::format("  {} could be smaller yet: --resume --finish goes on with that\n",
                        plural(tally.kept.unfinished, "finding"));
  text += render_internal_errors(tally.internal_errors, folder);
  text += fmt::format("  own share of the time: {:.1f} %, reducing: {:.0f} %\n", 100 * tally.overhead_share,
                      100 * tally.reduce_share);
  text += fmt::format("kept in {}: jitprobe findings list --campaign {}\n", folder, shell_word(folder));
  return text;
}

}  // namespace jp::app
