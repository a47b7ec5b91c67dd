#include "seedgen/types/powers.h"

#include <algorithm>
#include <cmath>

#include "seedgen/types/types.h"

namespace jp::seedgen {

std::optional<Interval> power(Dtype type, Interval a, Interval b) {
  bool whole = b.low == b.high && b.low == std::trunc(b.low);
  if (is_integral(type) ? b.low < 0 : (a.low < kLeastBase && (!whole || b.low < 0))) return std::nullopt;
  if (!is_integral(type) && a.low >= kLeastBase) {
    auto [low, high] = std::minmax(
        {std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low), std::pow(a.high, b.high)});
    return Interval{low, high};
  }
  double most = std::pow(std::max(largest(a), 1.0), b.high);
  return a.low >= 0 ? Interval{0, most} : Interval{-most, most};
}

std::optional<Interval> complex_power(const ComplexBound& a, const ComplexBound& b) {
  // More than exp and log lose on the way.
  constexpr double kLoss = 1 + 0x1p-12;
  const bool whole = b.real && b.least == b.most && b.parts.high >= 1 && b.most == std::trunc(b.most);
  if (whole) return disc(kLoss * std::pow(a.most, b.most));
  if (a.parts.low < 0 || a.least < kLeastBase) return std::nullopt;
  // |z^w| = |z|^Re(w) e^(-Im(w) arg z).
  constexpr double kQuarter = 1.5707963267948966;
  const double turned = a.real || b.real ? 0 : kQuarter * std::max(-b.parts.low, 0.0);
  double most = 0;
  for (double base : {a.least, a.most})
    for (double exponent : {b.parts.low, b.parts.high}) most = std::max(most, std::pow(base, exponent));
  return disc(kLoss * most * std::exp(turned));
}

}  // namespace jp::seedgen
