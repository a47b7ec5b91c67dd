// Parts of a tensor that several families take: diagonals, and any sizes and strides inside it.
#pragma once

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// Two different dimensions and an offset, and the shape of the diagonal: the other dimensions, then its length.
struct Diagonal {
  Dim first;
  Dim second;
  std::int64_t offset = 0;
  Shape shape;
};
/// Of a shape of rank 2 or more; the offset keeps at least one element where there is one.
Diagonal draw_diagonal_of(Draft& draft, const Shape& shape);

/// Sizes and strides, in elements, from the tensor's own first element on.
struct Strided {
  Shape shape;
  Strides strides;
  /// Two indices may lie at one address.
  bool overlaps = false;
};
/// Known strides and no gaps: what it spans holds its own elements and no others.
bool is_dense(const Value& x);
/// A live value without gaps, not empty; a new argument may lie in any way.
Want want_for_strided();
/// Any view inside the memory that `x`, which is dense, spans; with `overlaps` some lie twice at one address.
Strided draw_strided_of(Draft& draft, const Value& x, bool overlaps);

}  // namespace jp::seedgen
