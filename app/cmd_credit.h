#pragma once

#include <string>

namespace jp::app {

/// Prints the tables of campaign/feedback/rule_statistics.h, for the campaign asked for ("" for the newest); returns
/// the exit code.
int print_credit(const std::string& asked, bool json);

}  // namespace jp::app
