#include "mutate/engine/notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace jp::mutate {

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  std::int64_t product = 1;
  for (std::int64_t size : shape) product *= size;
  return product;
}

bool is_dense(const Extent& extent) {
  std::int64_t stride = 1;
  for (std::size_t i = extent.shape.size(); i-- > 0; stride *= extent.shape[i])
    if (extent.shape[i] != 1 && extent.strides[i] != stride) return false;
  return true;
}

bool is_packed(const Extent& extent) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, size
  for (std::size_t i = 0; i < extent.shape.size(); ++i)
    if (extent.shape[i] != 1) axes.emplace_back(extent.strides[i], extent.shape[i]);
  std::sort(axes.begin(), axes.end());
  std::int64_t expected = 1;
  for (const auto& [stride, size] : axes) {
    if (stride != expected) return false;
    expected *= size;
  }
  return true;
}

std::string print_extent(const NameFacts& facts) {
  return fmt::format("{}:{}:{}", dtype_name(*facts.dtype), fmt::join(*facts.shape, ","),
                     fmt::join(*facts.strides, ","));
}

std::optional<Extent> read_extent(std::string_view text) {
  auto parts = split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  auto dtype = parse_dtype(parts[0]);
  auto shape = read_numbers(parts[1]);
  auto strides = read_numbers(parts[2]);
  if (!dtype || !shape || !strides || shape->size() != strides->size()) return std::nullopt;
  return Extent{*shape, *strides, *dtype};
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
