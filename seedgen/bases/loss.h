// What losses share: reductions of elementwise losses.
#pragma once

#include <optional>

#include "seedgen/bases/call_writer.h"
#include "seedgen/draw/draft.h"

namespace jp::seedgen {

enum class Reduction : std::uint8_t { kMean, kSum, kNone };

Reduction draw_reduction(Draft& draft);

/// The interval of the result when `n` losses in `image` of the dtype are reduced; nothing if it, or an intermediate
/// sum, leaves the dtype's range.
std::optional<Interval> reduced(Reduction reduction, Dtype dtype, Interval image, std::int64_t n);

/// Writes the reduction (the default one is sometimes omitted) and records the call. `shape` is that of the losses, and
/// `n` is what `reduced` was called with. Unless the function has them not (`legacy`), a few calls give the reduction
/// by the parameters that were there before it, `size_average` and `reduce`.
void record_loss(Draft& draft, CallWriter& writer, Reduction reduction, Dtype dtype, Interval image, const Shape& shape,
                 std::int64_t n, bool legacy = true);

}  // namespace jp::seedgen
