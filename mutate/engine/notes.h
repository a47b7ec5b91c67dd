// What facts say of tensors, as a note for Choices keeps it: "(float32 [3 4] [4 1])".
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

/// A tensor's dtype, shape and strides, as facts know all of them; a note keeps these three.
struct KnownTensorType : TensorType {
  KnownTensorType() { strides_known = true; }
  KnownTensorType(Dtype of, std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps) {
    dtype = of;
    shape = std::move(sizes);
    strides = std::move(steps);
    strides_known = true;
  }

  auto fields() { return std::tie(dtype, shape, strides); }
  /// As many strides as sizes, and the sizes are those of a shape.
  bool fits() const;
};

/// Sizes that a tensor may have, as far as elements are counted here: none negative, no more than 2^40 elements
/// (chosen, not measured: beyond any machine's memory).
bool is_shape(const std::vector<std::int64_t>& shape);

/// The facts must know dtype, shape and strides.
KnownTensorType known_type_of(const NameFacts& facts);
/// "int", "float", "bool": a Python number.
bool is_number_kind(std::string_view kind);
/// Facts know a plain tensor's type, layout and whether it requires grad.
bool knows_extent(const NameFacts* facts);

/// The parts between `by`; one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, char by);
/// The whole number that is the whole text, or nothing.
std::optional<std::int64_t> read_number(std::string_view text);
/// The number behind a path ("2"), where it is an index of a list of that length; else nothing.
std::optional<std::size_t> read_index(std::string_view path, std::size_t length);
/// Each is larger than the one before.
template <typename T>
bool ascends(const std::vector<T>& list) {
  return std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
}
}  // namespace jp::mutate
