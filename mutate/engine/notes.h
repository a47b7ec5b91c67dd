// What facts say of tensors, as words of a note for Choices, and back: "float32:3,4:4,1".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/facts.h"

namespace jp::mutate {

/// A tensor's type and layout.
struct Extent {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  Dtype dtype = Dtype::kFloat32;
};

std::int64_t element_count(const std::vector<std::int64_t>& shape);
/// Row-major without gaps; strides along axes of one element mean nothing.
bool is_dense(const Extent& extent);
/// Dense in some order of the axes: what torch keeps of a layout when it computes elementwise.
bool is_packed(const Extent& extent);

/// "float32:3,4:4,1"; the facts must know all of it.
std::string print_extent(const NameFacts& facts);
std::optional<Extent> read_extent(std::string_view text);
/// Facts know a plain tensor's type, layout and whether it requires grad.
bool knows_extent(const NameFacts* facts);

/// The parts between `by`; one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, char by);
/// "3,4" to {3, 4}; "" to {}. Nothing when it is no list of numbers.
std::optional<std::vector<std::int64_t>> read_numbers(std::string_view text);
/// "(3, 4)", "(3,)", "()".
std::string tuple_text(const std::vector<std::int64_t>& numbers);

}  // namespace jp::mutate
