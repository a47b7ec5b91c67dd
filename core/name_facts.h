// What one eager run observed of one value: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/elements.h"

namespace jp {

/// What is known of one live name at one point. A field is known only if it was the same at every visit of that point
/// in every call; an unknown field is empty.
struct NameFacts {
  /// "tensor", "int", "float", "bool", "str", "none", "list", "tuple", "dict", "function", "module", or "object";
  /// "" when it differed between visits.
  std::string kind;
  /// Python numbers, bools and short strings: the value as a Python literal.
  std::optional<std::string> literal;
  /// Lists, tuples, dicts: the number of items.
  std::optional<std::int64_t> length;

  // Tensors only.
  std::optional<Dtype> dtype;
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::int64_t>> strides;
  std::optional<std::int64_t> offset;
  /// Names with one number share storage at this point; also with tensors in containers and closures, whose entries are
  /// named "name[...]" (kind "tensor", not a usable name).
  std::optional<std::int64_t> storage;
  std::optional<bool> requires_grad;
  std::optional<bool> is_leaf;
  /// True if the tensor's own elements overlap in memory (expand and the like).
  std::optional<bool> overlaps_itself;
  /// Elements by row-major position: all up to 64 elements, else 16 fixed positions (i * (n-1) / 15). Bools are 0 and
  /// 1; complex elements are left out. Exact for every dtype; int64 beyond 2^53 is left out too.
  Elements elements;
  std::optional<double> minimum;
  std::optional<double> maximum;
  /// All elements, added in float64 in an order of torch's; known with `minimum`, if it is finite.
  std::optional<double> sum;

  // What held at every visit where `shape`, `strides`, `minimum` or `maximum` differed between visits; empty where they
  // did not.
  /// The smallest and the largest size of each axis; empty too if the rank differed.
  std::optional<std::vector<std::int64_t>> least_shape;
  std::optional<std::vector<std::int64_t>> largest_shape;
  /// Whether the strides were those of a new contiguous tensor each time.
  std::optional<bool> row_major;
  /// The least of all minima and the greatest of all maxima.
  std::optional<double> lowest;
  std::optional<double> highest;
  bool operator==(const NameFacts&) const = default;
};

}  // namespace jp
