#include "mutate/material/profiled.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/tensor_type.h"
#include "mutate/material/bounds.h"
#include "mutate/material/comparable.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

/// Of four comparisons, those with a bound.
constexpr std::uint64_t kBounds = 1;
/// Integers below it have sums that a float64 holds exactly.
constexpr double kLargestSummed = 1e12;
/// Constants with more elements are not written out.
constexpr std::size_t kMostWritten = 64;

/// A tensor, or some of its elements, minus what the profile run saw.
struct Distance {
  std::string text;
  std::string name;
  Dtype dtype = Dtype::kFloat32;
  double margin = 0;  // 0: it is exactly zero
  /// It has the target's shape and strides. Otherwise it must be reduced.
  bool like_target = false;
  bool scalar = false;
};

std::string nested(const std::vector<std::string>& numbers, SizeSpan shape) {
  if (shape.empty()) return numbers.front();
  if (shape.size() == 1) return fmt::format("[{}]", fmt::join(numbers, ", "));
  const auto rows = static_cast<std::size_t>(shape[0]);
  std::vector<std::string> parts;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(row * (numbers.size() / rows));
    parts.push_back(nested({begin, begin + static_cast<std::ptrdiff_t>(numbers.size() / rows)}, shape.subspan(1)));
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

/// The parts of a tensor that can be compared.
enum class Extent {
  kElement,
  kWhole,    // written out
  kRedrawn,  // an argument, drawn again
  kRow,
  kSome,  // the elements that facts know of a larger tensor
  kSumOfSome,
  kTotal,  // the sum or the mean of all elements
  kExtreme,
};

Extent draw_extent(const NameFacts& facts, bool redrawn, Choices& choices) {
  const auto count = static_cast<std::size_t>(element_count(*facts.shape));
  const std::size_t known = facts.elements.size();
  std::vector<Extent> extents = {Extent::kExtreme};
  if (known > 0) extents.push_back(Extent::kElement);
  if (known == count && count <= kMostWritten) extents.insert(extents.end(), 3, Extent::kWhole);
  if (known == count && count <= kMostWritten && facts.shape->size() > 1) extents.push_back(Extent::kRow);
  if (known > 1 && known < count) extents.insert(extents.end(), 2, Extent::kSome);
  if (redrawn) extents.insert(extents.end(), count > kMostWritten ? 4 : 1, Extent::kRedrawn);
  if (has_total(facts)) extents.insert(extents.end(), count > kMostWritten ? 2 : 1, Extent::kTotal);
  const bool sums = is_floating(*facts.dtype) || magnitude(facts) < kLargestSummed;
  if (known > 1 && known < count && dtype_size(*facts.dtype) >= 4 && sums) extents.push_back(Extent::kSumOfSome);
  return choices.pick(extents);
}

/// The margin of a sum: that of an element for each that is added. Sums of integers are exact.
double margin_of_sum(const NameFacts& facts, double margin) {
  if (is_integral(*facts.dtype)) return margin;
  const double one = margin > 0 ? margin : float_margin(facts, 0);
  return one * std::exp2(std::ceil(std::log2(static_cast<double>(facts.elements.size()))));
}

/// The elements whose values the facts know: "v0", or "v0.flatten()[torch.tensor([0, 7])]".
std::string known_elements(const Point& point, const NameFacts& facts, const std::string& self) {
  if (facts.elements.size() == static_cast<std::size_t>(element_count(*facts.shape))) return self;
  std::vector<std::int64_t> places;
  for (const auto& [place, value] : facts.elements) places.push_back(place);
  return fmt::format("{}.flatten()[{}.tensor([{}])]", self, point.torch, fmt::join(places, ", "));
}

double sum_of_known(const NameFacts& facts) {
  double sum = 0;
  for (const auto& [place, value] : facts.elements) sum += value;
  return sum;
}

std::optional<Distance> draw_distance(const Point& point, const LiveTensor& target, Choices& choices) {
  const auto drawn = draw_comparable(point, margin_of, choices);
  if (!drawn) return std::nullopt;
  const LiveTensor& one = drawn->tensor;
  const NameFacts& facts = *one.facts;
  const SizeSpan shape = *facts.shape;
  Dtype dtype = *facts.dtype;
  const auto again = point.redrawn.find(one.name);
  const Extent extent = draw_extent(facts, again != point.redrawn.end(), choices);
  double margin = extent == Extent::kSumOfSome ? margin_of_sum(facts, drawn->margin) : drawn->margin;
  // An exact difference is zero, but not its gradient.
  const std::string self = margin == 0 ? detached(one) : operand(point, one, choices);
  const std::string type = fmt::format("dtype={}.{}", point.torch, dtype_name(dtype));
  const auto number = [&](double value) { return number_text(value, dtype, margin == 0); };
  const auto written = [&](const std::string& numbers) {
    return fmt::format("{}.tensor({}, {})", point.torch, numbers, type);
  };
  std::vector<std::string> numbers;
  for (const auto& [place, value] : facts.elements) numbers.push_back(number(value));
  std::string left = self;
  std::string right;
  bool whole = false;
  switch (extent) {
    case Extent::kElement: {
      const auto element = draw_element({self, one.facts}, choices);
      left = element->text;
      right = number(element->value);
      break;
    }
    case Extent::kWhole:
      right = written(nested(numbers, shape));
      whole = !shape.empty();
      break;
    case Extent::kRow: {
      const auto row = choices.between(0, shape[0] - 1);
      const auto length = static_cast<std::ptrdiff_t>(numbers.size()) / shape[0];
      const auto begin = numbers.begin() + row * length;
      left = fmt::format("{}[{}]", self, row);
      right = written(nested({begin, begin + length}, shape.subspan(1)));
      whole = true;
      break;
    }
    case Extent::kSome:
      left = known_elements(point, facts, self);
      right = written(fmt::format("[{}]", fmt::join(numbers, ", ")));
      whole = true;
      break;
    case Extent::kRedrawn:
      right = again->second;
      whole = !shape.empty();
      break;
    case Extent::kTotal: {
      const Total total = draw_total(point, *drawn, self, choices);
      left = total.text;
      margin = total.margin;
      dtype = total.dtype;
      right = number(total.value);
      break;
    }
    case Extent::kSumOfSome:
      left = fmt::format("{}.sum()", known_elements(point, facts, self));
      right = number(sum_of_known(facts));
      break;
    case Extent::kExtreme: {
      const bool low = choices.chance(1, 2);
      left = fmt::format("{}.{}()", self, low ? "amin" : "amax");
      right = number(low ? *facts.minimum : *facts.maximum);
      break;
    }
  }
  if (right.starts_with('-')) right = fmt::format("({})", right);
  const bool swapped = choices.chance(1, 3);
  Distance made{
      fmt::format("({} - {})", swapped ? right : left, swapped ? left : right), one.name, dtype, margin, false, !whole};
  made.like_target = whole && !left.ends_with(']') && lies_like(facts, *target.facts);
  return made;
}

std::string reduced(const std::string& text, Choices& choices) {
  return fmt::format("({}).{}()", text, choices.pick(std::vector<std::string>{"sum", "amax", "amin"}));
}

/// As the target's dtype, also where it is 0-d beside a 0-d target: the two would be promoted with one another.
std::string as_target(const Point& point, const std::string& text, Dtype dtype, const LiveTensor& target) {
  if (dtype == *target.facts->dtype && !is_integral(dtype)) return text;
  return fmt::format("({}).to({}.{})", text, point.torch, dtype_name(*target.facts->dtype));
}

std::string draw_exact_zero(const Point& point, const Distance& distance, Choices& choices) {
  const std::string& d = distance.text;
  std::vector<std::string> forms = {d, fmt::format("(-{})", d), fmt::format("{}.clamp(min=0)", d),
                                    fmt::format("({} != 0).to({}.{})", d, point.torch, dtype_name(distance.dtype))};
  if (distance.dtype != Dtype::kUInt8) forms.push_back(fmt::format("{}.relu({}.abs() - 1)", point.torch, d));
  return choices.pick(forms);
}

std::string draw_zero_below(const Point& point, const Distance& distance, Choices& choices) {
  const std::string& d = distance.text;
  const double t = distance.margin;
  const std::string dtype = fmt::format("{}.{}", point.torch, dtype_name(distance.dtype));
  const double scale = 0.25 / t;
  std::vector<std::string> forms = {
      fmt::format("{}.relu({}.abs() - {})", point.torch, d, t),
      fmt::format("({}.abs() - {}).clamp(min=0)", d, t),
      fmt::format("({}.abs().clamp(min={}) - {})", d, t, t),
      fmt::format("({0}.maximum({1}.abs(), {0}.tensor({2}, dtype={3})) - {2})", point.torch, d, t, dtype),
      fmt::format("({}.abs() > {}).to({})", d, t, dtype),
      fmt::format("{}.where({}.abs() <= {}, 0, 3).to({})", point.torch, d, t, dtype),
      fmt::format("{}.round({} * {})", point.torch, d, scale),
      fmt::format("{}.floor({} * {} + 0.5)", point.torch, d, scale),
      fmt::format("({} * {}).to({}.int32).to({})", d, scale, point.torch, dtype)};
  if (distance.dtype == Dtype::kFloat32 || distance.dtype == Dtype::kFloat64) {
    forms.push_back(fmt::format("{}.nn.functional.hardshrink({}, {})", point.torch, d, t));
    forms.push_back(fmt::format("{}.nn.functional.softshrink({}, {})", point.torch, d, t));
  }
  return choices.pick(forms);
}

}  // namespace

std::optional<BoundedExpression> draw_profiled_zero(const Point& point, const LiveTensor& target, Choices& choices) {
  const auto distance = choices.chance(kBounds, 4) ? std::nullopt : draw_distance(point, target, choices);
  if (!distance) {
    const auto bound = draw_bound(point, target, choices);
    if (!bound) return std::nullopt;
    std::string text = draw_zero_beyond(point, *bound, choices);
    if (!bound->like_target) text = reduced(text, choices);
    return BoundedExpression{as_target(point, text, bound->dtype, target), {bound->name}, 0};
  }
  std::string text =
      distance->margin == 0 ? draw_exact_zero(point, *distance, choices) : draw_zero_below(point, *distance, choices);
  if (!distance->scalar && !distance->like_target) text = reduced(text, choices);
  return BoundedExpression{as_target(point, text, distance->dtype, target), {distance->name}, 0};
}

std::optional<BoundedExpression> draw_profiled_test(const Point& point, const LiveTensor& target, bool holds,
                                                    Choices& choices) {
  const auto distance = choices.chance(kBounds, 4) ? std::nullopt : draw_distance(point, target, choices);
  if (!distance) {
    const auto bound = draw_bound(point, target, choices);
    if (!bound) return std::nullopt;
    std::string text = holds ? fmt::format("{}.logical_not()", bound->beyond()) : bound->beyond();
    if (!bound->like_target) text += holds ? ".all()" : ".any()";
    return BoundedExpression{text, {bound->name}, 0};
  }
  const std::string& d = distance->text;
  std::string text;
  if (distance->margin == 0)
    text = fmt::format("({} {} 0)", d, holds ? "==" : "!=");
  else
    text = fmt::format("({}.abs() {} {})", d, holds ? "<=" : ">", distance->margin);
  if (!distance->scalar && !distance->like_target) text += holds ? ".all()" : ".any()";
  return BoundedExpression{text, {distance->name}, 0};
}

}  // namespace jp::mutate
