#include "mutate/material/zeros.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mutate/engine/notes.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// The largest magnitude of operands that zeros are built from (chosen, not measured).
constexpr double kMostOperand = 1e4;

/// The largest error that one step may add to an element of a result (chosen, not measured).
constexpr double kResidue = 1e-11;

double largest_integer(Dtype dtype) { return std::ldexp(1.0, 8 * dtype_size(dtype) - 1) - 1; }

/// An operand to build from: one element, or a whole tensor of the target's shape.
struct Part {
  std::string text;
  std::string name;
  double most = 0;
};

std::optional<Part> draw_part(const Point& point, const LiveTensor& target, Choices& choices) {
  std::vector<const LiveTensor*> found;
  for (const LiveTensor& one : point.live)
    if (one.facts->dtype == target.facts->dtype && bounded(*one.facts, kMostOperand)) found.push_back(&one);
  if (found.empty()) return std::nullopt;
  LiveTensor one = *choices.pick(found);
  bool like = one.facts->shape == target.facts->shape && one.facts->strides == target.facts->strides;
  double most = magnitude(*one.facts);
  if (like && choices.chance(1, 2)) return Part{detached(one), one.name, most};
  LiveTensor named{detached(one), one.facts};
  auto element = draw_element(named, choices);
  if (!element) return std::nullopt;
  return Part{element->text, one.name, std::abs(element->value)};
}

/// relu of an expression that is never above zero, whatever the values of its parts.
std::optional<BoundedExpression> relu_zero(const Point& point, const LiveTensor& target, Choices& choices) {
  auto one = draw_part(point, target, choices);
  auto other = draw_part(point, target, choices);
  if (!one || !other) return std::nullopt;
  bool integers = is_integral(*target.facts->dtype);
  double both = one->most + other->most + 100;
  if (integers && both * both > largest_integer(*target.facts->dtype) / 2) return std::nullopt;
  std::string constant = fmt::format("{}", choices.between(1, 9));
  if (!integers) constant += ".5";
  std::vector<std::string> inner = {fmt::format("-({} - {}) ** 2", one->text, other->text),
                                    fmt::format("-({} - {}) ** 2", one->text, other->text),
                                    fmt::format("-({} - {}) ** 2", one->text, constant),
                                    fmt::format("-{}.abs()", one->text),
                                    fmt::format("-({0} * {0})", one->text),
                                    fmt::format("-{}.square() - {}", one->text, constant)};
  if (!integers) inner.push_back(fmt::format("-{}.exp({})", point.torch, one->text));
  if (!integers) inner.push_back(fmt::format("-{}.sigmoid()", one->text));
  std::string text = choices.pick(inner);
  switch (choices.below(4)) {
    case 0:
      text = fmt::format("({}).clamp(min=0)", text);
      break;
    case 1:
      text = fmt::format("({}).relu()", text);
      break;
    default:
      text = fmt::format("{}.relu({})", point.torch, text);
  }
  return BoundedExpression{text, {one->name, other->name}, 0};
}

/// relu of minus an expanded square, which rounding may make positive. It is computed in float64, where that residue is
/// bounded.
std::optional<BoundedExpression> square_written_out(const Point& point, const LiveTensor& target, double garbage,
                                                    Choices& choices) {
  auto one = draw_part(point, target, choices);
  auto other = draw_part(point, target, choices);
  if (!one || !other || is_integral(*target.facts->dtype)) return std::nullopt;
  double both = one->most + other->most;
  double residue = 8 * epsilon(Dtype::kFloat64) * both * both;
  if (residue * garbage > kResidue) return std::nullopt;
  std::string i = one->text + ".double()";
  std::string j = other->text + ".double()";
  std::string square = choices.chance(1, 2) ? fmt::format("{0} * {0} - 2 * {0} * {1} + {1} * {1}", i, j)
                                            : fmt::format("{0} * {0} + {1} * {1} - 2 * {0} * {1}", i, j);
  return BoundedExpression{
      fmt::format("{0}.relu(-({1})).to({0}.{2})", point.torch, square, dtype_name(*target.facts->dtype)),
      {one->name, other->name},
      residue};
}

/// A value minus the constant that the profile run saw: exact for integers and unchanged arguments. Other floats may
/// have been computed with other rounding, so their residue is bounded by 64 units in the last place (chosen, not
/// measured).
std::optional<BoundedExpression> profiled(const Point& point, const LiveTensor& target, double garbage,
                                          Choices& choices) {
  bool integers = is_integral(*target.facts->dtype);
  std::vector<const LiveTensor*> found;
  for (const LiveTensor& one : point.live) {
    Dtype dtype = *one.facts->dtype;
    bool fits = dtype == *target.facts->dtype || (!integers && is_integral(dtype));
    if (fits && dtype != Dtype::kBool && bounded(*one.facts, kMostOperand)) found.push_back(&one);
  }
  if (found.empty()) return std::nullopt;
  const LiveTensor& one = *choices.pick(found);
  auto element = draw_element({detached(one), one.facts}, choices);
  if (!element) return std::nullopt;
  bool whole = is_integral(*one.facts->dtype);
  double residue =
      whole || point.given.contains(one.name) ? 0 : 64 * epsilon(*one.facts->dtype) * magnitude(*one.facts);
  if (residue * garbage > kResidue) return std::nullopt;
  std::string constant =
      whole ? fmt::format("{}", static_cast<std::int64_t>(element->value)) : fmt::format("{}", element->value);
  if (element->value < 0) constant = fmt::format("({})", constant);
  std::vector<std::string> forms = {
      fmt::format("({} - {})", element->text, constant), fmt::format("({} - {})", constant, element->text),
      fmt::format("(-{} + {})", element->text, constant), fmt::format("-({} - {})", element->text, constant)};
  std::string text = choices.pick(forms);
  // The cast is needed because two 0-d tensors are promoted with one another.
  if (one.facts->dtype != target.facts->dtype)
    text = fmt::format("({}).to({}.{})", text, point.torch, dtype_name(*target.facts->dtype));
  return BoundedExpression{text, {one.name}, residue};
}

std::optional<BoundedExpression> difference(const Point& point, const LiveTensor& target, Choices& choices) {
  auto part = draw_part(point, target, choices);
  if (!part) return std::nullopt;
  return BoundedExpression{fmt::format("({0} - {0})", part->text), {part->name}, 0};
}

/// A Python integer that facts know: a size, a rank, a number of elements, or an integer tensor's element.
struct Size {
  std::string text;
  std::string name;
  std::int64_t value = 0;
};

std::optional<Size> draw_size(const Point& point, Choices& choices) {
  if (point.live.empty()) return std::nullopt;
  const LiveTensor& one = choices.pick(point.live);
  const auto& shape = *one.facts->shape;
  Size size{one.name + ".dim()", one.name, static_cast<std::int64_t>(shape.size())};
  std::uint64_t form = choices.below(6);
  if (form == 0) size.text = one.name + ".numel()", size.value = element_count(shape);
  if (form == 1 && is_integral(*one.facts->dtype) && *one.facts->dtype != Dtype::kBool && bounded(*one.facts, 1e6))
    if (auto element = draw_element(one, choices))
      return Size{element->text + ".item()", one.name, static_cast<std::int64_t>(element->value)};
  if (form < 3 || shape.empty()) return size;
  auto axis = static_cast<std::size_t>(choices.below(shape.size()));
  size.value = shape[axis];
  size.text = form == 3   ? fmt::format("{}.size({})", one.name, axis)
              : form == 4 ? fmt::format("{}.size(-{})", one.name, shape.size() - axis)
                          : fmt::format("{}.shape[{}]", one.name, axis);
  return size;
}

/// The arguments of the entry that are unchanged at the statement, as far as facts can tell.
NameSet given_names(const Parsed& parsed, const Facts& facts, const Statement& statement,
                    const std::vector<LiveTensor>& live) {
  NameSet given;
  if (!in_function(parsed, statement, parsed.program().entry())) return given;
  const Scope& scope = parsed.scopes().scope(parsed.scopes().scope_of(statement));
  const Statement* first = nullptr;
  for (const Statement& inner : parsed.statements())
    if (inner.function == statement.function && facts.before.contains(inner.id)) {
      first = &inner;
      break;
    }
  for (const LiveTensor& one : live) {
    if (!first || !scope.parameters.contains(one.name)) continue;
    const NameFacts* then = facts.find_before(first->id, one.name);
    if (then && then->minimum && then->elements == one.facts->elements && then->minimum == one.facts->minimum)
      given.insert(one.name);
  }
  return given;
}

}  // namespace

bool NamedText::readable(const Parsed& parsed, const Statement& statement) const {
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return parsed.scopes().readable(statement, name); });
}

NamedText named_text(const NameSet& names, std::string text) {
  return {std::vector<std::string>(names.begin(), names.end()), std::move(text)};
}

Point point_before(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  Point point{torch_name(parsed, statement), live_tensors(parsed, facts, statement), {}};
  point.given = given_names(parsed, facts, statement, point.live);
  return point;
}

Point point_after(const Parsed& parsed, const Facts& facts, const Statement& statement, const LiveTensor& target) {
  Point point{torch_name(parsed, statement), live_after(parsed, facts, statement), {}};
  point.given = given_names(parsed, facts, statement, point.live);
  auto same = [&](const LiveTensor& one) { return one.name == target.name; };
  if (std::none_of(point.live.begin(), point.live.end(), same)) point.live.push_back(target);
  return point;
}

std::string detached(const LiveTensor& tensor) {
  return *tensor.facts->requires_grad ? tensor.name + ".detach()" : tensor.name;
}

std::optional<BoundedExpression> draw_universal_zero(const Point& point, const LiveTensor& target, double garbage,
                                                     Choices& choices) {
  const bool signless = *target.facts->dtype == Dtype::kUInt8;
  for (int i = 0; i < 8; ++i) {
    std::optional<BoundedExpression> made;
    const std::uint64_t form = choices.below(4);
    if (form < 2 && !signless) made = relu_zero(point, target, choices);
    if (form == 2) made = square_written_out(point, target, garbage, choices);
    if (form == 3) made = difference(point, target, choices);
    if (made) return made;
  }
  return std::nullopt;
}

std::optional<BoundedExpression> draw_zero_here(const Point& point, const LiveTensor& target, double garbage,
                                                Choices& choices) {
  for (int i = 0; i < 8; ++i) {
    if (choices.chance(1, 2)) {
      if (auto made = profiled(point, target, garbage, choices)) return made;
    } else if (auto size = draw_integer_zero(point, choices)) {
      size->text = fmt::format("({})", size->text);
      return size;
    }
  }
  return std::nullopt;
}

std::optional<BoundedExpression> draw_integer_zero(const Point& point, Choices& choices) {
  auto size = draw_size(point, choices);
  if (!size) return std::nullopt;
  return BoundedExpression{choices.chance(1, 4) ? fmt::format("{} - {}", size->value, size->text)
                                                : fmt::format("{} - {}", size->text, size->value),
                           {size->name},
                           0};
}

std::optional<BoundedExpression> draw_integer_one(const Point& point, Choices& choices) {
  auto size = draw_size(point, choices);
  if (!size) return std::nullopt;
  std::string text = fmt::format("{} - {}", size->text, size->value - 1);
  if (size->value < 1) text = fmt::format("{} + {}", size->text, 1 - size->value);
  if (size->value > 1 && choices.chance(1, 2)) text = fmt::format("{} // {}", size->text, size->value);
  return BoundedExpression{text, {size->name}, 1};
}

}  // namespace jp::mutate
