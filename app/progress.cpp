#include "app/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "app/terminal.h"
#include "core/files.h"

namespace jp::app {
namespace {

// Between plain lines, and between looks at how much disk the campaign takes.
constexpr auto kPause = std::chrono::seconds(30);

struct Size {
  std::size_t width = 80;
  std::size_t height = 24;
};

// Asked each time: a person resizes the window while it runs.
Size terminal_size() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

// A closed output is no reason to stop: write errors are ignored.
void tell(const std::string& text) { std::fputs(text.c_str(), stderr); }

std::optional<std::uintmax_t> free_bytes(const std::string& folder) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (error) return std::nullopt;
  return space.available;
}

}  // namespace

Progress::Progress(std::optional<double> limit, std::string folder)
    : live_(isatty(STDERR_FILENO)), folder_(std::move(folder)), last_(std::chrono::steady_clock::now()) {
  watched_.limit = limit;
}

Progress::~Progress() { clear(); }

void Progress::expect(std::uint64_t tests) { watched_.tests = tests; }

// A narrower window has wrapped what was drawn in a wider one.
void Progress::clear() {
  if (!drawn_.empty()) {
    const std::size_t above = rows_of(drawn_, terminal_size().width) - 1;
    tell(above > 0 ? fmt::format("\r\033[{}A\033[J", above) : "\r\033[J");
  }
  drawn_.clear();
  std::fflush(stderr);
}

void Progress::note(const std::string& line) {
  clear();
  tell(for_errors(line) + "\n");
  std::fflush(stderr);
}

void Progress::progress(const CampaignNow& now) {
  const auto moment = std::chrono::steady_clock::now();
  const bool due = moment - last_ >= kPause;
  // To walk through the folder each time would be noticed on a slow disk.
  if (due || (live_ && !walked_)) {
    if (const FolderSize used = size_of_folder(folder_); used.whole) watched_.used = used.bytes;
    walked_ = true;
  }
  if (due) last_ = moment;
  if (!live_ && !due) return;
  watch(now);
  if (live_) return draw(live_lines(now, watched_, terminal_size().height - 1));
  note(plain_line(now, watched_));
}

void Progress::watch(const CampaignNow& now) {
  constexpr double kMinute = 60;
  minute_.emplace_back(now.tally.seconds, now.tally.tests);
  while (now.tally.seconds - minute_.front().first > kMinute) minute_.pop_front();
  const auto [since, tests] = minute_.front();
  if (now.tally.seconds > since)
    watched_.tests_per_second = static_cast<double>(now.tally.tests - tests) / (now.tally.seconds - since);
  watched_.free = free_bytes(folder_);
}

void Progress::draw(const std::vector<std::string>& wanted) {
  std::vector<std::string> lines;
  for (const std::string& line : wanted) lines.push_back(cut(for_errors(line), terminal_size().width - 1));
  clear();
  tell(fmt::format("{}", fmt::join(lines, "\n")));
  std::fflush(stderr);
  drawn_ = std::move(lines);
}

void Progress::finding(const Finding& finding, const std::string& title, const std::string& like) {
  const bool flaky = finding.status == Finding::Status::kFlaky;
  const std::optional<Mismatch> kind = mismatch_named(finding.signature.kind);
  if (finding.status == Finding::Status::kConfirmed && kind) ++watched_.confirmed[*kind];
  const std::string shown = flaky ? fmt::format(" ({} of {})", finding.reproduced, finding.attempts) : "";
  note(fmt::format("{} {}{}: {}; {}{}{}", status_name(finding.status), finding.signature.id(), shown, title,
                   finding.verdict.reason, like.empty() ? "" : "\n  ", like));
}

}  // namespace jp::app
