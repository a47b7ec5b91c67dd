// Powers, as intervals: shared by `pow` and its in-place form.
#pragma once

#include <optional>

#include "seedgen/types/interval.h"

namespace jp::seedgen {

/// Bases keep that far above 0 where an exponent may be anything.
inline constexpr double kLeastBase = 0.0625;

/// Integers: exponents from 0 on. Floats: positive bases, or one whole exponent from 0 on.
std::optional<Interval> power(Dtype type, Interval a, Interval b);
/// One of the two is complex. Bases in the first quadrant, away from the branch cut and from 0; or one whole exponent
/// from 1 on.
std::optional<Interval> complex_power(const ComplexBound& a, const ComplexBound& b);

}  // namespace jp::seedgen
