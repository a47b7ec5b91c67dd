#include "app/live_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/render.h"
#include "core/text.h"

namespace jp::app {
namespace {

// Not a byte within a character of UTF-8.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

// "2:05", "1:02:05".
std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  const std::int64_t minutes = whole / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

std::string severities(const Watched& watched) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : watched.confirmed) parts.push_back(fmt::format("{} {}", count, mismatch_name(kind)));
  return fmt::format("{}", fmt::join(parts, " · "));
}

// What a person waits for, of which each is several phases.
enum class Part { kTests, kConfirming, kReducing, kKnown, kOther };
constexpr std::array<std::string_view, 5> kParts = {"tests", "confirming", "reducing", "known bugs", "other"};

Part part_of(Phase phase) {
  switch (phase) {
    case Phase::kDraw:
    case Phase::kMutate:
    case Phase::kProfile:
    case Phase::kEager:
    case Phase::kCompiled:
    case Phase::kCxx:
    case Phase::kJudge:
      return Part::kTests;
    case Phase::kJudgeAlone:
    case Phase::kQuestions:
    case Phase::kAttribute:
    case Phase::kCause:
    case Phase::kConfirm:
      return Part::kConfirming;
    case Phase::kReduceNew:
      return Part::kReducing;
    case Phase::kReduceKnown:
    case Phase::kCompareKnown:
      return Part::kKnown;
    case Phase::kStore:
    case Phase::kIdle:
    case Phase::kFinish:
    case Phase::kOther:
      return Part::kOther;
  }
  return Part::kOther;
}

// "40 % tests · 50 % reducing"; parts under half a hundredth are left out.
std::string parts_of(const PhaseTable& phases) {
  std::array<double, kParts.size()> seconds{};
  for (const auto& [line, spent] : phases) seconds[static_cast<std::size_t>(part_of(line.phase))] += spent;
  const double whole = total(phases);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kParts.size(); ++i)
    if (whole > 0 && seconds[i] >= 0.005 * whole)
      parts.push_back(fmt::format("{:.0f} % {}", 100 * seconds[i] / whole, kParts[i]));
  return fmt::format("{}", fmt::join(parts, " · "));
}

std::string disk_line(const Watched& watched) {
  std::vector<std::string> parts;
  if (watched.used) parts.push_back(fmt::format("{:.0f} MB used", std::ceil(static_cast<double>(*watched.used) / 1e6)));
  if (watched.free) parts.push_back(fmt::format("{:.1f} GB free", static_cast<double>(*watched.free) / 1e9));
  return fmt::format("{}", fmt::join(parts, " · "));
}

std::string job_line(std::size_t number, const JobAtWork& job) {
  if (job.doing.empty()) return fmt::format("job {:<5} draws the next test", number);
  return fmt::format("job {:<5} {}, {}", number, job.doing, clock_text(job.seconds));
}

double rate_of(const CampaignNow& now, const Watched& watched) {
  return watched.tests_per_second.value_or(now.tally.tests_per_second());
}

// Until the time is up, or until all tests are made at the rate of the last minute: whichever comes first. Nothing
// after that: how long reductions take that are finished then is not known.
std::optional<double> seconds_left(const CampaignNow& now, const Watched& watched) {
  std::optional<double> left;
  if (watched.limit) left = *watched.limit - now.tally.seconds;
  if (const double rate = rate_of(now, watched); watched.tests && rate > 0) {
    const double tests = static_cast<double>(*watched.tests) - static_cast<double>(now.tally.tests);
    left = std::min(left.value_or(tests / rate), tests / rate);
  }
  return left && *left >= 1 ? left : std::nullopt;
}

std::string details(const Tally& tally) {
  std::string text;
  if (tally.kept.flaky) text += fmt::format(" · {} flaky", tally.kept.flaky);
  if (tally.vacuous) text += fmt::format(" · {} vacuous", tally.vacuous);
  if (!tally.internal_errors.empty()) text += " · " + plural(tally.internal_errors.size(), "internal error");
  for (const SeedCount& seeds : tally.seeds)
    if (seeds.size) text += " · " + seeds_text(seeds);
  return text;
}

// "(2 value · 1 dtype)" only where the findings have no line of their own.
std::string first_line(const CampaignNow& now, const Watched& watched, bool with_severities) {
  std::string text = clock_text(now.tally.seconds);
  if (watched.limit) text += fmt::format(" of {}", clock_text(*watched.limit));
  if (const std::optional<double> left = seconds_left(now, watched))
    text += fmt::format(", {} left", clock_text(*left));
  text += watched.tests ? fmt::format(" · {} of {}", now.tally.tests, plural(*watched.tests, "test"))
                        : fmt::format(" · {}", plural(now.tally.tests, "test"));
  text += fmt::format(", {:.1f}/s · {}", rate_of(now, watched), plural(now.tally.kept.findings, "finding"));
  if (with_severities && !watched.confirmed.empty()) text += fmt::format(" ({})", severities(watched));
  return text + fmt::format(" · {} known", now.tally.kept.known) + details(now.tally);
}

}  // namespace

std::vector<std::string> live_lines(const CampaignNow& now, const Watched& watched, std::size_t height) {
  const std::string findings = severities(watched);
  std::vector<std::string> lines = {first_line(now, watched, false),
                                    fmt::format("findings  {}", findings.empty() ? "none yet" : findings),
                                    fmt::format("time      {}", parts_of(now.tally.time.phases))};
  if (const std::string disk = disk_line(watched); !disk.empty()) lines.push_back("disk      " + disk);
  for (std::size_t i = 0; i < now.jobs.size(); ++i) lines.push_back(job_line(i, now.jobs[i]));
  if (lines.size() <= height) return lines;
  const std::size_t hidden = lines.size() - std::max<std::size_t>(height, 1) + 1;
  lines.resize(lines.size() - hidden);
  if (height > 1) lines.push_back(fmt::format("and {} more", plural(hidden, "line")));
  if (lines.empty()) lines.push_back(first_line(now, watched, false));
  return lines;
}

std::string plain_line(const CampaignNow& now, const Watched& watched) {
  std::vector<std::string> parts = {first_line(now, watched, true)};
  if (std::string spent = parts_of(now.tally.time.phases); !spent.empty()) parts.push_back(std::move(spent));
  if (std::string disk = disk_line(watched); !disk.empty()) parts.push_back(std::move(disk));
  for (const JobAtWork& job : now.jobs)
    if (!job.doing.empty()) parts.push_back(job.doing);
  return fmt::format("{}", fmt::join(parts, " | "));
}

std::string cut(std::string_view line, std::size_t columns) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < line.size(); ++end)
    if (begins_character(line[end]) && characters++ == columns) break;
  return std::string(line.substr(0, end));
}

std::size_t rows_of(const std::vector<std::string>& lines, std::size_t width) {
  std::size_t rows = 0;
  for (const std::string& line : lines) {
    const auto columns = static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins_character));
    rows += std::max<std::size_t>(1, (columns + width - 1) / width);
  }
  return rows;
}

}  // namespace jp::app
