#include "mutate/infer/inference.h"

#include <algorithm>

#include "mutate/infer/infer_values.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

using Kind = AbstractValue::Kind;

/// Interprets the statements of one function.
class Walk {
 public:
  Walk(const Parsed& parsed, const Facts& facts, int scope, AbstractState state)
      : parsed_(parsed), facts_(facts), scope_(scope), state_(std::move(state)) {}

  /// Interprets the statements from `at` to the end of its block, then those after each enclosing statement of
  /// `inside`.
  bool run(const Statement* at, const Statement& inside) {
    for (const auto& [name, unused] : state_)
      if (parsed_.scopes().resolve(name, scope_) != scope_ || parsed_.scopes().captured(scope_, name)) return false;
    for (; at; at = next_in_block(parsed_, *at)) {
      if (state_.empty()) return true;
      if (!pass(*at)) return false;
    }
    for (int up = inside.parent; up >= 0 && up != inside.function; up = parsed_.statement(up).parent) {
      const Statement& around = parsed_.statement(up);
      // A loop may run earlier statements again, and a `try` may run its other clauses: neither is modelled.
      bool plain = around.kind() == "with_statement" || around.kind() == "if_statement";
      if (!plain && touches(around.begin, around.end)) return false;
      for (at = next_in_block(parsed_, around); at; at = next_in_block(parsed_, *at))
        if (!pass(*at)) return false;
    }
    return true;
  }

 private:
  bool touches(std::size_t begin, std::size_t end) const {
    for (const Use& use : parsed_.scopes().uses_in(begin, end))
      if (use.owner == scope_ && state_.contains(use.name)) return true;
    return false;
  }

  bool pass(const Statement& statement) {
    if (!touches(statement.begin, statement.end)) return true;
    if (const Node work = sole_expression(statement)) return expression(statement, work);
    if (statement.kind() == "return_statement") {
      ExpressionInference values(parsed_, facts_, statement, state_);
      const Statement* entry = entry_function(parsed_);
      return returned(values, statement.node.children().front(), entry && statement.function == entry->index);
    }
    if (statement.kind() == "delete_statement") {
      for (const Use& use : parsed_.scopes().uses_in(statement.begin, statement.end)) {
        if (use.kind != Use::Kind::kDelete) return false;
        if (auto gone = state_.find(use.name); gone != state_.end()) state_.erase(gone);
      }
      return true;
    }
    if (statement.kind() == "with_statement") return with(statement);
    return false;
  }

  bool with(const Statement& statement) {
    Node body = statement.node.field("body");
    if (!body || touches(statement.begin, body.begin())) return false;
    std::string_view head = parsed_.source();
    head = head.substr(statement.begin, body.begin() - statement.begin);
    // Other context managers (autocast, say) may change what operators do.
    bool known = head.find("grad") != std::string_view::npos || head.find("nullcontext") != std::string_view::npos;
    if (!known || head.find("autocast") != std::string_view::npos) return false;
    for (const Statement& inner : parsed_.statements())
      if (inner.parent == statement.index && !pass(inner)) return false;
    return true;
  }

  /// Infers a returned value. Callers of functions other than the entry are not analysed, so those must return an
  /// unchanged value.
  bool returned(ExpressionInference& values, const Node& node, bool entry) {
    if (is_sequence(node)) {
      for (const Node& child : node.children())
        if (!returned(values, child, entry)) return false;
      return true;
    }
    if (node.is("dictionary")) {
      for (const Node& pair : node.children())
        if (!pair.is("pair") || !returned(values, pair.field("key"), entry) ||
            !returned(values, pair.field("value"), entry))
          return false;
      return true;
    }
    auto value = values.value(node);
    return value && (entry || !value->changed());
  }

  bool expression(const Statement& statement, const Node& node) {
    ExpressionInference values(parsed_, facts_, statement, state_);
    const Assignment made = assignment(node);
    if (!made) return values.value(node).has_value();
    if (made.augmented()) return augmented(statement, values, made);
    const Node left = made.left;
    const Node right = made.right;
    if (!right || assignment(right) || right.is("named_expression")) return false;
    auto value = values.value(right);
    if (!value) return false;
    if (left.is("subscript")) return item(values, left, *value);
    if (left.is("identifier")) return bind(statement, left.text(), *value);
    if (!is_target_tuple(left)) return !value->changed() && !values.touches(left);
    return bind_all(statement, left, *value);
  }

  bool bind_all(const Statement& statement, const Node& left, const AbstractValue& value) {
    std::vector<Node> targets = left.children();
    for (const Node& target : targets)
      if (!target.is("identifier")) return false;
    bool listed = value.kind == Kind::kList && value.items.size() == targets.size();
    if (!listed && value.resized) return false;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      AbstractValue one = listed ? value.items[i] : value;
      // Unpacking a tensor: the shapes of its parts are taken from facts.
      if (!listed) one.shape.reset();
      if (!bind(statement, targets[i].text(), one)) return false;
    }
    return true;
  }

  bool item(ExpressionInference& values, const Node& target, const AbstractValue& value) {
    auto to = values.item(target);
    if (!to) return false;
    // A changed value stored in a list is not modelled.
    if (!to->is_tensor()) return !value.changed() && !to->changed();
    AbstractValue written = value;
    if (value.retyped || to->retyped) {
      // With a mask or index tensors as the index, both must have the same dtype, which is not certain here.
      if (!to->shape) return false;
      written.dtype = to->dtype;
    }
    if (value.kind == Kind::kNumber) written = AbstractValue::tensor(to->dtype, Shape());
    if (value.kind == Kind::kOther && (value.changed() || to->resized)) return false;
    return values.may_write(target.field("value"), *to, written) && !written.regrad;
  }

  bool augmented(const Statement& statement, ExpressionInference& values, const Assignment& made) {
    const Node left = made.left;
    auto to = left.is("subscript") ? values.item(left) : values.value(left);
    auto value = values.value(made.right);
    if (!to || !value || !to->is_tensor()) return false;
    std::string_view symbol = operation(made.node).symbol();
    symbol.remove_suffix(1);
    auto result = values.symbol(symbol, *to, *value);
    if (!result || symbol == "@") return false;
    if (left.is("subscript")) return item(values, left, *result);
    if (!left.is("identifier") || !values.may_write(left, *to, *result)) return false;
    AbstractValue now = *to;
    now.regrad = now.regrad || result->regrad;
    return bind(statement, left.text(), now);
  }

  /// Binds the name to the value.
  bool bind(const Statement& statement, std::string_view name, AbstractValue value) {
    std::string key(name);
    if (parsed_.scopes().resolve(name, scope_) != scope_) return !value.changed();
    const NameFacts* known = facts_.find_after(statement.id, key);
    if (value.changed() && (parsed_.scopes().captured(scope_, name) || !known)) return false;
    if (value.is_tensor() && value.changed()) {
      if (known->kind != "tensor" || !known->dtype || !known->shape) return false;
      complete(value, *known);
    }
    if (!value.changed()) {
      state_.erase(key);
      return true;
    }
    state_[key] = std::move(value);
    return true;
  }

  /// Fills what is unknown from facts, since it is unchanged, and computes how the value differs from them.
  static void complete(AbstractValue& value, const NameFacts& known) {
    if (value.batch) {
      value.shape = *known.shape;
      if (!value.shape->empty()) value.shape->front() = *value.batch;
      value.batch.reset();
    }
    if (!value.dtype) value.dtype = *known.dtype;
    if (!value.shape) value.shape = *known.shape;
    value.was = *known.shape;
    value.retyped = *value.dtype != *known.dtype;
    value.resized = *value.shape != *known.shape;
    // If the tensor required gradients before as well, every later operator has accepted that already.
    if (is_integral(*value.dtype) || known.requires_grad.value_or(false)) value.regrad = false;
  }

  const Parsed& parsed_;
  const Facts& facts_;
  int scope_;
  AbstractState state_;
};

}  // namespace

bool alike(const NameFacts& one, const NameFacts& other) {
  if (one.kind.empty() || one.kind != other.kind) return false;
  if (one.kind == "tensor" && (!one.dtype || !one.shape || !one.requires_grad)) return false;
  if ((one.kind == "list" || one.kind == "tuple" || one.kind == "dict") && !one.length) return false;
  return one.dtype == other.dtype && one.shape == other.shape && one.length == other.length &&
         one.requires_grad == other.requires_grad;
}

bool valid_from(const Parsed& parsed, const Facts& facts, const Statement& statement, AbstractState state) {
  return Walk(parsed, facts, parsed.scopes().scope_of(statement), std::move(state)).run(&statement, statement);
}

bool valid_after(const Parsed& parsed, const Facts& facts, const Statement& statement, AbstractState state) {
  return Walk(parsed, facts, parsed.scopes().scope_of(statement), std::move(state))
      .run(next_in_block(parsed, statement), statement);
}

}  // namespace jp::mutate
