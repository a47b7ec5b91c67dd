#include "app/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/text.h"

namespace jp::app {

int cannot(const Error& error) {
  std::fflush(stdout);
  fmt::print(stderr, "jitprobe: {}\n", for_errors(error.message));
  return kCannot;
}

Result<double> parse_duration(const std::string& text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, text.data() + text.size());
  double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || factor == 0 || !std::isfinite(number) || number <= 0 || number * factor > 1e9)
    return Error{fmt::format("'{}' is no duration: write a positive number with s, m or h, for example 5m", text)};
  return number * factor;
}

bool colours() { return isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"); }

}  // namespace jp::app
