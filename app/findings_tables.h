// The tables of a campaign's findings: what is suppressed, and what found what.
#pragma once

#include <CLI/CLI.hpp>

namespace jp::app {

/// Adds `suppressions` and `statistics` to the command `findings`; their callbacks set `exit_code`.
void attach_tables(CLI::App& command, int& exit_code);

}  // namespace jp::app
