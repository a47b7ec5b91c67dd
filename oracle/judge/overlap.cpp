#include "oracle/judge/overlap.h"

#include <algorithm>

#include "core/tensor_type.h"

namespace jp::oracle {
namespace {

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
  if (tensor.shape.size() != tensor.strides.size()) return false;
  return jp::overlaps_itself(tensor.shape, tensor.strides).value_or(true);
}

std::int64_t extent(const TensorRecord& tensor) {
  std::int64_t extent = 1;
  for (std::size_t i = 0; i < std::min(tensor.shape.size(), tensor.strides.size()); ++i)
    extent += (tensor.shape[i] - 1) * tensor.strides[i];
  return extent;
}

bool overlaps_beyond_choices(const Observation& run) {
  constexpr std::int64_t kMost = 1 << 22;
  return std::any_of(run.tensors.begin(), run.tensors.end(), [](const TensorRecord& tensor) {
    const std::int64_t elements = checked_element_count(tensor.shape).value_or(kMost + 1);
    return std::max(elements, extent(tensor)) > kMost && overlaps_itself(tensor);
  });
}

std::optional<int> overlapping_write(const Observation& run) {
  for (std::size_t i = 0; i < run.calls.size(); ++i)
    if (written_in(run.calls[i].inputs, run)) return static_cast<int>(i);
  return std::nullopt;
}

}  // namespace jp::oracle
