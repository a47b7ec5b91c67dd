#include "mutate/material/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/tensor_type.h"
#include "mutate/material/comparable.h"
#include "mutate/material/constants.h"

namespace jp::mutate {
namespace {

/// Bounds of their own for each element have no more elements.
constexpr std::int64_t kMostSeeded = 1 << 16;

/// The largest magnitude of a bound.
double largest_bound(Dtype dtype) {
  if (is_integral(dtype)) return std::min(std::ldexp(1.0, 8 * dtype_size(dtype) - 1) - 1, std::ldexp(1.0, 53));
  return dtype == Dtype::kFloat16 ? 3e4 : 2e30;
}

/// The bound at that number moved further from the elements, by another distance for each of them. Where it rounds, it
/// is not moved back behind the number, which every dtype here holds.
std::optional<std::string> draw_each(const Point& point, const NameFacts& facts, double at, double margin, bool upper,
                                     Choices& choices) {
  const Dtype dtype = *facts.dtype;
  const bool integers = is_integral(dtype);
  const std::int64_t most = dtype_size(dtype) == 1 ? 50 : 508;
  const double step = integers ? 1 : margin > 0 ? margin : 0.125;
  const bool fits = std::abs(at) + step * static_cast<double>(most) <= largest_bound(dtype);
  if (!fits || (dtype == Dtype::kUInt8 && !upper) || element_count(*facts.shape) > kMostSeeded) return std::nullopt;
  std::string moved = fmt::format("{}.to({}.{})", seeded_integers(point.torch, *facts.shape, most, choices),
                                  point.torch, dtype_name(dtype));
  if (step != 1) moved = fmt::format("{} * {}", moved, step);
  return fmt::format("({} {} {})", number_text(at, dtype, true), upper ? '+' : '-', moved);
}

}  // namespace

std::string Bound::beyond() const { return fmt::format("({} {} {})", value, upper ? '>' : '<', bound); }

std::optional<Bound> draw_bound(const Point& point, const LiveTensor& target, Choices& choices) {
  const auto drawn = draw_comparable(point, margin_of_bound, choices);
  if (!drawn) return std::nullopt;
  const NameFacts& facts = *drawn->tensor.facts;
  const Dtype dtype = *facts.dtype;
  const bool upper = choices.chance(1, 2);
  double at = upper ? highest(facts) + drawn->margin : lowest(facts) - drawn->margin;
  // A multiple of the margin has few digits: it is the same number in every dtype.
  if (drawn->margin > 0) at = (upper ? std::ceil(at / drawn->margin) : std::floor(at / drawn->margin)) * drawn->margin;
  if (std::abs(at) > largest_bound(dtype) || (dtype == Dtype::kUInt8 && at < 0)) return std::nullopt;
  Bound made{drawn->margin == 0 ? detached(drawn->tensor) : operand(point, drawn->tensor, choices),
             number_text(at, dtype, true),
             drawn->tensor.name,
             dtype,
             upper,
             lies_like(facts, *target.facts)};
  if (made.bound.starts_with('-')) made.bound = fmt::format("({})", made.bound);
  if (facts.shape->empty()) return made;
  const std::uint64_t form = choices.below(6);
  if (form < 2) made.value = fmt::format("{}.{}(-1, keepdim=True)", made.value, upper ? "amax" : "amin");
  if (form < 4) return made;
  if (auto each = draw_each(point, facts, at, drawn->margin, upper, choices)) made.bound = *std::move(each);
  return made;
}

std::string draw_zero_beyond(const Point& point, const Bound& bound, Choices& choices) {
  const std::string dtype = fmt::format("{}.{}", point.torch, dtype_name(bound.dtype));
  std::vector<std::string> forms = {
      fmt::format("{}.to({})", bound.beyond(), dtype),
      fmt::format("{}.where({}, 3, 0).to({})", point.torch, bound.beyond(), dtype),
      fmt::format("({}.clamp({}={}) - {})", bound.value, bound.upper ? "min" : "max", bound.bound, bound.bound)};
  if (!is_integral(bound.dtype)) {
    const std::string past = bound.upper ? fmt::format("({} - {})", bound.value, bound.bound)
                                         : fmt::format("({} - {})", bound.bound, bound.value);
    forms.push_back(fmt::format("{}.relu({})", point.torch, past));
    forms.push_back(fmt::format("{}.clamp(min=0)", past));
  }
  return choices.pick(forms);
}

}  // namespace jp::mutate
