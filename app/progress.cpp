#include "app/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "app/render.h"
#include "app/terminal.h"
#include "core/utf8.h"

namespace jp::app {
namespace {

constexpr auto kLivePause = std::chrono::milliseconds(200);
constexpr auto kPlainPause = std::chrono::seconds(30);

std::size_t width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// A closed output is no reason to stop: write errors are ignored.
void tell(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace

Progress::Progress() : live_(isatty(STDERR_FILENO)), last_(std::chrono::steady_clock::now()) {}
Progress::~Progress() { clear(); }

void Progress::clear() {
  if (drawn_) tell("\r\033[K");
  drawn_ = false;
  std::fflush(stderr);
}

void Progress::note(const std::string& line) {
  clear();
  tell(for_errors(line) + "\n");
  std::fflush(stderr);
}

void Progress::progress(const Tally& tally, const std::string& running) {
  auto now = std::chrono::steady_clock::now();
  if (now - last_ < (live_ ? std::chrono::steady_clock::duration(kLivePause) : kPlainPause)) return;
  last_ = now;
  std::string line = for_errors(render_progress(tally, running));
  if (!live_) return note(line);
  // A line cut inside a character of several bytes would leave rubbish on the screen.
  tell(fmt::format("\r{}\033[K", whole_characters(line, width() - 1)));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::finding(const Finding& finding, const std::string& title, const std::string& like) {
  const bool flaky = finding.status == Finding::Status::kFlaky;
  const std::string shown = flaky ? fmt::format(" ({} of {})", finding.reproduced, finding.attempts) : "";
  note(fmt::format("{} {}{}: {}; {}{}{}", status_name(finding.status), finding.signature.id(), shown, title,
                   finding.verdict.reason, like.empty() ? "" : "\n  ", like));
}

}  // namespace jp::app
