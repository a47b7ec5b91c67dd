#include "app/range.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace jp::app {
namespace {

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

}  // namespace

Result<std::pair<int, int>> parse_range(const std::string& flag, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::optional<int> low = number_in(std::string_view(text).substr(0, colon));
  const std::optional<int> high =
      colon == std::string::npos ? low : number_in(std::string_view(text).substr(colon + 1));
  if (!low || !high || *low > *high)
    return Error{fmt::format("{} takes a number or LOW:HIGH, for example 1:200, not '{}'", flag, text)};
  return std::pair{*low, *high};
}

}  // namespace jp::app
