#include "mutate/infer/operator_rules.h"

#include <algorithm>

namespace jp::mutate {
namespace {

using ShapeRule = OperatorFacts::ShapeRule;
using TypeRule = OperatorFacts::TypeRule;

int category(Dtype dtype) {
  if (dtype == Dtype::kBool) return 0;
  return is_integral(dtype) ? 1 : is_complex(dtype) ? 3 : 2;
}

Dtype wider(Dtype one, Dtype other) {
  if (one == other) return one;
  if (category(one) > category(other)) std::swap(one, other);
  if (is_complex(other)) return one == Dtype::kFloat64 || one == Dtype::kComplex128 ? Dtype::kComplex128 : other;
  if (category(one) < category(other)) return other;
  if (is_floating(one))
    return dtype_size(one) == dtype_size(other) ? Dtype::kFloat32 : dtype_size(one) > dtype_size(other) ? one : other;
  bool sign = one == Dtype::kUInt8 || other == Dtype::kUInt8;
  if (sign && dtype_size(one) == dtype_size(other)) return Dtype::kInt16;
  return dtype_size(one) > dtype_size(other) ? one : other;
}

/// Tensors of one dimension or more, those of none, and numbers: the first rule where they are not of a lower kind.
int weight(const AbstractValue& look) {
  if (!look.is_tensor()) return 0;
  return look.shape && look.shape->empty() ? 1 : 2;
}

Dtype result_type(TypeRule rule, Dtype type) {
  switch (rule) {
    case TypeRule::kFloat:
      return is_integral(type) ? Dtype::kFloat32 : type;
    case TypeRule::kBool:
      return Dtype::kBool;
    case TypeRule::kTruth:
      return type == Dtype::kUInt8 ? type : Dtype::kBool;
    case TypeRule::kInt64:
      return Dtype::kInt64;
    case TypeRule::kWidened:
      return is_integral(type) ? Dtype::kInt64 : type;
    default:
      return type;
  }
}

bool alike(const std::vector<AbstractValue>& operands) {
  for (const AbstractValue& one : operands)
    if (one.is_tensor() && (!one.dtype || one.dtype != operands.front().dtype)) return false;
  return true;
}

}  // namespace

bool AbstractValue::changed() const {
  return retyped || resized || regrad || leaf ||
         std::any_of(items.begin(), items.end(), [](const AbstractValue& item) { return item.changed(); });
}

AbstractValue AbstractValue::tensor(std::optional<Dtype> dtype, std::optional<Shape> shape) {
  AbstractValue made;
  made.kind = Kind::kTensor;
  made.dtype = dtype;
  made.shape = std::move(shape);
  return made;
}

const OperatorFacts* find_rule(std::string_view name) {
  const OperatorFacts* op = find_operator(name);
  return op && op->shape != ShapeRule::kUnknown ? op : nullptr;
}

const AbstractValue* CallArguments::parameter(std::size_t place, std::string_view keyword) const {
  if (place < others.size()) return &others[place];
  auto found = keywords.find(keyword);
  return found == keywords.end() ? nullptr : &found->second;
}

std::optional<Dtype> promoted(const std::vector<AbstractValue>& operands) {
  std::optional<Dtype> by_weight[3];
  for (const AbstractValue& one : operands) {
    if (!one.dtype || (one.is_tensor() && !one.shape)) return std::nullopt;
    auto& at = by_weight[weight(one)];
    at = at ? wider(*at, *one.dtype) : *one.dtype;
  }
  std::optional<Dtype> type = by_weight[2];
  for (int lower : {1, 0}) {
    auto next = by_weight[lower];
    if (!next) continue;
    if (!type) {
      type = next;
    } else if (category(*next) > category(*type)) {
      // A number of a higher kind asks for the default of its kind, whatever its own width.
      Dtype plain = lower == 0 && is_floating(*next) ? Dtype::kFloat32 : *next;
      if (lower == 0 && is_complex(*next)) plain = Dtype::kComplex64;
      // Half numbers with an imaginary part: no type of ours.
      if (is_complex(*next) && *type == Dtype::kFloat16) return std::nullopt;
      if (is_complex(*next) && is_floating(*type))
        plain = *type == Dtype::kFloat64 ? Dtype::kComplex128 : Dtype::kComplex64;
      type = is_floating(plain) || is_complex(plain) ? plain : wider(*type, plain);
    }
  }
  return type;
}

std::optional<Dtype> type_of(const CallArguments& call) {
  if (!call.rule) return std::nullopt;
  std::vector<AbstractValue> operands = call.operands;
  // Masks stay masks.
  const TypeRule rule = call.rule->type;
  const std::size_t mask = rule == TypeRule::kWhere ? 0 : rule == TypeRule::kMasked ? 1 : operands.size();
  if (mask < operands.size()) {
    if (operands[mask].retyped) return std::nullopt;
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(mask));
  }
  if (call.rule->operands < 0 && !operands.empty()) operands = operands.front().items;
  if (rule == TypeRule::kAlike && !alike(operands)) return std::nullopt;
  // `-` takes no bools on either side, whatever the other one is.
  const bool minus = call.name == "sub" || call.name == "subtract" || call.name == "rsub";
  for (const AbstractValue& one : operands)
    if (minus && one.dtype == Dtype::kBool) return std::nullopt;
  auto type = promoted(operands);
  if (!type || !call.rule->takes.contains(*type)) return std::nullopt;
  return result_type(rule, *type);
}

bool castable(Dtype from, Dtype to) { return category(from) <= category(to); }

}  // namespace jp::mutate
