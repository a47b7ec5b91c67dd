// Broadcasting of shapes: sizes are matched from the last dimension on, and a size of 1 or a missing one takes the
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/tensor_type.h"

namespace jp {

/// Widens `shape` to what it gives with `other`, which has at most as many dimensions; false, with `shape` half
/// changed, when they don't go together.
bool broadcast_into(std::span<std::int64_t> shape, SizeSpan other);

/// torch.broadcast_shapes of two; nothing when they don't go together.
template <typename Sizes>
std::optional<Sizes> broadcast_shapes(const Sizes& a, const Sizes& b) {
  const bool first = a.size() >= b.size();
  Sizes shape = first ? a : b;
  if (!broadcast_into(shape, first ? b : a)) return std::nullopt;
  return shape;
}

/// `from` broadcasts to `to` as it stands: Tensor.expand, and what may be written in place into a tensor of that shape.
bool expands_to(SizeSpan from, SizeSpan to);

}  // namespace jp
