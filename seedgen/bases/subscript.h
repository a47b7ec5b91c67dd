// What stands between the brackets of `x[...]`: integers, slices, None, an ellipsis, index tensors and lists, masks,
// and what they make of the shape (torch's rules: integers and slices first, as views; then all index tensors and masks
// together, broadcast, in the place of the first if they stand side by side, else in front).
#pragma once

#include <string>
#include <vector>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

enum class Items : std::uint8_t {
  kBasic,    ///< integers, slices, None, an ellipsis: views
  kTensors,  ///< at least one index tensor or list, any of the others
  kMask,     ///< one mask of which the number of True is known, any of the others
  kIndices,  ///< index tensors of the leading dimensions and nothing else
};

struct Subscript {
  /// Without brackets; live index tensors are named as the call's arguments from the number given on.
  std::string text;
  std::vector<Ref> tensors;
  Shape shape;
  /// Of the view that basic items make.
  Strides strides;
  /// No element is addressed twice.
  bool distinct = true;
};

/// The shapes that have room for such items.
ShapeWant subscript_shape(Items items);

/// Draws a subscript of `x`. Live tensors among the items are called `$first`, `$first+1` ...; at most three. With
/// `writes` they don't share x's memory.
Subscript draw_subscript(Draft& draft, const Value& x, Items items, int first, bool writes);

}  // namespace jp::seedgen
