// What is known of a tensor besides its elements, and what follows from its shape and strides alone.
//
// Sizes are 0 or more, strides are in elements, and both have one entry for each dimension, outermost first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dtype.h"

namespace jp {

/// A shape or strides, whichever container holds them.
using SizeSpan = std::span<const std::int64_t>;

/// A strided tensor without its elements. `Sizes` holds the shape and the strides: std::vector for tensors of any
/// rank, Ints (core/graph.h) where many are copied and the rank is bounded.
template <typename Sizes>
struct BasicTensorType {
  Dtype dtype = Dtype::kFloat32;
  Sizes shape;
  /// In elements; meaningful only where `strides_known`.
  Sizes strides;
  bool strides_known = false;
  /// Tensors with the same number may share memory, others never do. -1: not known.
  std::int64_t storage = -1;
  bool requires_grad = false;
  /// The conj or the neg bit may be set: torch may keep it as a conjugate or a negative yet to be taken. NameFacts
  /// don't tell, so what is made of them has false here.
  bool lazy = false;
};
using TensorType = BasicTensorType<std::vector<std::int64_t>>;

/// The product of the sizes, which must fit.
inline std::int64_t element_count(SizeSpan shape) {
  std::int64_t count = 1;
  for (std::int64_t size : shape) count *= size;
  return count;
}

/// The same for sizes that come from outside: nothing when one is negative or the product is beyond 63 bits.
std::optional<std::int64_t> checked_element_count(SizeSpan shape);

/// The strides that torch gives a new tensor of that shape: row-major, where a size of 0 counts as 1.
template <typename Sizes>
Sizes contiguous_strides(const Sizes& shape) {
  Sizes strides = shape;
  std::int64_t stride = 1;
  auto to = strides.end();
  for (auto size = shape.end(); size != shape.begin();) {
    *--to = stride;
    stride *= std::max<std::int64_t>(*--size, 1);
  }
  return strides;
}

/// The strides are those of a new tensor of that shape, but for dimensions of size 1, whose strides mean nothing.
bool is_row_major(SizeSpan shape, SizeSpan strides);

/// Tensor.is_contiguous(): row-major, or without elements.
inline bool is_contiguous(SizeSpan shape, SizeSpan strides) {
  return is_row_major(shape, strides) || element_count(shape) == 0;
}

/// The same of a tensor; false where its strides are not known.
template <typename Sizes>
bool is_row_major(const BasicTensorType<Sizes>& type) {
  return type.strides_known && is_row_major(type.shape, type.strides);
}
template <typename Sizes>
bool is_contiguous(const BasicTensorType<Sizes>& type) {
  return type.strides_known && is_contiguous(type.shape, type.strides);
}

/// torch.ops.aten.is_non_overlapping_and_dense: its elements fill the memory between the first and the last, each at a
/// place of its own, in some order of the dimensions.
bool is_non_overlapping_and_dense(SizeSpan shape, SizeSpan strides);

/// Whether two elements lie at one place in memory. Nothing where the strides alone don't tell and there are too many
/// elements to try: more than 4096 (chosen, not measured).
std::optional<bool> overlaps_itself(SizeSpan shape, SizeSpan strides);

}  // namespace jp
