// What convolutions and transposed ones share.
#pragma once

#include "seedgen/types/interval.h"
#include "seedgen/types/types.h"

namespace jp::seedgen {

inline constexpr Interval kConvolutionBiases = {-100, 100};

/// Integers are summed exactly; eager has no kernel of the smaller ones for some shapes.
inline constexpr DtypeSet kConvolutionDtypes = kFloats | kComplex | DtypeSet{Dtype::kInt64};

/// Eager may read unwritten memory (oneDNN with AMX, torch 2.13.0): if there is one window along the last dimension and
/// a stride above 1; and, with three dimensions, if the input is one deep and padded.
inline bool may_misread(Dtype dtype, int dims) { return dtype == Dtype::kBFloat16 && dims > 1; }

/// The elements of a result: sums of at most so many products. Padding adds zeros, and positions of a kernel may miss
/// the input, so there may be fewer terms.
inline Interval window_sums(const Value& x, Interval weight, std::int64_t terms) {
  auto n = static_cast<double>(terms);
  const Interval product = is_complex(x.dtype) ? complex_product(x.interval, weight) : x.interval * weight;
  return rounded(sum_of(product, n, false), x.dtype, n + 2);
}

/// Whether some window along a dimension of that size reads some of it, and not only padding.
inline bool reads_input(std::int64_t size, std::int64_t places, std::int64_t stride, std::int64_t width,
                        std::int64_t dilation, std::int64_t padding) {
  for (std::int64_t place = 0; place < places; ++place)
    for (std::int64_t tap = 0; tap < width; ++tap)
      if (std::int64_t at = place * stride + tap * dilation - padding; at >= 0 && at < size) return true;
  return false;
}

}  // namespace jp::seedgen
