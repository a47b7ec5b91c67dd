// A command of the command line: one file each (cmd_<name>.cpp), self-registering. Only app/ knows CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

#include "app/campaign_names.h"
#include "core/registry.h"
#include "core/result.h"
#include "core/text.h"

namespace jp::app {

/// Exit status of every command.
enum Exit : int {
  kDidItsWork = 0,
  kFound = 1,   // what it looks for is there
  kCannot = 2,  // bad use, or it cannot judge
};

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  /// Adds the subcommand with its options to `parent`; when it is chosen, its callback sets `exit_code`.
  virtual void attach(CLI::App& parent, int& exit_code) const = 0;
};

/// Prints "jitprobe: SENTENCE" on standard error; gives kCannot.
int cannot(const Error& error);

/// "90", "90s", "5m", "2h": seconds, or an Error with the way out.
Result<double> parse_duration(const std::string& text);

/// Standard output is a terminal that takes colours (NO_COLOR unset).
bool colours();

}  // namespace jp::app
