#include "mutate/material/zeros.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mutate/calls/operator_call.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/spread.h"
#include "mutate/inputs/inputs.h"
#include "mutate/material/constants.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// The largest magnitude of operands that zeros are built from (chosen, not measured).
constexpr double kMostOperand = 1e4;

double largest_integer(Dtype dtype) { return std::ldexp(1.0, 8 * dtype_size(dtype) - 1) - 1; }

/// An operand to build from: one element, or a whole tensor of the target's shape.
struct Part {
  std::string text;
  std::string name;
  double most = 0;  // of all elements of the tensor: a control run may draw its values anew in their range
};

std::optional<Part> draw_part(const Point& point, const LiveTensor& target, Choices& choices) {
  std::vector<const LiveTensor*> found;
  for (const LiveTensor& one : point.live)
    if (one.facts->dtype == target.facts->dtype && bounded(*one.facts, kMostOperand)) found.push_back(&one);
  if (found.empty()) return std::nullopt;
  LiveTensor one = *choices.pick(found);
  bool like = one.facts->shape == target.facts->shape && one.facts->strides == target.facts->strides;
  double most = magnitude(*one.facts);
  const std::string text = operand(point, one, choices);
  if (like && choices.chance(1, 2)) return Part{text, one.name, most};
  auto element = draw_element({text, one.facts}, choices);
  if (!element) return std::nullopt;
  return Part{element->text, one.name, most};
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
  // Where it overflows, its gradient is zero times infinity.
  const bool half = is_floating(*target.facts->dtype) && dtype_size(*target.facts->dtype) == 2;
  if (!integers && one->most < (half ? 10 : 50)) inner.push_back(fmt::format("-{}.exp({})", point.torch, one->text));
  if (!integers) inner.push_back(fmt::format("-{}.sigmoid()", one->text));
  std::string text = choices.pick(inner);
  switch (choices.below(4)) {
    case 0:
      // At zero its gradient is one, and in half types squares of small numbers are zero.
      text = half ? fmt::format("{}.relu({})", point.torch, text) : fmt::format("({}).clamp(min=0)", text);
      break;
    case 1:
      text = fmt::format("({}).relu()", text);
      break;
    default:
      text = fmt::format("{}.relu({})", point.torch, text);
  }
  return BoundedExpression{text, {one->name, other->name}, 0};
}

/// relu of minus an expanded square, which rounding may make positive, by less than the margin that is subtracted too.
std::optional<BoundedExpression> square_written_out(const Point& point, const LiveTensor& target, Choices& choices) {
  auto one = draw_part(point, target, choices);
  auto other = draw_part(point, target, choices);
  const Dtype dtype = *target.facts->dtype;
  if (!one || !other || is_integral(dtype)) return std::nullopt;
  // Squares overflow half types.
  const bool wide = dtype_size(dtype) == 2 || choices.chance(1, 2);
  const double both = one->most + other->most;
  const double residue = 8 * epsilon(wide ? Dtype::kFloat64 : dtype) * both * both;
  const double margin = std::exp2(std::max(std::ceil(std::log2(4 * residue)), -60.0));
  const std::string i = one->text + (wide ? ".double()" : "");
  const std::string j = other->text + (wide ? ".double()" : "");
  const std::string square = choices.chance(1, 2) ? fmt::format("{0} * {0} - 2 * {0} * {1} + {1} * {1}", i, j)
                                                  : fmt::format("{0} * {0} + {1} * {1} - 2 * {0} * {1}", i, j);
  std::string text = fmt::format("{0}.relu(-({1}) - {2})", point.torch, square, margin);
  if (wide) text = fmt::format("{}.to({}.{})", text, point.torch, dtype_name(dtype));
  return BoundedExpression{text, {one->name, other->name}, 0};
}

/// relu of MT-DLComp's sum of sines and a logarithm. The argument of the logarithm is at least 9, so that the sum is at
/// most 1 - log(9) < -1.1: no rounding makes it positive.
std::optional<BoundedExpression> sine_and_logarithm(const Point& point, const LiveTensor& target, Choices& choices) {
  auto one = draw_part(point, target, choices);
  const Dtype dtype = *target.facts->dtype;
  // The cube must be finite.
  if (!one || is_integral(dtype) || (dtype == Dtype::kFloat16 && one->most > 30)) return std::nullopt;
  return BoundedExpression{fmt::format("{0}.relu({0}.sin({1} ** 3) - {0}.log({0}.sin({1}) ** 2 / (2 + {0}.cos({1})) + "
                                       "{0}.cos({1}) ** 3 + 10))",
                                       point.torch, one->text),
                           {one->name},
                           0};
}

/// Without a path for gradients: they would cancel, but only after others were added.
std::optional<BoundedExpression> difference(Point point, const LiveTensor& target, Choices& choices) {
  point.attachable = {};
  auto part = draw_part(point, target, choices);
  if (!part) return std::nullopt;
  return BoundedExpression{fmt::format("({0} - {0})", part->text), {part->name}, 0};
}

/// Zeros of integers that need no sign.
std::optional<BoundedExpression> bits_zero(const Point& point, const LiveTensor& target, Choices& choices) {
  auto part = draw_part(point, target, choices);
  if (!part || !is_integral(*target.facts->dtype)) return std::nullopt;
  const std::string dtype = fmt::format("{}.{}", point.torch, dtype_name(*target.facts->dtype));
  const std::vector<std::string> forms = {fmt::format("({0} ^ {0})", part->text),
                                          fmt::format("({0} & ~{0})", part->text),
                                          fmt::format("({0} != {0}).to({1})", part->text, dtype)};
  return BoundedExpression{choices.pick(forms), {part->name}, 0};
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
  const Statement* entry = entry_function(parsed);
  if (!entry || statement.function != entry->index) return given;
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
    if (then && then->minimum && then->elements == one.facts->elements && then->minimum == one.facts->minimum &&
        then->sum == one.facts->sum)
      given.insert(one.name);
  }
  return given;
}

/// Names whose tensors gradients flow into whenever they flow into the target, so that a path of zero gradients changes
/// nothing: the target, and what the operator that computed it took. None if the file writes anything in place:
/// backward needs what a path has saved.
NameSet attachable_names(const Parsed& parsed, const Statement& statement, const LiveTensor& target,
                         const std::vector<LiveTensor>& live) {
  NameSet names;
  if (!*target.facts->requires_grad) return names;
  for (const Statement& one : parsed.statements())
    if (!effects_of(one).written.empty()) return names;
  names.insert(target.name);
  for (const OperatorCall& made : operator_calls(parsed, statement)) {
    if (!made.target || made.target.text() != target.name || !made.op->backward.contains(*target.facts->dtype))
      continue;
    for (const GivenArgument& given : made.operands)
      for (const LiveTensor& one : live)
        if (given.node.is("identifier") && given.node.text() == one.name && *one.facts->requires_grad &&
            one.facts->dtype == target.facts->dtype)
          names.insert(one.name);
  }
  return names;
}

std::map<std::string, double, std::less<>> spreads(const Facts& facts, const Statement& statement, Side side,
                                                   const std::vector<LiveTensor>& live) {
  std::map<std::string, double, std::less<>> found;
  for (const LiveTensor& one : live)
    if (const auto spread = rounding_spread(facts, statement, side, one.name)) found.emplace(one.name, *spread);
  return found;
}

std::map<std::string, std::string, std::less<>> redrawn_texts(const Parsed& parsed, const NameSet& given) {
  std::map<std::string, std::string, std::less<>> texts;
  for (const auto& [name, place] : redrawn_arguments(parsed))
    if (given.contains(name)) texts.emplace(name, redrawn_text(parsed, place));
  return texts;
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
  Point point{.torch = torch_name(parsed, statement), .live = live_tensors(parsed, facts, statement)};
  point.given = given_names(parsed, facts, statement, point.live);
  point.redrawn = redrawn_texts(parsed, point.given);
  point.spread = spreads(facts, statement, Side::kBefore, point.live);
  return point;
}

Point point_after(const Parsed& parsed, const Facts& facts, const Statement& statement, const LiveTensor& target) {
  Point point{.torch = torch_name(parsed, statement), .live = live_after(parsed, facts, statement)};
  point.given = given_names(parsed, facts, statement, point.live);
  auto same = [&](const LiveTensor& one) { return one.name == target.name; };
  if (std::none_of(point.live.begin(), point.live.end(), same)) point.live.push_back(target);
  point.redrawn = redrawn_texts(parsed, point.given);
  point.spread = spreads(facts, statement, Side::kAfter, point.live);
  point.attachable = attachable_names(parsed, statement, target, point.live);
  return point;
}

std::string detached(const LiveTensor& tensor) {
  return *tensor.facts->requires_grad ? tensor.name + ".detach()" : tensor.name;
}

std::string operand(const Point& point, const LiveTensor& tensor, Choices& choices) {
  const bool attached = point.attachable.contains(tensor.name) && choices.chance(1, 2);
  return attached ? tensor.name : detached(tensor);
}

std::optional<BoundedExpression> draw_universal_zero(const Point& point, const LiveTensor& target, Choices& choices) {
  const bool integers = is_integral(*target.facts->dtype);
  const bool signless = *target.facts->dtype == Dtype::kUInt8;
  for (int i = 0; i < 8; ++i) {
    std::optional<BoundedExpression> made;
    const std::uint64_t form = choices.below(20);
    // Once in twenty: not each time that another form does not fit.
    if (form == 0 && i == 0)
      made = difference(point, target, choices);
    else if (integers ? form < 10 || signless : form < 6)
      made = integers ? bits_zero(point, target, choices) : square_written_out(point, target, choices);
    else if (!integers && form < 12)
      made = sine_and_logarithm(point, target, choices);
    else
      made = relu_zero(point, target, choices);
    if (made) return made;
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
