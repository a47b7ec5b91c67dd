// Flags whose value is a range of numbers.
#pragma once

#include <string>
#include <utility>

#include "core/result.h"

namespace jp::app {

/// Parses "LOW:HIGH", or one number for both; an Error is a sentence that names `flag`.
Result<std::pair<int, int>> parse_range(const std::string& flag, const std::string& text);

}  // namespace jp::app
