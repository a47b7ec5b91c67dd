#include "mutate/engine/notes.h"

#include <algorithm>
#include <charconv>

namespace jp::mutate {

bool is_shape(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  std::int64_t product = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > kMost || product * std::max<std::int64_t>(size, 1) > kMost) return false;
    product *= std::max<std::int64_t>(size, 1);
  }
  return true;
}

bool KnownTensorType::fits() const { return is_shape(shape) && strides.size() == shape.size(); }

KnownTensorType known_type_of(const NameFacts& facts) {
  return KnownTensorType(*facts.dtype, *facts.shape, *facts.strides);
}

bool is_number_kind(std::string_view kind) { return kind == "int" || kind == "float" || kind == "bool"; }

bool knows_layout(const NameFacts* facts) {
  return facts && facts->kind == "tensor" && facts->dtype && facts->shape && facts->strides;
}

bool knows_extent(const NameFacts* facts) { return knows_layout(facts) && facts->requires_grad; }

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  while (true) {
    std::size_t at = text.find(by);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<std::size_t> read_index(std::string_view path, std::size_t length) {
  auto number = read_number(path);
  const bool fits = number && *number >= 0 && static_cast<std::size_t>(*number) < length;
  return fits ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

}  // namespace jp::mutate
