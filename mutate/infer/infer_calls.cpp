// Inference of calls: what is called, and with which values. Results of calls are in infer_results.cpp.
#include <algorithm>

#include "mutate/calls/operator_call.h"
#include "mutate/infer/infer_values.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

using Kind = AbstractValue::Kind;
using ShapeRule = OperatorFacts::ShapeRule;

/// The name is `self`, or a function or class that the module defines.
bool defined_here(const Parsed& parsed, std::string_view name) {
  if (name == "self") return true;
  for (const Statement& statement : parsed.statements()) {
    if (statement.parent < 0 && defined_name(statement) == name) return true;
  }
  return false;
}

/// The program's code works the same whether or not tensors that are not leaves require gradients: it has no in-place
/// write, no `out=`, and no function that rejects inputs that require gradients. `__init__` and make_inputs are not
/// considered.
bool any_gradients(const Parsed& parsed) {
  for (int i = 0; i < parsed.tree().size(); ++i) {
    const Node node = parsed.tree().node(i);
    const std::string_view function = node.is("function_definition") ? node.field("name").text() : "";
    if (function == "__init__" || (!function.empty() && function == parsed.program().inputs())) {
      i = node.past() - 1;
      continue;
    }
    if (assignment(node).augmented()) return false;
    if (node.is("subscript") && is_target(node)) return false;
    if (is_keyword(node, "out")) return false;
    if (!node.is("identifier")) continue;
    const std::string_view word = node.text();
    const bool writes = is_attribute_name(node) && names_write(word);
    if ((writes && !word.starts_with("requires_grad")) || rejects_gradients(word)) return false;
  }
  return true;
}

}  // namespace

bool ExpressionInference::read_arguments(const Call& call, std::vector<AbstractValue>& all, CallArguments& asked) {
  const auto given = call.given();
  for (const auto& [keyword, argument] : given.value_or(std::vector<GivenArgument>())) {
    auto one = value(argument);
    if (!one) return false;
    if (keyword.empty()) {
      all.push_back(*std::move(one));
      continue;
    }
    asked.as_written[keyword] = argument.text();
    asked.keywords[keyword] = *std::move(one);
  }
  return given.has_value();
}

std::optional<AbstractValue> ExpressionInference::call(const Call& call) {
  if (call.function.is("identifier")) return identifier_call(call);
  if (!call.object) return std::nullopt;
  std::vector<AbstractValue> all;
  CallArguments asked;
  const bool other_name = renamed_ && call.node == renamed_;
  asked.name = other_name ? new_name_ : call.name;
  const Node object = call.object;
  bool by_function = !torch_.empty() && (object.text() == torch_ || object.text().starts_with(torch_ + "."));
  by_function = by_function || (!torch_.empty() && TorchNames(parsed_, statement_).is_functional(object));
  if (!by_function) {
    auto on = value(object);
    if (!on) return std::nullopt;
    if (!on->is_tensor()) return own_call(call);
    all.push_back(*std::move(on));
  }
  if (!read_arguments(call, all, asked)) return std::nullopt;
  bool in_place = names_write(asked.name);
  const NodeRange arguments = call.arguments.children();
  Node target = by_function ? (arguments.empty() ? Node() : arguments.front()) : object;
  if (in_place) asked.name.remove_suffix(1);
  if (asked.name.ends_with("_copy")) asked.name.remove_suffix(5);
  if (asked.name.starts_with("_foreach_")) return for_each(asked, all, in_place);
  asked.rule = find_rule(asked.name);
  std::size_t operands = !asked.rule                ? 1
                         : asked.rule->operands < 0 ? 1
                                                    : static_cast<std::size_t>(asked.rule->operands);
  for (AbstractValue& one : all)
    (asked.operands.size() < operands ? asked.operands : asked.others).push_back(std::move(one));
  const std::vector<std::string_view> parameters =
      asked.rule ? asked.rule->parameters : std::vector<std::string_view>{"input"};
  while (asked.operands.size() < std::min(operands, parameters.size())) {
    auto found = asked.keywords.find(parameters[asked.operands.size()]);
    if (found == asked.keywords.end()) break;
    asked.operands.push_back(std::move(found->second));
    asked.keywords.erase(found);
  }
  std::optional<AbstractValue> made;
  if (other_name) {
    if (!asked.rule || asked.operands.empty()) return std::nullopt;
    made = result(asked);
    return made && in_place ? as_written(asked.operands[0], *std::move(made)) : made;
  }
  if (special(asked, in_place, made)) return made;
  return in_place ? written(asked, target) : result(asked);
}

std::optional<AbstractValue> ExpressionInference::for_each(const CallArguments& call,
                                                           const std::vector<AbstractValue>& all, bool in_place) {
  CallArguments asked = call;
  asked.name.remove_prefix(std::string_view("_foreach_").size());
  asked.rule = find_rule(asked.name);
  const bool known =
      asked.rule && asked.rule->shape == ShapeRule::kBroadcast && !all.empty() && all[0].kind == Kind::kList;
  AbstractValue made;
  made.kind = Kind::kList;
  for (std::size_t i = 0; known && i < all[0].items.size(); ++i) {
    asked.operands.clear();
    asked.others.clear();
    for (const AbstractValue& one : all) {
      if (one.kind == Kind::kList && i >= one.items.size()) return std::nullopt;
      const AbstractValue& operand = one.kind == Kind::kList ? one.items[i] : one;
      auto& to = static_cast<int>(asked.operands.size()) < asked.rule->operands ? asked.operands : asked.others;
      to.push_back(operand);
    }
    auto one = result(asked);
    // In-place foreach functions write to tensors under names that are unknown here.
    if (!one || (in_place && one->changed())) return std::nullopt;
    made.items.push_back(*std::move(one));
  }
  // If one result requires gradients, all results do.
  if (std::any_of(made.items.begin(), made.items.end(), [](const AbstractValue& one) { return one.regrad; }))
    for (AbstractValue& one : made.items) one.regrad = true;
  bool changed = std::any_of(all.begin(), all.end(), [](const AbstractValue& one) { return one.changed(); });
  return known || !changed ? std::optional(made) : std::nullopt;
}

std::optional<AbstractValue> ExpressionInference::own_call(const Call& call) {
  if (!touches(call.node)) return AbstractValue();
  const Node root = path_root(call.function);
  const bool own = root.is("identifier") && defined_here(parsed_, root.text());
  std::vector<AbstractValue> all;
  CallArguments asked;
  if (!own || !any_gradients(parsed_) || !read_arguments(call, all, asked)) return std::nullopt;
  for (const auto& [keyword, one] : asked.keywords) all.push_back(one);
  for (const AbstractValue& one : all)
    if (one.leaf || one.retyped || one.resized || (one.kind != Kind::kTensor && one.changed())) return std::nullopt;
  AbstractValue made = AbstractValue::tensor({}, {});
  made.regrad = true;
  return made;
}

std::optional<AbstractValue> ExpressionInference::identifier_call(const Call& call) {
  const std::string_view name = call.name;
  if (!touches(call.node)) return AbstractValue();
  if (name != "len" && name != "abs") return own_call(call);
  auto given = call.arguments.children();
  if (name == "abs" && parsed_.scopes().resolve(name, scope_) < 0) {
    CallArguments asked{name, find_rule(name), {}, {}, {}, {}};
    return read_arguments(call, asked.operands, asked) ? result(asked) : std::nullopt;
  }
  if (name != "len" || given.size() != 1 || parsed_.scopes().resolve(name, scope_) >= 0) return std::nullopt;
  auto one = value(given.front());
  if (!one || !one->is_tensor() || !one->shape || one->shape->empty()) return std::nullopt;
  AbstractValue made = number_value(Dtype::kInt64, one->shape->front());
  made.resized = one->resized;
  return made;
}

}  // namespace jp::mutate
