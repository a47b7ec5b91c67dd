#include "seedgen/bases/indices.h"

#include <fmt/format.h>

#include <algorithm>

namespace jp::seedgen {

Want want_index(const ShapeWant& shape, std::int64_t size, bool negative, DtypeSet dtypes) {
  Interval within = {negative ? -static_cast<double>(size) : 0, static_cast<double>(size) - 1};
  return {.dtypes = dtypes, .shape = shape, .within = within};
}

// Each draw counts the positions that are left, in ascending order.
std::vector<std::int64_t> draw_distinct(Draft& draft, std::int64_t size, std::int64_t count) {
  std::vector<std::int64_t> taken;  // ascending
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t position = draft.between(0, size - 1 - i);
    auto at = taken.begin();
    for (; at != taken.end() && *at <= position; ++at) ++position;
    taken.insert(at, position);
    positions.push_back(position);
  }
  return positions;
}

std::string list_text(Draft& draft, const std::vector<std::int64_t>& positions, std::int64_t size, bool negative) {
  std::string text = "[";
  for (std::int64_t position : positions) {
    if (text.size() > 1) text += ", ";
    text += fmt::format("{}", negative && draft.choices().chance(1, 4) ? position - size : position);
  }
  return text + "]";
}

std::string draw_distinct_text(Draft& draft, std::int64_t size, std::int64_t count, bool negative) {
  if (count == 0) return "torch.tensor([], dtype=torch.int64)";
  return fmt::format("torch.tensor({})", list_text(draft, draw_distinct(draft, size, count), size, negative));
}

std::string sizes_text(const Shape& shape) { return fmt::format("{}", fmt::join(shape, ", ")); }

}  // namespace jp::seedgen
