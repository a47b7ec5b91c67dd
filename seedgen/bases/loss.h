// What losses share: reductions of the losses of single elements.
#pragma once

#include <optional>

#include "seedgen/bases/call_writer.h"
#include "seedgen/draw/draft.h"

namespace jp::seedgen {

enum class Reduction : std::uint8_t { kMean, kSum, kNone };

Reduction draw_reduction(Draft& draft);

/// Where the result lies when `n` losses in `image` of the dtype are reduced; nothing where it, or a sum on the way to
/// it, leaves the dtype's range.
std::optional<Interval> reduced(Reduction reduction, Dtype dtype, Interval image, std::int64_t n);

/// Writes the reduction (the usual one at times left out) and records the call. `shape` is that of the losses, and `n`
/// is what `reduced` was asked with.
void record_loss(Draft& draft, CallWriter& writer, Reduction reduction, Dtype dtype, Interval image, const Shape& shape,
                 std::int64_t n);

}  // namespace jp::seedgen
