#include "app/interactive.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "answers/step_commands.h"
#include "app/command.h"
#include "app/line_editor.h"
#include "app/render.h"
#include "app/terminal.h"
#include "report/diff.h"

namespace jp::app {
namespace {

answers::Shown on_this_terminal() {
  return {.text = print_text,
          .diff =
              [](const std::string& before, const std::string& after) {
                print_painted([&](bool colour) { return report::unified_diff(before, after, colour); });
              },
          .verdict =
              [](const std::string& backend, const JudgedProgram& judged) {
                print_painted([&](bool colour) { return render_verdict(backend, judged, colour); });
              },
          .cancelled = interrupted};
}

// Not in the cache, which programs under test can read. "" where there is no home.
std::string history_file() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state == '/')
    return std::string(state) + "/jitprobe/mutate_history";
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/.local/state/jitprobe/mutate_history" : "";
}

}  // namespace

int interactive(const mutate::Parsed& base, std::uint64_t seed) {
  answers::StepCommands commands(base, seed, on_this_terminal());
  LineEditor editor(
      "mutate> ", [&](const std::string& line) { return commands.completions(line); }, history_file());
  if (editor.on_terminal()) put("help lists the commands\n");
  int status = kDidItsWork;
  while (const std::optional<std::string> line = editor.next()) {
    const Result<bool> done = commands.make(*line);
    forget_interrupt();
    if (!done.ok()) {
      cannot(done.error());
      if (!editor.on_terminal()) status = kCannot;
    }
    if (done.ok() && !done.value()) break;
    std::fflush(stdout);
  }
  return status;
}

}  // namespace jp::app
