#include "mutate/engine/notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace jp::mutate {

std::string print_extent(const NameFacts& facts) {
  return fmt::format("{}:{}:{}", dtype_name(*facts.dtype), fmt::join(*facts.shape, ","),
                     fmt::join(*facts.strides, ","));
}

std::optional<TensorType> read_extent(std::string_view text) {
  auto parts = split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  auto dtype = parse_dtype(parts[0]);
  auto shape = read_numbers(parts[1]);
  auto strides = read_numbers(parts[2]);
  if (!dtype || !shape || !strides || shape->size() != strides->size()) return std::nullopt;
  return TensorType{.dtype = *dtype, .shape = *shape, .strides = *strides, .strides_known = true};
}

bool knows_extent(const NameFacts* facts) {
  return facts && facts->kind == "tensor" && facts->dtype && facts->shape && facts->strides && facts->requires_grad;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  while (true) {
    std::size_t at = text.find(by);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::vector<std::int64_t>> read_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    std::int64_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty() && text.front() != ',') return std::nullopt;
    if (!text.empty()) text.remove_prefix(1);
  }
  return numbers;
}

std::string tuple_text(const std::vector<std::int64_t>& numbers) {
  return fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
}

}  // namespace jp::mutate
