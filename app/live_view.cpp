#include "app/live_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

std::string findings_line(const Watched& watched) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : watched.confirmed) parts.push_back(fmt::format("{} {}", count, mismatch_name(kind)));
  return fmt::format("findings  {}", parts.empty() ? "none yet" : fmt::format("{}", fmt::join(parts, " · ")));
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

std::string time_line(const PhaseTable& phases) {
  std::array<double, kParts.size()> seconds{};
  for (const auto& [line, spent] : phases) seconds[static_cast<std::size_t>(part_of(line.phase))] += spent;
  const double whole = total(phases);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kParts.size(); ++i)
    if (whole > 0 && seconds[i] >= 0.005 * whole)
      parts.push_back(fmt::format("{:.0f} % {}", 100 * seconds[i] / whole, kParts[i]));
  return fmt::format("time      {}", fmt::join(parts, " · "));
}

std::string job_line(std::size_t number, const JobAtWork& job) {
  if (job.doing.empty()) return fmt::format("job {:<5} draws the next test", number);
  return fmt::format("job {:<5} {}, {}", number, job.doing, clock_text(job.seconds));
}

std::string first_line(const CampaignNow& now, const Watched& watched) {
  std::string text = clock_text(now.tally.seconds);
  if (watched.limit) text += fmt::format(" of {}", clock_text(*watched.limit));
  const double rate = watched.tests_per_second.value_or(now.tally.tests_per_second());
  text += fmt::format(" · {}, {:.1f}/s · {} · {} known", plural(now.tally.tests, "test"), rate,
                      plural(now.tally.kept.findings, "finding"), now.tally.kept.known);
  return text + progress_details(now.tally);
}

}  // namespace

std::vector<std::string> live_lines(const CampaignNow& now, const Watched& watched, std::size_t height) {
  std::vector<std::string> lines = {first_line(now, watched), findings_line(watched), time_line(now.tally.time.phases)};
  if (watched.free) lines.push_back(fmt::format("disk      {:.1f} GB free", static_cast<double>(*watched.free) / 1e9));
  for (std::size_t i = 0; i < now.jobs.size(); ++i) lines.push_back(job_line(i, now.jobs[i]));
  if (lines.size() <= height) return lines;
  const std::size_t hidden = lines.size() - std::max<std::size_t>(height, 1) + 1;
  lines.resize(lines.size() - hidden);
  if (height > 1) lines.push_back(fmt::format("and {} more", plural(hidden, "line")));
  if (lines.empty()) lines.push_back(first_line(now, watched));
  return lines;
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
