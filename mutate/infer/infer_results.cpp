// Inference of results of calls, and of in-place writes; see infer_values.h.
#include <algorithm>
#include <array>

#include "core/broadcast.h"
#include "core/promotion.h"
#include "mutate/engine/notes.h"
#include "mutate/infer/infer_values.h"
#include "mutate/names/scopes.h"

namespace jp::mutate {
namespace {

using Kind = AbstractValue::Kind;
using ShapeRule = OperatorFacts::ShapeRule;

/// Names that are not operators but read or make gradients, or run code under other rules: they are assumed to reject
/// inputs that require gradients.
constexpr std::array<std::string_view, 19> kOfGradients = {
    "backward", "grad",         "register_hook", "retain_grad", "requires_grad",  "vmap",    "as_subclass",
    "jvp",      "vjp",          "checkpoint",    "cond",        "scan",           "compile", "hessian",
    "deepcopy", "share_memory", "jacobian",      "while_loop",  "functional_call"};

bool among(std::string_view word, const auto& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The differences of operands that propagate to a result.
struct Changes {
  bool retyped = false;
  bool resized = false;
  bool regrad = false;
  void add(const AbstractValue& value) {
    retyped = retyped || value.retyped;
    resized = resized || value.resized;
    regrad = regrad || value.regrad;
    for (const AbstractValue& item : value.items) add(item);
  }
};

Changes changes_of(const std::vector<AbstractValue>& all) {
  Changes found;
  for (const AbstractValue& one : all) found.add(one);
  return found;
}

/// An argument after the operands may differ only if it is a size computed from a shape and the rule computes with it.
bool is_compatible(const AbstractValue& value, const OperatorFacts* rule) {
  if (value.kind == Kind::kList)
    return std::all_of(value.items.begin(), value.items.end(),
                       [&](const AbstractValue& item) { return is_compatible(item, rule); });
  bool size = value.kind == Kind::kNumber && value.number && !value.retyped && !value.regrad;
  return !value.changed() || (size && rule && rule->rearranges());
}

/// An argument says the result's dtype: "to", "type", "type_as".
bool type_is_given(std::string_view name) {
  const OperatorFacts* op = find_operator(name);
  return op && op->type == OperatorFacts::TypeRule::kGiven;
}

bool parameters_stay(const CallArguments& asked) {
  for (const AbstractValue& one : asked.others)
    if (!is_compatible(one, asked.rule)) return false;
  for (const auto& [keyword, one] : asked.keywords)
    if (one.changed()) return false;
  return true;
}

bool rejects_own_gradients(std::string_view name) {
  const OperatorFacts* op = find_operator(name);
  return (op && op->rejects_gradients) || among(name, kOfGradients);
}

/// The operator rejects gradients of arguments after its operands (weights and some targets of losses, running
/// statistics of norms), and one of these now requires them.
bool refuses_gradients(const CallArguments& asked) {
  const OperatorFacts* op = find_operator(asked.name);
  if (!op || !op->rejects_gradients_behind) return false;
  for (const AbstractValue& one : asked.others)
    if (one.regrad) return true;
  return std::any_of(asked.keywords.begin(), asked.keywords.end(), [](const auto& one) { return one.second.regrad; });
}

/// A bound in a slice's text; `otherwise` if it is absent, nothing if it is no integer literal.
std::optional<std::int64_t> bound_of(std::string_view text, std::int64_t otherwise) {
  std::size_t begin = text.find_first_not_of(" ");
  if (begin == std::string_view::npos) return otherwise;
  return read_number(text.substr(begin, text.find_last_not_of(" ") + 1 - begin));
}

/// The size that a slice gives of an axis of `size`; nothing if its bounds are not literals or its step is not
/// positive.
std::optional<std::int64_t> sliced(std::string_view text, std::int64_t size) {
  std::size_t first = text.find(':');
  std::size_t second = text.find(':', first + 1);
  auto from = bound_of(text.substr(0, first), 0);
  auto to = bound_of(text.substr(first + 1, second == std::string_view::npos ? second : second - first - 1), size);
  auto step = second == std::string_view::npos ? std::optional<std::int64_t>(1) : bound_of(text.substr(second + 1), 1);
  if (!from || !to || !step || *step < 1) return std::nullopt;
  auto clamped = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
  return std::max<std::int64_t>((clamped(*to) - clamped(*from) + *step - 1) / *step, 0);
}

}  // namespace

std::optional<Shape> indexed(const Shape& shape, const std::vector<Node>& indices,
                             const std::vector<AbstractValue>& values) {
  Shape made;
  std::size_t axis = 0;
  std::size_t taken = 0;
  for (const Node& index : indices) taken += index.is("ellipsis") || index.is("none") ? 0 : 1;
  if (taken > shape.size()) return std::nullopt;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i].is("none")) {
      made.push_back(1);
    } else if (indices[i].is("ellipsis")) {
      for (std::size_t left = shape.size() - taken; left > 0; --left) made.push_back(shape[axis++]);
      taken = shape.size();
    } else if (indices[i].is("slice")) {
      auto size = sliced(indices[i].text(), shape[axis++]);
      if (!size) return std::nullopt;
      made.push_back(*size);
    } else {
      if (!values[i].number || *values[i].number >= shape[axis] || *values[i].number < -shape[axis])
        return std::nullopt;
      ++axis;
    }
  }
  made.insert(made.end(), shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.end());
  return made;
}

bool rejects_gradients(std::string_view name) {
  const OperatorFacts* op = find_operator(name);
  return rejects_own_gradients(name) || (op && op->rejects_gradients_behind);
}

std::optional<AbstractValue> ExpressionInference::result(CallArguments& asked) {
  Changes changes = changes_of(asked.operands);
  if (!parameters_stay(asked) || asked.keywords.contains("out")) {
    Changes others = changes_of(asked.others);
    for (const auto& [keyword, one] : asked.keywords) others.add(one);
    bool none =
        !changes.retyped && !changes.resized && !changes.regrad && !others.retyped && !others.resized && !others.regrad;
    // If arguments after the operands differ only in requires_grad, the operator still accepts them.
    bool grads =
        !changes.retyped && !changes.resized && !others.retyped && !others.resized && !asked.keywords.contains("out");
    if (none) return AbstractValue();
    if (!grads) return std::nullopt;
    changes.regrad = true;
  }
  if (changes.regrad && (rejects_own_gradients(asked.name) || refuses_gradients(asked))) return std::nullopt;
  if (!asked.rule && (changes.retyped || changes.resized)) return std::nullopt;
  AbstractValue made = AbstractValue::tensor({}, {});
  made.retyped = changes.retyped;
  made.resized = changes.resized;
  // The rules assume torch's initial default dtype, float32.
  if (asked.rule && !parsed_.has_word("set_default_dtype")) made.dtype = type_of(asked);
  if (made.retyped && !made.dtype) return std::nullopt;
  if (auto dtype = asked.as_written.find("dtype"); dtype != asked.as_written.end() && dtype->second != "None") {
    made.dtype.reset();
    made.retyped = false;
  }
  if (asked.rule) made.shape = shape_of(asked);
  if (made.resized && !made.shape) {
    made.batch = asked.rule ? batch_of(asked) : std::nullopt;
    if (!made.batch) return std::nullopt;
  }
  made.regrad = changes.regrad && !(made.dtype && is_integral(*made.dtype));
  // Views of leaves that require gradients must not be written in place either.
  const bool fresh = asked.rule && asked.rule->is_new();
  made.leaf = !fresh && std::any_of(asked.operands.begin(), asked.operands.end(),
                                    [](const AbstractValue& one) { return one.leaf; });
  bool pair = asked.rule && (asked.rule->shape == ShapeRule::kAlongPair ||
                             (asked.rule->shape == ShapeRule::kReducedPair && !made.shape));
  if (!pair && !(asked.rule && asked.rule->shape == ShapeRule::kParts)) return made;
  if (made.resized && !made.shape) return std::nullopt;
  AbstractValue list;
  list.kind = Kind::kList;
  if (pair) {
    AbstractValue places = made;
    places.dtype = Dtype::kInt64;
    places.retyped = places.regrad = false;
    list.items = {made, places};
    return list;
  }
  return made;
}

bool ExpressionInference::special(const CallArguments& asked, bool in_place, std::optional<AbstractValue>& made) {
  made.reset();
  if (asked.operands.empty() || !asked.operands[0].is_tensor()) return false;
  const AbstractValue& on = asked.operands[0];
  bool stays = parameters_stay(asked);
  if (in_place) return false;
  if (asked.name == "detach" || asked.name == "contiguous" || asked.name == "cpu") {
    if (!stays) return true;
    made = on;
    if (asked.name == "detach") made->regrad = made->leaf = false;
    return true;
  }
  if (asked.name == "item" || asked.name == "tolist" || asked.name == "numel" || asked.name == "nelement") {
    if (on.retyped || on.resized) return true;
    made = AbstractValue();
    return true;
  }
  if (asked.name == "size" || asked.name == "dim" || asked.name == "is_contiguous" ||
      asked.name == "is_floating_point") {
    bool same = asked.name == "is_floating_point" ? !on.retyped : !on.resized;
    if (same) made = AbstractValue();
    if (asked.name != "size" || !on.resized || asked.others.size() != 1 || !asked.others[0].number || !on.shape)
      return true;
    std::int64_t at = *asked.others[0].number + (*asked.others[0].number < 0 ? std::ssize(*on.shape) : 0);
    if (at < 0 || at >= std::ssize(*on.shape)) return true;
    made = AbstractValue();
    made->kind = Kind::kNumber;
    made->dtype = Dtype::kInt64;
    made->number = (*on.shape)[static_cast<std::size_t>(at)];
    made->resized = true;
    return true;
  }
  made = cast(asked);
  return made || type_is_given(asked.name);
}

std::optional<AbstractValue> ExpressionInference::cast(const CallArguments& asked) {
  AbstractValue made = asked.operands[0];
  made.retyped = false;
  made.dtype.reset();
  if (const OperatorFacts* op = find_operator(asked.name); op && op->casts_to) {
    made.dtype = op->casts_to;
    return made;
  }
  bool to = type_is_given(asked.name) && asked.name != "type_as";
  if (asked.name == "type_as" || (to && asked.others.size() == 1 && asked.others[0].is_tensor())) {
    if (asked.others.size() != 1 || asked.others[0].retyped) return std::nullopt;
    made.dtype = asked.others[0].dtype;
    return made;
  }
  if (!to || !parameters_stay(asked)) return std::nullopt;
  // The dtype is fixed by the text, so the result has the dtype that facts saw.
  return made;
}

bool ExpressionInference::may_write(const Node& target, const AbstractValue& to, const AbstractValue& value) {
  if (to.leaf) return false;
  if (value.retyped || to.retyped)
    if (!value.dtype || !to.dtype || !can_cast(*value.dtype, *to.dtype)) return false;
  if (value.resized || to.resized) {
    if (!value.shape || !to.shape) return false;
    if (!expands_to(*value.shape, *to.shape)) return false;
  }
  if (!value.regrad && !to.regrad) return true;
  // A write that changes requires_grad changes it for views of the same storage too, and some views must not be written
  // at all.
  if (!target || !target.is("identifier")) return false;
  const NameFacts* known = facts_.find_before(statement_.id, std::string(target.text()));
  if (!known || !known->storage) return false;
  auto point = facts_.before.find(statement_.id);
  for (const auto& [other, facts] : point->second)
    if (other != target.text() && facts.storage == known->storage) return false;
  return true;
}

std::optional<AbstractValue> ExpressionInference::as_written(const AbstractValue& to, AbstractValue value) {
  const bool known = to.dtype && to.shape && value.dtype && value.shape;
  if (!known || *value.shape != *to.shape) return std::nullopt;
  if (*value.dtype != Dtype::kBool && !can_cast(*value.dtype, *to.dtype)) return std::nullopt;
  value.dtype = to.dtype;
  return value;
}

std::optional<AbstractValue> ExpressionInference::written(CallArguments& asked, const Node& target) {
  if (asked.operands.empty()) return AbstractValue();
  AbstractValue self = asked.operands[0];
  Changes all = changes_of(asked.operands);
  for (const AbstractValue& one : asked.others) all.add(one);
  for (const auto& [keyword, one] : asked.keywords) all.add(one);
  if (!all.retyped && !all.resized && !all.regrad && !self.leaf) return self;
  std::optional<AbstractValue> value;
  const OperatorFacts* op = find_operator(asked.name);
  if (all.regrad && op && op->rejects_gradients_in_place) return std::nullopt;
  bool fills = asked.name == "zero" || asked.name == "fill";
  if (asked.name == "copy" && asked.others.size() == 1) {
    value = asked.others[0];
    if (self.retyped || value->retyped) value->dtype = self.dtype;
  } else if (fills && parameters_stay(asked)) {
    value = AbstractValue::tensor(self.dtype, Shape());
  } else if (asked.rule && asked.rule->shape == ShapeRule::kBroadcast) {
    value = result(asked);
    // In-place comparisons keep the dtype of their object.
    if (value && asked.rule->type == OperatorFacts::TypeRule::kBool) value->dtype = self.dtype;
  }
  if (!value || !self.is_tensor() || !may_write(target, self, *value)) return std::nullopt;
  if (value->regrad && !self.regrad) {
    self.regrad = true;
    looks_[std::string(target.text())] = self;
  }
  return self;
}

}  // namespace jp::mutate
