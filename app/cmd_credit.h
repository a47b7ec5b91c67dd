#pragma once

#include <string>

namespace jp::app {

/// The tables of shares.h, of the campaign asked for ("" for the newest); the exit code.
int print_credit(const std::string& asked, bool json);

}  // namespace jp::app
