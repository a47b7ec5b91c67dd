#include "mutate/material/profiled.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/tensor_type.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

constexpr double kSpreads = 64;
/// The least margin, as an exponent of two: float16 holds it and its quarter as normal numbers.
constexpr int kLeast = -10;
/// Constants with more elements are not written out.
constexpr std::size_t kMostWritten = 64;

/// The share of a tensor's largest magnitude that its margin is at least.
double share(Dtype dtype) {
  if (dtype == Dtype::kFloat64) return std::ldexp(1.0, -20);
  if (dtype == Dtype::kFloat32) return std::ldexp(1.0, -10);
  return 0.25;
}

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

/// What may be compared with its profiled value.
struct Comparable {
  LiveTensor tensor;
  double margin = 0;  // 0: compared exactly
};

std::optional<double> margin_of(const Point& point, const LiveTensor& one) {
  const auto spread = point.spread.find(one.name);
  const bool measured = spread != point.spread.end();
  if (is_integral(*one.facts->dtype) || point.given.contains(one.name))
    return !measured || spread->second == 0 ? std::optional(0.0) : std::nullopt;
  const double most = magnitude(*one.facts);
  if (!measured || kSpreads * spread->second > most) return std::nullopt;
  const double least = std::max(kSpreads * spread->second, share(*one.facts->dtype) * most);
  return std::exp2(std::max(std::ceil(std::log2(least)), static_cast<double>(kLeast)));
}

/// A result of the program where there is one, in five of six draws; otherwise an argument.
std::optional<Comparable> draw_comparable(const Point& point, Choices& choices) {
  std::vector<Comparable> computed;
  std::vector<Comparable> given;
  for (const LiveTensor& one : point.live) {
    const Dtype dtype = *one.facts->dtype;
    if (dtype == Dtype::kBool || is_complex(dtype) || !bounded(*one.facts, 1e30)) continue;
    if (auto margin = margin_of(point, one))
      (point.given.contains(one.name) ? given : computed).push_back({one, *margin});
  }
  if (computed.empty() && given.empty()) return std::nullopt;
  const bool result = given.empty() || (!computed.empty() && choices.chance(5, 6));
  return choices.pick(result ? computed : given);
}

/// The number in the shortest form that gives the same element of that dtype; `exact`: the same in float64 too.
std::string number_text(double value, Dtype dtype, bool exact) {
  if (is_integral(dtype)) return fmt::format("{}", static_cast<std::int64_t>(value));
  return exact || dtype == Dtype::kFloat64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
}

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
enum class Extent { kElement, kWhole, kSome, kExtreme };

std::optional<Extent> draw_extent(const NameFacts& facts, Choices& choices) {
  const auto count = static_cast<std::size_t>(element_count(*facts.shape));
  const std::size_t known = facts.elements.size();
  std::vector<Extent> extents = {Extent::kExtreme};
  if (known > 0) extents.push_back(Extent::kElement);
  if (known == count && count <= kMostWritten) extents.insert(extents.end(), 3, Extent::kWhole);
  if (known > 1 && known < count) extents.insert(extents.end(), 3, Extent::kSome);
  return choices.pick(extents);
}

std::optional<Distance> draw_distance(const Point& point, const LiveTensor& target, Choices& choices) {
  const auto drawn = draw_comparable(point, choices);
  if (!drawn) return std::nullopt;
  const LiveTensor& one = drawn->tensor;
  const NameFacts& facts = *one.facts;
  const SizeSpan shape = *facts.shape;
  const Dtype dtype = *facts.dtype;
  // An exact difference is zero, but not its gradient.
  const std::string self = drawn->margin == 0 ? detached(one) : operand(point, one, choices);
  const std::string type = fmt::format("dtype={}.{}", point.torch, dtype_name(dtype));
  const auto number = [&](double value) { return number_text(value, dtype, drawn->margin == 0); };
  std::vector<std::string> numbers;
  std::vector<std::int64_t> places;
  for (const auto& [place, value] : facts.elements) places.push_back(place), numbers.push_back(number(value));
  std::string left = self;
  std::string right;
  bool whole = false;
  switch (*draw_extent(facts, choices)) {
    case Extent::kElement: {
      const auto element = draw_element({self, one.facts}, choices);
      left = element->text;
      right = number(element->value);
      break;
    }
    case Extent::kWhole:
      right = fmt::format("{}.tensor({}, {})", point.torch, nested(numbers, shape), type);
      whole = !shape.empty();
      break;
    case Extent::kSome:
      left = fmt::format("{}.flatten()[{}.tensor([{}])]", self, point.torch, fmt::join(places, ", "));
      right = fmt::format("{}.tensor([{}], {})", point.torch, fmt::join(numbers, ", "), type);
      whole = true;
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
  Distance made{fmt::format("({} - {})", swapped ? right : left, swapped ? left : right),
                one.name,
                dtype,
                drawn->margin,
                false,
                !whole};
  made.like_target = whole && !left.ends_with(']') && facts.shape == target.facts->shape &&
                     facts.strides == target.facts->strides &&
                     is_row_major(*target.facts->shape, *target.facts->strides);
  return made;
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
  const auto distance = draw_distance(point, target, choices);
  if (!distance) return std::nullopt;
  std::string text =
      distance->margin == 0 ? draw_exact_zero(point, *distance, choices) : draw_zero_below(point, *distance, choices);
  if (!distance->scalar && !distance->like_target)
    text = fmt::format("({}).{}()", text, choices.pick(std::vector<std::string>{"sum", "amax", "amin"}));
  // Also where it is 0-d beside a 0-d target: the two would be promoted with one another.
  if (distance->dtype != *target.facts->dtype || is_integral(distance->dtype))
    text = fmt::format("({}).to({}.{})", text, point.torch, dtype_name(*target.facts->dtype));
  return BoundedExpression{text, {distance->name}, 0};
}

std::optional<BoundedExpression> draw_profiled_test(const Point& point, const LiveTensor& target, bool holds,
                                                    Choices& choices) {
  const auto distance = draw_distance(point, target, choices);
  if (!distance) return std::nullopt;
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
