#include "mutate/infer/infer_values.h"

#include <algorithm>
#include <array>
#include <limits>

#include "mutate/engine/notes.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

using Kind = AbstractValue::Kind;

}  // namespace

AbstractValue number_value(Dtype dtype, std::optional<std::int64_t> value) {
  AbstractValue made;
  made.kind = Kind::kNumber;
  made.dtype = dtype;
  made.number = value;
  return made;
}

std::optional<AbstractValue> abstract_value_of(const NameFacts* known) {
  if (!known) return std::nullopt;
  if (known->kind == "int" || known->kind == "bool" || known->kind == "float") {
    AbstractValue made = number_value(known->kind == "int"    ? Dtype::kInt64
                                      : known->kind == "bool" ? Dtype::kBool
                                                              : Dtype::kFloat64);
    if (known->kind == "int" && known->literal) made.number = read_number(*known->literal);
    return made;
  }
  if (known->kind != "tensor") return AbstractValue();
  AbstractValue made = AbstractValue::tensor(known->dtype, known->shape);
  made.was = known->shape;
  return made;
}

ExpressionInference::ExpressionInference(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                         AbstractState& state)
    : parsed_(parsed),
      facts_(facts),
      statement_(statement),
      looks_(state),
      torch_(torch_name(parsed, statement)),
      scope_(parsed.scopes().scope_of(statement)) {}

bool ExpressionInference::touches(const Node& node) const {
  for (const Use& use : parsed_.scopes().uses_in(node.begin(), node.end()))
    if (use.owner == scope_ && looks_.contains(use.name)) return true;
  return false;
}

std::optional<AbstractValue> ExpressionInference::value(const Node& node) {
  auto found = known(node);
  if (!found && !touches(node)) return AbstractValue();
  return found;
}

std::optional<AbstractValue> ExpressionInference::known(const Node& node) {
  if (node.is("identifier")) return name(node);
  if (is_imaginary(node)) return number_value(Dtype::kComplex128);
  if (node.is("integer")) return number_value(Dtype::kInt64, read_number(node.text()));
  if (node.is("float")) return number_value(Dtype::kFloat64);
  if (node.is("true") || node.is("false")) return number_value(Dtype::kBool);
  if (node.is("parenthesized_expression") && node.children().size() == 1) return value(node.children().front());
  if (is_sequence(node)) return list(node);
  if (const Attribute read = mutate::attribute(node)) return attribute(read);
  if (node.is("subscript")) return item(node);
  if (const Call made = mutate::call(node)) return call(made);
  const Operation made = operation(node);
  if (made.kind == Operation::Kind::kUnary) {
    auto operand = value(made.right);
    if (!operand) return std::nullopt;
    const std::string_view sign = made.symbol();
    if (operand->kind == Kind::kNumber) {
      // The least number has no negative of its type.
      if (operand->number == std::numeric_limits<std::int64_t>::min()) operand->number.reset();
      if (operand->number && sign == "-") operand->number = -*operand->number;
      if (sign == "~") operand->number.reset();
      return operand;
    }
    CallArguments asked{
        sign == "-" ? "neg" : sign == "~" ? "bitwise_not" : "positive", nullptr, {*operand}, {}, {}, {}};
    asked.rule = find_rule(asked.name);
    return result(asked);
  }
  if (!made || made.kind == Operation::Kind::kBoolean || made.kind == Operation::Kind::kAugmented || made.chained())
    return std::nullopt;
  auto left = value(made.left);
  auto right = value(made.right);
  if (!left || !right) return std::nullopt;
  return symbol(renamed_ && node == renamed_ ? new_name_ : made.symbol(), *left, *right);
}

std::optional<AbstractValue> ExpressionInference::renamed(const Node& node, std::string_view name) {
  renamed_ = node;
  new_name_ = name;
  std::optional<AbstractValue> made;
  if (const Assignment written = assignment(node); written.augmented()) {
    auto left = value(written.left);
    auto right = value(written.right);
    made = left && right ? symbol(name.substr(0, name.size() - 1), *left, *right) : std::nullopt;
    if (made && left->is_tensor()) made = as_written(*left, *std::move(made));
  } else {
    made = known(node);
  }
  renamed_ = Node();
  return made;
}

std::optional<AbstractValue> ExpressionInference::symbol(std::string_view symbol, const AbstractValue& left,
                                                         const AbstractValue& right) {
  const OperatorFacts* op = find_symbol(symbol, false);
  if (!op) return std::nullopt;
  // Arithmetic of Python numbers is not modelled.
  const bool tensors = left.is_tensor() || right.is_tensor();
  if (!tensors && (left.changed() || right.changed())) return std::nullopt;
  if (!tensors) return AbstractValue();
  CallArguments asked{op->name, find_rule(op->name), {left, right}, {}, {}, {}};
  return result(asked);
}

std::optional<AbstractValue> ExpressionInference::name(const Node& node) {
  if (auto found = looks_.find(node.text()); found != looks_.end()) {
    int owner = parsed_.scopes().resolve(node.text(), scope_);
    if (owner == scope_) return found->second;
  }
  return abstract_value_of(facts_.find_before(statement_.id, std::string(node.text())));
}

std::optional<AbstractValue> ExpressionInference::list(const Node& node) {
  AbstractValue made;
  made.kind = Kind::kList;
  for (const Node& child : node.children()) {
    auto one = is_splat(child) ? std::nullopt : value(child);
    if (!one) return std::nullopt;
    made.items.push_back(*std::move(one));
  }
  return made;
}

std::optional<AbstractValue> ExpressionInference::attribute(const Attribute& read) {
  auto object = value(read.object);
  if (!object) return std::nullopt;
  const std::string_view asked = read.name;
  AbstractValue made;
  if (!object->is_tensor()) return object->changed() ? std::nullopt : std::optional(made);
  if (asked == "shape") {
    if (!object->shape) return object->resized ? std::nullopt : std::optional(made);
    made.kind = Kind::kList;
    for (std::size_t i = 0; i < object->shape->size(); ++i) {
      made.items.push_back(number_value(Dtype::kInt64, (*object->shape)[i]));
      made.items.back().resized = object->resized;
    }
    return made;
  }
  if (asked == "dtype") return made.retyped = object->retyped, made;
  if (asked == "device" || asked == "layout" || asked == "is_cuda") return made;
  if (asked == "requires_grad" || asked == "is_leaf") return made.regrad = object->regrad, made;
  if (asked == "ndim" && !object->resized) return made;
  if (asked != "T" && asked != "mT" && asked != "data") return object->changed() ? std::nullopt : std::optional(made);
  made = *object;
  made.was.reset();
  if (asked == "data") made.regrad = made.leaf = false;
  if (asked != "data" && made.shape) {
    if (made.shape->size() < 2) return object->changed() ? std::nullopt : std::optional(AbstractValue());
    if (asked == "T" && made.shape->size() != 2) return object->resized ? std::nullopt : std::optional(made);
    std::swap((*made.shape)[made.shape->size() - 1], (*made.shape)[made.shape->size() - 2]);
  }
  return made;
}

std::optional<AbstractValue> ExpressionInference::item(const Node& subscript) {
  auto base = value(subscript.field("value"));
  if (!base) return std::nullopt;
  std::vector<Node> indices = subscript.children();
  indices.erase(indices.begin());
  bool plain = true;
  std::vector<AbstractValue> values;
  for (const Node& index : indices) {
    bool basic = index.is("slice") || index.is("ellipsis") || index.is("none");
    auto one = value(index);
    if (!one && index.is("slice") && !touches(index)) one = AbstractValue();
    if (!one || one->changed()) return std::nullopt;
    plain = plain && (basic || one->number);
    values.push_back(*one);
  }
  if (base->kind == Kind::kList) {
    if (!base->changed()) {
      bool fits = values.size() == 1 && values[0].number && *values[0].number >= 0 &&
                  *values[0].number < static_cast<std::int64_t>(base->items.size());
      return fits ? base->items[static_cast<std::size_t>(*values[0].number)] : AbstractValue();
    }
    if (values.size() != 1 || !values[0].number) return std::nullopt;
    std::int64_t at = *values[0].number;
    if (at < 0) at += static_cast<std::int64_t>(base->items.size());
    if (at < 0 || at >= static_cast<std::int64_t>(base->items.size())) return std::nullopt;
    return base->items[static_cast<std::size_t>(at)];
  }
  if (!base->is_tensor()) return base->changed() ? std::nullopt : std::optional(AbstractValue());
  AbstractValue made = *base;
  made.was.reset();
  made.shape = plain && base->shape ? indexed(*base->shape, indices, values) : std::nullopt;
  if (base->resized && !made.shape) return std::nullopt;
  return made;
}

}  // namespace jp::mutate
