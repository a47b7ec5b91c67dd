// Parts of a tensor that several families take: diagonals, and arbitrary sizes and strides inside it.
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
/// For a shape of rank 2 or more; the offset keeps at least one element if there is one.
Diagonal draw_diagonal_of(Draft& draft, const Shape& shape);

/// Sizes and strides, in elements, from the tensor's own first element on.
struct Strided {
  Shape shape;
  Strides strides;
  /// Two indices may have the same address.
  bool overlaps = false;
};
/// Known strides and no gaps: its span contains its own elements and no others.
bool is_dense(const Value& x);
/// A live, dense, non-empty value; a new argument may have any layout.
Want want_for_strided();
/// Any view inside the memory that `x`, which is dense, spans; with `overlaps` some elements share an address.
Strided draw_strided_of(Draft& draft, const Value& x, bool overlaps);

}  // namespace jp::seedgen
