#include "mutate/material/comparable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/tensor_type.h"

namespace jp::mutate {
namespace {

constexpr double kSpreads = 64;
/// The least margin of an element, as an exponent of two: float16 holds it and its quarter as normal numbers.
constexpr int kLeast = -10;
/// The least margin of a sum, which is never of a half type.
constexpr int kLeastOfSum = -40;
/// Where the elements times the unit roundoff are more, a sum says little (chosen, not measured).
constexpr double kMostRounded = 1.0 / 8;
/// Integers below it have sums that a float64 holds exactly.
constexpr double kLargestSum = 4503599627370496;

/// The share of a tensor's largest magnitude that its margin is at least.
double share(Dtype dtype) {
  if (dtype == Dtype::kFloat64) return std::ldexp(1.0, -20);
  if (dtype == Dtype::kFloat32) return std::ldexp(1.0, -10);
  return 0.25;
}

double unit_roundoff(Dtype dtype) { return std::ldexp(1.0, dtype == Dtype::kFloat64 ? -53 : -24); }

double count_of(const NameFacts& facts) { return static_cast<double>(element_count(*facts.shape)); }

/// How far the sum of all elements is from the exact one at most, in any order of additions in that dtype.
double rounding_of_sum(const NameFacts& facts, Dtype dtype) {
  const double rounded = count_of(facts) * unit_roundoff(dtype);
  return rounded / (1 - rounded) * count_of(facts) * magnitude(facts);
}

bool adds_well(const NameFacts& facts, Dtype dtype) { return count_of(facts) * unit_roundoff(dtype) <= kMostRounded; }

}  // namespace

double power_above(double number, int least) {
  return std::exp2(std::max(std::ceil(std::log2(number)), static_cast<double>(least)));
}

double float_margin(const NameFacts& facts, double spread) {
  return power_above(std::max(kSpreads * spread, share(*facts.dtype) * magnitude(facts)), kLeast);
}

std::optional<double> margin_of(const Point& point, const LiveTensor& one) {
  const auto spread = point.spread.find(one.name);
  const bool measured = spread != point.spread.end();
  if (is_integral(*one.facts->dtype) || point.given.contains(one.name))
    return !measured || spread->second == 0 ? std::optional(0.0) : std::nullopt;
  if (!measured || kSpreads * spread->second > magnitude(*one.facts)) return std::nullopt;
  return float_margin(*one.facts, spread->second);
}

std::optional<double> margin_of_bound(const Point& point, const LiveTensor& one) {
  const auto spread = point.spread.find(one.name);
  const bool given = point.given.contains(one.name);
  if (spread == point.spread.end()) return given ? std::optional(0.0) : std::nullopt;
  if (given && spread->second == 0) return 0;
  if (is_integral(*one.facts->dtype)) return std::max(1.0, std::ceil(kSpreads * spread->second));
  return float_margin(*one.facts, spread->second);
}

std::optional<Comparable> draw_comparable(const Point& point, MarginOf margin_of, Choices& choices) {
  std::vector<Comparable> computed;
  std::vector<Comparable> given;
  for (const LiveTensor& one : point.live) {
    const Dtype dtype = *one.facts->dtype;
    if (dtype == Dtype::kBool || is_complex(dtype) || !bounded(*one.facts, 1e30)) continue;
    // A statement that ran several times may have had others each time.
    if (!one.facts->minimum || !one.facts->maximum) continue;
    if (auto margin = margin_of(point, one))
      (point.given.contains(one.name) ? given : computed).push_back({one, *margin});
  }
  if (computed.empty() && given.empty()) return std::nullopt;
  const bool result = given.empty() || (!computed.empty() && choices.chance(5, 6));
  return choices.pick(result ? computed : given);
}

bool has_total(const NameFacts& facts) {
  const Dtype dtype = *facts.dtype;
  if (!facts.sum || facts.shape->empty()) return false;
  if (is_integral(dtype)) return count_of(facts) * magnitude(facts) < kLargestSum;
  return dtype_size(dtype) >= 4 && adds_well(facts, Dtype::kFloat64);
}

Total draw_total(const Point& point, const Comparable& one, const std::string& self, Choices& choices) {
  const NameFacts& facts = *one.tensor.facts;
  const double count = count_of(facts);
  Total made{self + ".sum()", *facts.sum, 0, *facts.dtype};
  const std::uint64_t form = choices.below(4);
  if (form == 1) made.text = self + ".sum(-1).sum()";
  if (is_integral(made.dtype)) {
    made.dtype = Dtype::kInt64;
    return made;
  }
  if (made.dtype == Dtype::kFloat32 && (form == 2 || !adds_well(facts, made.dtype))) {
    made.text = choices.chance(1, 2) ? fmt::format("{}.sum(dtype={}.float64)", self, point.torch)
                                     : fmt::format("{}.double().sum()", self);
    made.dtype = Dtype::kFloat64;
  }
  const double margin = 2 * rounding_of_sum(facts, made.dtype) + count * one.margin;
  made.margin = power_above(margin, kLeastOfSum);
  if (form == 3 && made.dtype == *facts.dtype) {
    made.text = self + ".mean()";
    made.value /= count;
    made.margin = power_above(margin / count + 2 * unit_roundoff(made.dtype) * magnitude(facts), kLeastOfSum);
  }
  return made;
}

std::string number_text(double value, Dtype dtype, bool exact) {
  if (is_integral(dtype)) return fmt::format("{}", static_cast<std::int64_t>(value));
  return exact || dtype == Dtype::kFloat64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
}

bool lies_like(const NameFacts& facts, const NameFacts& target) {
  return facts.shape == target.shape && facts.strides == target.strides && is_row_major(*target.shape, *target.strides);
}

}  // namespace jp::mutate
