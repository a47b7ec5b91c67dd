// What new tensors take over from live values, so that later calls can read both together.
#pragma once

#include <optional>

#include "seedgen/draft.h"

namespace jp::seedgen {

/// The sizes of some live value with elements and at least one dimension, mostly, where there is one.
std::optional<Shape> draw_live_shape(Draft& draft);
/// The last size of one, or any from `least` to `most`.
std::int64_t draw_live_length(Draft& draft, std::int64_t least, std::int64_t most);
/// The dtype of some live value of these dtypes, half of the time, where there is one.
std::optional<Dtype> draw_live_dtype(Draft& draft, DtypeSet dtypes);

}  // namespace jp::seedgen
