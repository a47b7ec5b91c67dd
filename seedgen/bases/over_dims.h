// Over which dimensions a reduction goes, and how that is written.
#pragma once

#include <string>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// What a reduction takes.
struct OverWant {
  /// A dimension must be given.
  bool needs_dim = false;
  /// Not more than one of them.
  bool one_dim = false;
  /// It has `keepdim`.
  bool keeps = true;
  /// It takes `dim=None` with `keepdim`.
  bool takes_none = false;
  /// Only these dimensions, if there are any; one at least must then be given.
  std::vector<int> among;
  /// What comes after `dim` by position is not `keepdim`.
  bool named_keep = false;
};

/// A reduction as drawn.
struct OverDims {
  /// Of the result.
  Shape shape;
  /// The dimensions that are reduced, ascending.
  Ints dims;
  /// Elements in each slice.
  std::int64_t count = 1;
  /// The arguments that say so: "", "dim=1", "(0, -1), keepdim=True".
  std::string text;

  /// One more keyword argument.
  void add(const std::string& more) { text += text.empty() ? more : ", " + more; }
};

/// One of the dimensions, mostly one of two elements or more: of a single one softmax is 1, whatever it is.
Dim draw_long_dim(Draft& draft, const Shape& shape);

/// Draws the dimensions: none given, one (at times negative), or several.
OverDims draw_over_dims(Draft& draft, const Shape& shape, const OverWant& want = {});

/// Shapes that hold no element for a dimension of 0, beside another that is at least 1.
ShapeWant draw_beside_empty(Draft& draft);
/// Shapes with two elements or more along some dimension: along all, or along one at least.
ShapeWant draw_with_long_dim(Draft& draft);
/// One of the dimensions of at least 2, of which there is one.
Dim draw_one_long_dim(Draft& draft, const Shape& shape);
/// One of the dimensions of at least 1, of which there is one.
Dim draw_filled_dim(Draft& draft, const Shape& shape);
/// The dimensions of at least 1.
std::vector<int> not_empty(const Shape& shape);

/// Dimensions as Python: "1" for one of them, else "(0, -1)".
std::string dims_text(const std::vector<Dim>& dims);

/// Forms with the reduction's text as `$1`, or without it where it is empty.
Forms over_forms(const OverDims& reduction);

}  // namespace jp::seedgen
