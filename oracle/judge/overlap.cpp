#include "oracle/judge/overlap.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

namespace jp::oracle {
namespace {

constexpr std::int64_t kMostElements = 4096;

bool written_in(const Value& value, const Observation& run) {
  if (value.kind == Value::Kind::kTensor) {
    const auto at = static_cast<std::size_t>(value.index);
    return value.index >= 0 && at < run.tensors.size() && run.tensors[at].version > 0 &&
           overlaps_itself(run.tensors[at]);
  }
  return std::any_of(value.items.begin(), value.items.end(), [&](const Value& item) { return written_in(item, run); });
}

}  // namespace

bool overlaps_itself(const TensorRecord& tensor) {
  std::vector<std::pair<std::int64_t, std::int64_t>> dims;  // stride, size
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < tensor.shape.size() && i < tensor.strides.size(); ++i) {
    if (tensor.shape[i] == 0) return false;
    if (tensor.shape[i] == 1) continue;
    if (tensor.strides[i] == 0) return true;
    dims.emplace_back(std::abs(tensor.strides[i]), tensor.shape[i]);
    elements =
        tensor.shape[i] > kMostElements ? kMostElements + 1 : std::min(elements * tensor.shape[i], kMostElements + 1);
  }
  std::sort(dims.begin(), dims.end());
  // Each dimension steps over all that the smaller ones reach: no overlap.
  std::int64_t reach = 0;
  const bool nested = std::all_of(dims.begin(), dims.end(), [&](const auto& dim) {
    const bool over = dim.first > reach;
    reach += dim.first * (dim.second - 1);
    return over;
  });
  if (nested) return false;
  if (elements > kMostElements) return true;
  std::vector<std::int64_t> places = {0};
  for (const auto& [stride, size] : dims) {
    const std::size_t before = places.size();
    for (std::int64_t k = 1; k < size; ++k)
      for (std::size_t i = 0; i < before; ++i) places.push_back(places[i] + k * stride);
  }
  return std::set<std::int64_t>(places.begin(), places.end()).size() != places.size();
}

std::optional<int> overlapping_write(const Observation& run) {
  for (std::size_t i = 0; i < run.calls.size(); ++i)
    if (written_in(run.calls[i].inputs, run)) return static_cast<int>(i);
  return std::nullopt;
}

}  // namespace jp::oracle
