#include "core/tensor_type.h"

#include <cstdlib>
#include <limits>
#include <utility>

namespace jp {
namespace {

constexpr std::int64_t kMostPlaces = 4096;

/// The dimensions that matter to where elements lie, as (stride, size), by ascending stride.
std::vector<std::pair<std::int64_t, std::int64_t>> sorted_dimensions(SizeSpan shape, SizeSpan strides) {
  std::vector<std::pair<std::int64_t, std::int64_t>> dimensions;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] > 1) dimensions.emplace_back(std::abs(strides[i]), shape[i]);
  std::sort(dimensions.begin(), dimensions.end());
  return dimensions;
}

}  // namespace

std::optional<std::int64_t> checked_element_count(SizeSpan shape) {
  std::int64_t count = 1;
  for (std::int64_t size : shape) {
    if (size < 0 || (size > 0 && count > std::numeric_limits<std::int64_t>::max() / size)) return std::nullopt;
    count *= size;
  }
  return count;
}

bool is_row_major(SizeSpan shape, SizeSpan strides) {
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != stride) return false;
    stride *= std::max<std::int64_t>(shape[i], 1);
  }
  return true;
}

bool is_non_overlapping_and_dense(SizeSpan shape, SizeSpan strides) {
  if (element_count(shape) == 0) return true;
  // Without holes the next dimension outwards steps over all that the ones inside it hold, so no two have one stride.
  std::int64_t inside = 1;
  for (std::size_t taken = 0; taken < shape.size();) {
    std::size_t next = 0;
    while (next < shape.size() && (shape[next] == 1 || strides[next] != inside)) ++next;
    if (next == shape.size()) break;
    inside *= shape[next];
    ++taken;
  }
  return inside == element_count(shape);
}

std::optional<bool> overlaps_itself(SizeSpan shape, SizeSpan strides) {
  if (is_non_overlapping_and_dense(shape, strides)) return false;
  const auto dimensions = sorted_dimensions(shape, strides);
  if (!dimensions.empty() && dimensions.front().first == 0) return true;
  // No overlap where each dimension steps over all that the ones with smaller strides reach.
  std::int64_t reach = 0;
  bool nested = true;
  for (const auto& [stride, size] : dimensions) {
    nested = nested && stride > reach;
    reach += stride * (size - 1);
  }
  if (nested) return false;
  const auto count = checked_element_count(shape);
  if (!count || *count > kMostPlaces) return std::nullopt;
  std::vector<std::int64_t> places = {0};
  for (const auto& [stride, size] : dimensions) {
    const std::size_t before = places.size();
    for (std::int64_t k = 1; k < size; ++k)
      for (std::size_t i = 0; i < before; ++i) places.push_back(places[i] + k * stride);
  }
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

}  // namespace jp
