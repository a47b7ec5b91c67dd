// Over which dimensions a reduction runs, and how that is written.
#pragma once

#include <string>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// The parameters that a reduction takes.
struct OverWant {
  /// A dimension must be given.
  bool needs_dim = false;
  /// At most one dimension.
  bool one_dim = false;
  /// It has `keepdim`.
  bool keeps = true;
  /// It takes `dim=None` with `keepdim`.
  bool takes_none = false;
  /// Only these dimensions, if there are any; at least one must then be given.
  std::vector<int> among;
  /// The parameter after `dim` is not `keepdim`.
  bool named_keep = false;
};

/// A reduction as drawn.
struct OverDims {
  /// The shape of the result.
  Shape shape;
  /// The dimensions that are reduced, ascending.
  Ints dims;
  /// Elements in each slice.
  std::int64_t count = 1;
  /// The arguments that express it: "", "dim=1", "(0, -1), keepdim=True".
  std::string text;

  /// One more keyword argument.
  void add(const std::string& more) { text += text.empty() ? more : ", " + more; }
};

/// One of the dimensions, mostly one with two or more elements: softmax over a single element is 1, whatever it is.
Dim draw_long_dim(Draft& draft, const Shape& shape);

/// Draws the dimensions: none, one (sometimes negative), or several.
OverDims draw_over_dims(Draft& draft, const Shape& shape, const OverWant& want = {});

/// Shapes without elements, with a dimension of 0 and another that is at least 1.
ShapeWant draw_beside_empty(Draft& draft);
/// Shapes with two elements or more along some dimension: along all, or along at least one.
ShapeWant draw_with_long_dim(Draft& draft);
/// One of the dimensions of at least 2, which must exist.
Dim draw_one_long_dim(Draft& draft, const Shape& shape);
/// One of the dimensions of at least 1, which must exist.
Dim draw_filled_dim(Draft& draft, const Shape& shape);
/// The dimensions of at least 1.
std::vector<int> not_empty(const Shape& shape);

/// Dimensions as Python: "1" for one of them, else "(0, -1)".
std::string dims_text(const std::vector<Dim>& dims);

/// Forms with the reduction's text as `$1`, or without it if it is empty.
Forms over_forms(const OverDims& reduction);

}  // namespace jp::seedgen
