#include "mutate/infer/operator_rules.h"

#include <algorithm>

#include "core/promotion.h"

namespace jp::mutate {
namespace {

using ShapeRule = OperatorFacts::ShapeRule;
using TypeRule = OperatorFacts::TypeRule;

/// The dtype to which the operands are promoted; nothing if one is unknown, or if the result is complex32.
std::optional<Dtype> promoted(const std::vector<AbstractValue>& operands) {
  std::vector<PromotionOperand> known;
  for (const AbstractValue& one : operands) {
    if (!one.dtype || (one.is_tensor() && !one.shape)) return std::nullopt;
    known.push_back(one.is_tensor() ? PromotionOperand::tensor(*one.dtype, one.shape->size())
                                    : PromotionOperand::number(*one.dtype));
  }
  return promote(known);
}

Dtype result_type(TypeRule rule, Dtype type) {
  switch (rule) {
    case TypeRule::kFloat:
      return to_floating(type);
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

std::optional<Dtype> type_of(const CallArguments& call) {
  if (!call.rule) return std::nullopt;
  std::vector<AbstractValue> operands = call.operands;
  // The mask is no operand of the promotion, and its dtype must not change.
  const TypeRule rule = call.rule->type;
  const std::size_t mask = rule == TypeRule::kWhere ? 0 : rule == TypeRule::kMasked ? 1 : operands.size();
  if (mask < operands.size()) {
    if (operands[mask].retyped) return std::nullopt;
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(mask));
  }
  if (call.rule->operands < 0 && !operands.empty()) operands = operands.front().items;
  if (rule == TypeRule::kAlike && !alike(operands)) return std::nullopt;
  // torch's subtraction rejects a bool on either side, whatever the other operand is.
  const bool minus = call.name == "sub" || call.name == "subtract" || call.name == "rsub";
  for (const AbstractValue& one : operands)
    if (minus && one.dtype == Dtype::kBool) return std::nullopt;
  auto type = promoted(operands);
  if (!type || !call.rule->takes.contains(*type)) return std::nullopt;
  return result_type(rule, *type);
}

}  // namespace jp::mutate
