#include "oracle/judge/small_numbers.h"

#include <algorithm>
#include <cmath>

#include "oracle/judge/limits.h"
#include "oracle/judge/tolerance.h"

namespace jp::oracle {
namespace {

// In float64 the run of higher precision says nothing, and half types are too coarse.
bool is_single(Dtype dtype) { return dtype == Dtype::kFloat32 || dtype == Dtype::kComplex64; }

double largest(const Elements& elements) {
  double largest = 0;
  for (std::size_t i = 0; i < elements.count() * elements.parts(); ++i)
    if (std::isfinite(elements.number(i))) largest = std::max(largest, std::abs(elements.number(i)));
  return largest;
}

// Whether each element is much nearer to float64 than elements may differ.
bool is_accurate(const Elements& eager, const Elements& float64) {
  const double accuracy = kLimits.small_share / kLimits.small_accuracy * largest(eager);
  for (std::size_t i = 0; i < eager.count() * eager.parts(); ++i) {
    const bool is_number = std::isfinite(eager.number(i)) || std::isfinite(float64.number(i));
    if (is_number && !(std::abs(eager.number(i) - float64.number(i)) <= accuracy)) return false;
  }
  return true;
}

bool moves(const std::vector<Elements>& runs, const Elements& eager, std::size_t i, double distance, double times) {
  return std::any_of(runs.begin(), runs.end(), [&](const Elements& run) {
    return !(distance > times * std::abs(run.number(i) - eager.number(i)));
  });
}

}  // namespace

double small_tolerance(const Elements& eager, Dtype dtype, double largest_shown) {
  if (!is_single(dtype)) return 0;
  const double most = largest(eager);
  const double tolerance =
      std::max(kLimits.small_share * most, kLimits.small_epsilons * epsilon(dtype) * largest_shown);
  return most >= kLimits.small_least && tolerance < default_tolerance(dtype).absolute ? tolerance : 0;
}

SmallNumbers::SmallNumbers(const Elements& eager, const Elements& compiled, const Evidence& evidence, double tolerance)
    : eager_(eager),
      compiled_(compiled),
      evidence_(evidence),
      tolerance_(tolerance),
      accurate_here_(evidence.float64 && is_accurate(eager, *evidence.float64)),
      accurate_elsewhere_(std::all_of(evidence.others.begin(), evidence.others.end(), [](const OtherValues& other) {
        return is_accurate(other.eager, other.float64);
      })) {}

Settled SmallNumbers::judge(std::size_t i) const {
  constexpr RuleName kRule = "small_numbers";
  const double distance = std::abs(compiled_.number(i) - eager_.number(i));
  if (evidence_.form_moves) return {"monte_carlo", ElementVerdict::kUnstable};
  if (!evidence_.float64_tried) return {kRule, ElementVerdict::kWrong};
  if (!accurate_here_ || evidence_.noise_failed) return {kRule, ElementVerdict::kRounding};
  if (std::abs(compiled_.number(i) - evidence_.float64->number(i)) <= tolerance_)
    return {"float64", ElementVerdict::kRounding};
  if (moves(evidence_.noisy, eager_, i, distance - tolerance_, kLimits.spreads))
    return {"monte_carlo", ElementVerdict::kRounding};
  if (moves(evidence_.chosen, eager_, i, tolerance_, 1)) return {"other_choices", ElementVerdict::kAllowed};
  if (!accurate_elsewhere_) return {"other_values", ElementVerdict::kRounding};
  return {kRule, ElementVerdict::kWrong};
}

}  // namespace jp::oracle
