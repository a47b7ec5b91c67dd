// Types of tensors as they are recorded from facts with Choices::note, in the form "(float32 [3 4] [4 1])", and small
// parsers for texts in steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/facts.h"
#include "core/tensor_type.h"

namespace jp::mutate {

/// A tensor's dtype, shape and strides, all of them known from facts; these three are what is recorded.
struct KnownTensorType : TensorType {
  KnownTensorType() { strides_known = true; }
  KnownTensorType(Dtype of, std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps) {
    dtype = of;
    shape = std::move(sizes);
    strides = std::move(steps);
    strides_known = true;
  }

  auto fields() { return std::tie(dtype, shape, strides); }
  /// There are as many strides as sizes, and the sizes form a valid shape. Recorded facts are checked because a step
  /// may come from a file.
  bool fits() const;
};

/// Whether a tensor may have these sizes: none is negative, and there are at most 2^40 elements (chosen, not measured:
/// more than any machine's memory holds), so that products of sizes don't overflow.
bool is_shape(const std::vector<std::int64_t>& shape);

/// The type of a tensor whose dtype, shape and strides the facts know; all three must be known.
KnownTensorType known_type_of(const NameFacts& facts);
/// Whether a kind in facts is a Python number's: "int", "float" or "bool".
bool is_number_kind(std::string_view kind);
/// The facts are of a plain tensor and know its dtype, shape and strides.
bool knows_layout(const NameFacts* facts);
/// The same, and they know whether it requires grad.
bool knows_extent(const NameFacts* facts);

/// Splits at each `by`; an empty text gives one empty part.
std::vector<std::string_view> split(std::string_view text, char by);
/// Parses the whole text as a decimal integer; nothing if it is none.
std::optional<std::int64_t> read_number(std::string_view text);
/// Parses a path ("2") as an index into a list of that length; nothing if it is not a valid one.
std::optional<std::size_t> read_index(std::string_view path, std::size_t length);
/// The list is strictly ascending.
template <typename T>
bool ascends(const std::vector<T>& list) {
  return std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
}
}  // namespace jp::mutate
