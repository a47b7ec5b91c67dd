// A command of the command line: one file each (cmd_<name>.cpp), self-registering. Only app/ knows CLI11.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/campaign_names.h"
#include "core/registry.h"
#include "core/result.h"
#include "core/text.h"

// CLI11's own header costs four seconds of compiling a file, so what declares options includes it and nothing else
// does.
namespace CLI {
class App;
}

namespace jp::app {

/// Exit status of every command.
enum Exit : int {
  kDidItsWork = 0,
  kFound = 1,   // what it looks for was found
  kCannot = 2,  // bad use, or it cannot judge
};

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  /// Whether it runs programs under test; then it has --no-sandbox and --allow-read.
  virtual bool runs_programs() const { return false; }
  /// Adds the subcommand with its options to `parent`; its callback sets `exit_code`.
  virtual void attach(CLI::App& parent, int& exit_code) const = 0;
};

/// Prints "jitprobe: SENTENCE" on standard error; returns kCannot.
int cannot(const Error& error);

/// Parses "90", "90s", "5m" or "2h" into seconds; an Error names the accepted forms.
Result<double> parse_duration(const std::string& text);

/// Whether standard output is a terminal that takes colours (NO_COLOR unset).
bool colours();

}  // namespace jp::app
