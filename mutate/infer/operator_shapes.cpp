// Shape rules of operators; see operator_rules.h.
#include <algorithm>
#include <numeric>

#include "core/broadcast.h"
#include "mutate/engine/notes.h"
#include "mutate/infer/operator_rules.h"

namespace jp::mutate {
namespace {

using Sizes = std::optional<Shape>;
using ShapeRule = OperatorFacts::ShapeRule;

const AbstractValue* input_of(const CallArguments& call) {
  bool known = !call.operands.empty() && call.operands[0].is_tensor() && call.operands[0].shape;
  return known ? &call.operands[0] : nullptr;
}

/// The index of an axis that may be negative; nothing if it is out of range.
std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
  auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

std::optional<std::int64_t> number(const AbstractValue* value, std::optional<std::int64_t> otherwise = {}) {
  return value ? value->number : otherwise;
}

/// The integers of a tuple, or one integer as a list; nothing if one is unknown.
std::optional<Shape> numbers(const AbstractValue& value) {
  if (value.number) return Shape{*value.number};
  if (value.kind != AbstractValue::Kind::kList) return std::nullopt;
  Shape found;
  for (const AbstractValue& item : value.items) {
    if (!item.number) return std::nullopt;
    found.push_back(*item.number);
  }
  return found;
}

/// The integers of `x.permute(1, 0)` or `x.permute((1, 0))`.
std::optional<Shape> all_numbers(const CallArguments& call) {
  if (!call.keywords.empty() || call.others.empty()) return std::nullopt;
  if (call.others.size() == 1) return numbers(call.others[0]);
  Shape found;
  for (const AbstractValue& one : call.others) {
    if (!one.number) return std::nullopt;
    found.push_back(*one.number);
  }
  return found;
}

/// The value of a keyword argument that is False where it is left out; nothing if it is no literal.
std::optional<bool> is_true(const CallArguments& call, std::string_view keyword) {
  const auto given = call.as_written.find(keyword);
  if (given == call.as_written.end() || given->second == "False") return false;
  return given->second == "True" ? std::optional(true) : std::nullopt;
}

/// A loss of each element: "none". Nothing if the argument is no plain string.
std::optional<bool> keeps_elements(const CallArguments& call) {
  const auto given = call.as_written.find("reduction");
  if (given == call.as_written.end()) return false;
  const std::string_view text = given->second;
  const bool plain = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return plain ? std::optional(text.substr(1, text.size() - 2) == "none") : std::nullopt;
}

Sizes reduced(const CallArguments& call, bool needs_elements) {
  const AbstractValue* input = input_of(call);
  if (!input) return std::nullopt;
  const Shape& shape = *input->shape;
  const AbstractValue* dim = call.parameter(0, "dim");
  if (!dim && call.keywords.contains("axis")) return std::nullopt;
  const bool all = !dim;
  const auto keep = is_true(call, "keepdim");
  if (!keep) return std::nullopt;
  if (call.others.size() > 1) return std::nullopt;
  std::vector<bool> gone(shape.size(), all);
  if (!all) {
    auto axes = numbers(*dim);
    if (!axes || axes->empty()) return std::nullopt;
    for (std::int64_t axis : *axes) {
      auto at = axis_of(axis, shape.size());
      if (!at) return std::nullopt;
      gone[*at] = true;
    }
  }
  Shape made;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (gone[i] && shape[i] == 0 && needs_elements) return std::nullopt;
    if (!gone[i]) made.push_back(shape[i]);
    if (gone[i] && *keep) made.push_back(1);
  }
  return made;
}

Sizes along(const CallArguments& call) {
  const AbstractValue* input = input_of(call);
  if (!input) return std::nullopt;
  const AbstractValue* dim = call.parameter(0, "dim");
  auto axis = number(dim, -1);
  if (!axis || !axis_of(*axis, std::max<std::size_t>(input->shape->size(), 1))) return std::nullopt;
  return input->shape;
}

/// A matrix product: inner sizes must be equal, and batch dimensions broadcast.
Sizes product(const CallArguments& call) {
  if (call.operands.size() != 2 || !call.operands[0].shape || !call.operands[1].shape) return std::nullopt;
  Shape one = *call.operands[0].shape;
  Shape other = *call.operands[1].shape;
  if (one.empty() || other.empty()) return std::nullopt;
  std::size_t inner = other.size() == 1 ? 0 : other.size() - 2;
  if (one.back() != other[inner]) return std::nullopt;
  Shape ends;
  if (one.size() > 1) ends.push_back(one[one.size() - 2]);
  if (other.size() > 1) ends.push_back(other.back());
  if (call.name == "mm" && (one.size() != 2 || other.size() != 2)) return std::nullopt;
  if (call.name == "bmm" && (one.size() != 3 || other.size() != 3 || one[0] != other[0])) return std::nullopt;
  one.resize(one.size() > 2 ? one.size() - 2 : 0);
  other.resize(other.size() > 2 ? other.size() - 2 : 0);
  auto front = broadcast_shapes(one, other);
  if (!front) return std::nullopt;
  front->insert(front->end(), ends.begin(), ends.end());
  return front;
}

Sizes linear(const CallArguments& call) {
  const AbstractValue* input = input_of(call);
  if (!input || input->shape->empty() || call.operands.size() < 2 || !call.operands[1].shape) return std::nullopt;
  const Shape& weight = *call.operands[1].shape;
  if (weight.size() != 2 || weight[1] != input->shape->back()) return std::nullopt;
  Shape made = *input->shape;
  made.back() = weight[0];
  if (call.operands.size() > 2 && call.operands[2].is_tensor() && call.operands[2].shape != Shape{weight[0]})
    return std::nullopt;
  return made;
}

Sizes swapped(const Shape& shape, std::int64_t one, std::int64_t other) {
  auto first = axis_of(one, shape.size());
  auto second = axis_of(other, shape.size());
  if (!first || !second) return std::nullopt;
  Shape made = shape;
  std::swap(made[*first], made[*second]);
  return made;
}

Sizes reshaped(const Shape& shape, Shape sizes, bool expands) {
  if (expands) {
    if (sizes.size() < shape.size()) return std::nullopt;
    std::size_t fresh = sizes.size() - shape.size();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (i < fresh ? sizes[i] < 0 : sizes[i] != -1 && sizes[i] != shape[i - fresh] && shape[i - fresh] != 1)
        return std::nullopt;
      if (sizes[i] == -1) sizes[i] = shape[i - fresh];
    }
    return sizes;
  }
  std::int64_t count = element_count(shape);
  auto open = std::find(sizes.begin(), sizes.end(), -1);
  if (open != sizes.end()) {
    *open = 1;
    std::int64_t rest = element_count(sizes);
    if (rest <= 0 || count % rest != 0) return std::nullopt;
    *open = count / rest;
  }
  return element_count(sizes) == count ? Sizes(sizes) : std::nullopt;
}

Sizes flattened(const Shape& shape, std::int64_t from, std::int64_t to) {
  if (shape.empty()) return Shape{1};
  auto first = axis_of(from, shape.size());
  auto last = axis_of(to, shape.size());
  if (!first || !last || *first > *last) return std::nullopt;
  Shape made(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(*first));
  std::int64_t size = 1;
  for (std::size_t i = *first; i <= *last; ++i) size *= shape[i];
  made.push_back(size);
  made.insert(made.end(), shape.begin() + static_cast<std::ptrdiff_t>(*last) + 1, shape.end());
  return made;
}

/// An axis more, an axis less, or a part of one: the axis is a parameter.
Sizes with_axis(const CallArguments& call, const Shape& shape) {
  const ShapeRule rule = call.rule->shape;
  auto axis = number(call.parameter(0, "dim"));
  auto at = axis ? axis_of(*axis, shape.size() + (rule == ShapeRule::kUnsqueezed ? 1 : 0)) : std::nullopt;
  if (!at) return std::nullopt;
  Shape made = shape;
  auto place = made.begin() + static_cast<std::ptrdiff_t>(*at);
  if (rule == ShapeRule::kUnsqueezed) {
    made.insert(place, 1);
    return made;
  }
  if (rule == ShapeRule::kSqueezed) {
    if (*place == 1) made.erase(place);
    return made;
  }
  if (rule == ShapeRule::kSelected) {
    auto index = number(call.parameter(1, "index"));
    if (!index || *index >= *place || *index < -*place) return std::nullopt;
    made.erase(place);
    return made;
  }
  auto start = number(call.parameter(1, "start"));
  auto length = number(call.parameter(2, "length"));
  if (!start || !length || *start < 0 || *start + *length > *place) return std::nullopt;
  *place = *length;
  return made;
}

/// What is made of a shape by all numbers behind the input: axes or sizes.
Sizes by_numbers(ShapeRule rule, const Shape& shape, const Shape& given) {
  Shape made;
  switch (rule) {
    case ShapeRule::kSameAxes: {
      bool fits = std::all_of(given.begin(), given.end(), [&](auto axis) { return axis_of(axis, shape.size()); });
      return fits ? Sizes(shape) : std::nullopt;
    }
    case ShapeRule::kReshaped:
      return reshaped(shape, given, false);
    case ShapeRule::kExpanded:
      return reshaped(shape, given, true);
    case ShapeRule::kPermuted:
      if (given.size() != shape.size()) return std::nullopt;
      for (std::int64_t axis : given) {
        auto at = axis_of(axis, shape.size());
        if (!at) return std::nullopt;
        made.push_back(shape[*at]);
      }
      return made;
    case ShapeRule::kRepeated:
      if (given.size() < shape.size()) return std::nullopt;
      made = given;
      for (std::size_t i = 0; i < shape.size(); ++i) made[made.size() - shape.size() + i] *= shape[i];
      return made;
    default:
      return std::nullopt;
  }
}

Sizes rearranged(const CallArguments& call) {
  const AbstractValue* input = input_of(call);
  if (!input) return std::nullopt;
  const Shape& shape = *input->shape;
  switch (call.rule->shape) {
    case ShapeRule::kSame2d:
      return shape.size() >= 2 ? Sizes(shape) : std::nullopt;
    case ShapeRule::kSame1d:
      return shape.empty() ? std::nullopt : Sizes(shape);
    case ShapeRule::kSameRank:
      return shape.size() == (input->was ? input->was->size() : shape.size()) ? Sizes(shape) : std::nullopt;
    case ShapeRule::kTransposed:
      return shape.size() == 2 ? swapped(shape, 0, 1) : shape;
    case ShapeRule::kAdjoined:
      return swapped(shape, -1, -2);
    case ShapeRule::kSwapped: {
      auto one = number(call.parameter(0, "dim0"));
      auto other = number(call.parameter(1, "dim1"));
      return one && other ? swapped(shape, *one, *other) : std::nullopt;
    }
    case ShapeRule::kFlattened: {
      auto from = number(call.parameter(0, "start_dim"), 0);
      auto to = number(call.parameter(1, "end_dim"), -1);
      return from && to ? flattened(shape, *from, *to) : std::nullopt;
    }
    case ShapeRule::kSqueezed:
      if (call.others.empty() && call.keywords.empty()) {
        Shape made = shape;
        std::erase(made, 1);
        return made;
      }
      return with_axis(call, shape);
    case ShapeRule::kUnsqueezed:
    case ShapeRule::kSelected:
    case ShapeRule::kNarrowed:
      return with_axis(call, shape);
    default: {
      auto given = all_numbers(call);
      return given ? by_numbers(call.rule->shape, shape, *given) : std::nullopt;
    }
  }
}

Sizes joined(const CallArguments& call, bool stacks) {
  if (call.operands.size() != 1 || call.operands[0].items.empty()) return std::nullopt;
  const std::vector<AbstractValue>& items = call.operands[0].items;
  for (const AbstractValue& item : items)
    if (!item.is_tensor() || !item.shape) return std::nullopt;
  Shape made = *items[0].shape;
  auto axis = number(call.parameter(0, "dim"), 0);
  auto at = axis ? axis_of(*axis, made.size() + (stacks ? 1 : 0)) : std::nullopt;
  if (!at) return std::nullopt;
  for (std::size_t i = 1; i < items.size(); ++i) {
    const Shape& other = *items[i].shape;
    if (other.size() != made.size()) return std::nullopt;
    for (std::size_t k = 0; k < made.size(); ++k)
      if (other[k] != made[k] && (stacks || k != *at)) return std::nullopt;
    if (!stacks) made[*at] += other[*at];
  }
  if (stacks) made.insert(made.begin() + static_cast<std::ptrdiff_t>(*at), static_cast<std::int64_t>(items.size()));
  return made;
}

/// Adaptive pooling: `output_size` is one size for all pooled axes, or one for each.
Sizes adapted(const CallArguments& call) {
  const AbstractValue* input = input_of(call);
  const AbstractValue* asked = call.parameter(0, "output_size");
  auto sizes = asked ? numbers(*asked) : std::nullopt;
  if (!input || !sizes || call.others.size() + call.keywords.size() != 1) return std::nullopt;
  const std::size_t axes = static_cast<std::size_t>(call.name[call.name.size() - 2] - '0');
  const std::size_t rank = input->shape->size();
  if (sizes->size() == 1) sizes->resize(axes, sizes->front());
  const bool positive = std::all_of(sizes->begin(), sizes->end(), [](std::int64_t size) { return size > 0; });
  if (sizes->size() != axes || !positive || (rank != axes + 1 && rank != axes + 2)) return std::nullopt;
  if (element_count(*input->shape) == 0) return std::nullopt;
  Shape made = *input->shape;
  std::copy(sizes->begin(), sizes->end(), made.end() - static_cast<std::ptrdiff_t>(axes));
  return made;
}

Sizes normalised(const CallArguments& call) {
  const AbstractValue* input = input_of(call);
  const AbstractValue* sizes = call.parameter(0, "normalized_shape");
  auto fixed = sizes ? numbers(*sizes) : std::nullopt;
  if (!input || !fixed || fixed->size() > input->shape->size()) return std::nullopt;
  bool same = std::equal(fixed->rbegin(), fixed->rend(), input->shape->rbegin());
  return same ? input->shape : std::nullopt;
}

}  // namespace

Sizes broadcast(const std::vector<AbstractValue>& operands) {
  Sizes made = Shape();
  for (const AbstractValue& one : operands) {
    if (one.kind == AbstractValue::Kind::kNumber) continue;
    if (!one.is_tensor() || !one.shape) return std::nullopt;
    made = broadcast_shapes(*made, *one.shape);
    if (!made) return std::nullopt;
  }
  return made;
}

std::optional<std::int64_t> batch_of(const CallArguments& call) {
  const AbstractValue* input = input_of(call);
  if (!input || !input->was || (call.rule->shape != ShapeRule::kConvolution && call.rule->shape != ShapeRule::kPooling))
    return std::nullopt;
  for (std::size_t i = 1; i < call.operands.size(); ++i)
    if (call.operands[i].resized) return std::nullopt;
  const Shape& shape = *input->shape;
  std::size_t rank = static_cast<std::size_t>(call.name[call.name.size() - 2] - '0') + 2;
  bool front = shape.size() == rank && input->was->size() == rank && shape[0] > 0 &&
               std::equal(shape.begin() + 1, shape.end(), input->was->begin() + 1);
  return front ? std::optional(shape[0]) : std::nullopt;
}

Sizes shape_of(const CallArguments& call) {
  if (!call.rule) return std::nullopt;
  switch (call.rule->shape) {
    case ShapeRule::kBroadcast:
      return broadcast(call.operands);
    case ShapeRule::kReduced:
    case ShapeRule::kReducedFilled:
      return reduced(call, call.rule->shape == ShapeRule::kReducedFilled);
    case ShapeRule::kReducedPair:
      if (!call.others.empty() || !call.keywords.empty()) return std::nullopt;
      return reduced(call, true);
    case ShapeRule::kAlong:
    case ShapeRule::kAlongPair:
      return along(call);
    case ShapeRule::kLoss: {
      // A loss over no elements is defined (its mean is NaN), so empty shapes are accepted.
      const auto none = keeps_elements(call);
      auto both = none && call.others.empty() ? broadcast(call.operands) : std::nullopt;
      return both && !*none ? Shape() : both;
    }
    case ShapeRule::kProduct:
      return product(call);
    case ShapeRule::kLinear:
      return linear(call);
    case ShapeRule::kCat:
      return joined(call, false);
    case ShapeRule::kStack:
      return joined(call, true);
    case ShapeRule::kAdaptive:
      return adapted(call);
    case ShapeRule::kLayerNorm:
      return normalised(call);
    default:
      return call.rule->rearranges() ? rearranged(call) : std::nullopt;
  }
}

}  // namespace jp::mutate
