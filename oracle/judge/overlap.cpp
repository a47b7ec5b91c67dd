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

std::optional<int> overlapping_write(const Observation& run) {
  for (std::size_t i = 0; i < run.calls.size(); ++i)
    if (written_in(run.calls[i].inputs, run)) return static_cast<int>(i);
  return std::nullopt;
}

}  // namespace jp::oracle
