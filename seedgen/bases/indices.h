// Indices into a dimension, as they stand in a call: live integer tensors, or positions written into the text, which
// can be known to be different from each other.
#pragma once

#include <string>
#include <vector>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

inline constexpr DtypeSet kLongIndex = {Dtype::kInt64};
inline constexpr DtypeSet kAnyIndex = {Dtype::kInt64, Dtype::kInt32};

/// Positions in a dimension of `size` (at least 1), from the back as well if `negative`.
Want want_index(const ShapeWant& shape, std::int64_t size, bool negative = false, DtypeSet dtypes = kLongIndex);

/// `count` different positions below `size`, in any order; `count` is at most `size`.
std::vector<std::int64_t> draw_distinct(Draft& draft, std::int64_t size, std::int64_t count);

/// "[2, -1, 0]": the positions of a dimension of `size`, each from the front or, if `negative`, from the back.
std::string list_text(Draft& draft, const std::vector<std::int64_t>& positions, std::int64_t size, bool negative);

/// "torch.tensor([2, 0])": `count` different positions below `size`.
std::string draw_distinct_text(Draft& draft, std::int64_t size, std::int64_t count, bool negative = false);

/// "2, 3": sizes without parentheses.
std::string sizes_text(const Shape& shape);

}  // namespace jp::seedgen
