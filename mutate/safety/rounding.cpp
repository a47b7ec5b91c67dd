#include "mutate/safety/rounding.h"

#include <algorithm>
#include <array>

#include "core/among.h"
#include "core/operators.h"
#include "mutate/calls/module_calls.h"
#include "mutate/facts/live.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/own_code.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/writing_calls.h"

namespace jp::mutate {
namespace {

bool discontinuous_node(const Node& node) {
  const Operation made = operation(node);
  if (made.kind == Operation::Kind::kComparison)
    return node.has_token("<") || node.has_token(">") || node.has_token("==") || node.has_token("<=") ||
           node.has_token(">=") || node.has_token("!=");
  if (made.kind == Operation::Kind::kBoolean) return true;
  if (made) return made.symbol().starts_with("//") || made.symbol().starts_with('%');
  if (is_keyword(node, "rounding_mode")) return given_argument(node).node.text() != "None";
  constexpr auto kDecide =
      std::to_array<std::string_view>({"if_statement", "while_statement", "match_statement", "assert_statement",
                                       "not_operator", "conditional_expression", "interpolation"});
  if (among(kDecide, node.kind())) return true;
  const bool called = node.is("identifier") && (is_attribute_name(node) || is_called(node));
  return called && is_discontinuous(node.text());
}

/// The end of the code that runs as part of the statement itself: all of a simple statement, the head of one with
/// blocks.
std::size_t head_end(const Statement& statement) {
  if (statement.simple) return statement.end;
  for (const Node& child : statement.node.children())
    if (child.is("block")) return child.begin();
  return statement.end;
}

/// Attributes of objects are bound only while these are made.
bool keeps_attributes(const Parsed& parsed) {
  const auto& all = parsed.statements();
  return !parsed.has_word("setattr") && std::none_of(all.begin(), all.end(), [&](const Statement& statement) {
    const bool runs = statement.function >= 0 && defined_name(parsed.statement(statement.function)) != "__init__";
    const Assignment made = assignment(statement);
    return runs && made && attribute(made.left);
  });
}

/// Import statements bind the name in the module.
bool is_imported(const Parsed& parsed, std::string_view name) {
  bool bound = false;
  for (const Use& use : parsed.scopes().uses_of(0, name)) {
    if (use.kind != Use::Kind::kBind) continue;
    if (!is_import(parsed.statement_at(use.node.begin())->node)) return false;
    bound = true;
  }
  return bound;
}

/// Facts know the name before the statement, and it holds no floating number; or it is a builtin's or an import's.
bool holds_no_float(const Parsed& parsed, const Facts& facts, const Statement& statement, const Node& name) {
  const NameFacts* known = facts.find_before(statement.id, std::string(name.text()));
  if (!known) {
    const int owner = parsed.scopes().resolve(name.text(), parsed.scopes().scope_of(statement));
    return owner < 0 || (owner == 0 && is_imported(parsed, name.text()));
  }
  if (known->kind == "tensor") return known->dtype && !is_floating(*known->dtype) && !is_complex(*known->dtype);
  if (known->kind == "module") return keeps_attributes(parsed);
  return known->kind == "int" || known->kind == "bool" || known->kind == "none" || known->kind == "str";
}

/// What decides in the node: the condition of a branch, the call around the name of a function.
Node decided_by(const Node& node) {
  if (const Node condition = node.field("condition")) return condition;
  // `a if c else b` has no fields.
  if (node.is("conditional_expression") && node.children().size() == 3) return node.children()[1];
  if (!node.is("identifier")) return node;
  const Node function = is_attribute_name(node) ? node.parent() : node;
  return is_called(function) ? function.parent() : node;
}

/// The name is that of a method or a part of a module, which is no operator: `self.all(x)`.
bool is_of_module(const Facts& facts, const Statement& statement, const Node& node) {
  const Node object = attribute(node.parent()).object;
  if (!node.is("identifier") || !is_attribute_name(node) || !object.is("identifier")) return false;
  const NameFacts* known = facts.find_before(statement.id, std::string(object.text()));
  return known && known->kind == "module";
}

/// The node sees no floating value.
bool is_harmless(const Parsed& parsed, const Facts& facts, const Statement& statement, const Node& node) {
  if (!facts.before.contains(statement.id) || node.is("match_statement")) return false;
  for (const Node part : nodes_of(decided_by(node)))
    if (part.is("identifier") && is_variable(part) && !holds_no_float(parsed, facts, statement, part)) return false;
  return true;
}

/// A call that makes a module whose operator is discontinuous: `nn.ReLU()`.
bool makes_discontinuous(const Node& node) {
  if (!node.is("identifier") || node.text()[0] < 'A' || node.text()[0] > 'Z') return false;
  if (!is_attribute_name(node) || !is_called(node.parent())) return false;
  if (node.text().starts_with("BatchNorm")) return true;
  const auto all = all_operators();
  return std::any_of(all.begin(), all.end(),
                     [&](const OperatorFacts& op) { return op.discontinuous && op.module == node.text(); });
}

bool any_discontinuous(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  std::size_t end = head_end(statement);
  for (int i = statement.node.index(); i < statement.node.past(); ++i) {
    Node node = parsed.tree().node(i);
    if (node.begin() >= end) break;
    if (!node.named()) continue;
    if (makes_discontinuous(node)) return true;
    if (discontinuous_node(node) && !is_of_module(facts, statement, node) &&
        !is_harmless(parsed, facts, statement, node))
      return true;
  }
  return false;
}

/// The call puts something into a container. Names of operators are taken for these: `x.add(y)`.
bool fills(const Call& made) { return made && fills_container(made.name) && !find_operator(made.name); }

/// The statement writes an element or an attribute, writes in place, or fills a container.
bool writes(const Statement& statement) {
  for (const Node node : nodes_of(statement.node)) {
    const bool part = node.is("subscript") || attribute(node);
    if (part && (is_target(node) || in_target(node, statement.node))) return true;
    const Call made = call(node);
    if (fills(made) || (made && writes_tensor(made))) return true;
    if (is_attribute_name(node) && node.text().ends_with('_')) return true;
  }
  return false;
}

bool escapes(const Parsed& parsed, const Statement& statement) {
  const Statement& function = parsed.statement(statement.function);
  bool entry = function.parent < 0 && function.definition().field("name").text() == parsed.program().entry();
  entry = entry || (function.parent >= 0 && adaptable_entry(parsed) == &function);
  return !entry || statement.kind() == "function_definition" || statement.kind() == "class_definition";
}

bool none_discontinuous(const Parsed& parsed, const Facts& facts) {
  return std::none_of(parsed.statements().begin(), parsed.statements().end(), [&](const Statement& statement) {
    return statement.function >= 0 && any_discontinuous(parsed, facts, statement);
  });
}

/// The statement calls what the file itself makes or defines, other than torch's modules: `f(x)`, and in a method
/// `self.layers(x)`.
bool calls_own(const Parsed& parsed, const Statement& statement, bool method) {
  for (const Call& made : effects_of(statement).calls) {
    if (!method && made.object) continue;
    const Node root = made.object ? path_root(made.object) : made.function;
    const bool own = root.is("identifier") &&
                     parsed.scopes().resolve(root.text(), parsed.scopes().scope_of(statement)) >= 0 &&
                     !is_imported(parsed, root.text());
    if (!own || (made.object && find_operator(base_name(made.name)))) continue;
    const auto module = module_call(parsed, statement, made.node);
    const bool smooth = module && module->is_fresh() && !module->type.starts_with("BatchNorm") &&
                        !(module->op && module->op->discontinuous && module->type != "Linear");
    if (!smooth) return true;
  }
  return false;
}

/// Follows values through the names of one function and of those that are nested in it.
class Spread {
 public:
  Spread(const Parsed& parsed, const Facts& facts, const Statement& from)
      : parsed_(parsed),
        facts_(facts),
        from_(from),
        function_(parsed.statement(from.function)),
        method_(function_.parent >= 0),
        loop_(stands_in(parsed, from, {"for_statement", "while_statement"})),
        touched_(parsed.scopes().bound_in(from.begin, head_end(from), parsed.scopes().scope_of(from))) {}

  bool stays_small() {
    if (any_discontinuous(parsed_, facts_, from_) || is_unknown(from_)) return false;
    for (std::size_t before = 0; before != touched_.size();) {
      before = touched_.size();
      for (const Statement& statement : parsed_.statements())
        if (is_behind(statement) && !follow(statement)) return false;
      if (!repeats()) break;
    }
    return true;
  }

 private:
  /// The statement may run after the one that is asked about. Functions that are nested above it may be called later.
  bool is_behind(const Statement& statement) const {
    if (statement.begin < function_.begin || statement.end > function_.end) return false;
    if (statement.index == function_.index) return false;
    return loop_ || statement.index > from_.index || statement.function != from_.function;
  }

  /// Loops carry values to their next iteration, and nested functions are called later.
  bool repeats() const {
    const auto& all = parsed_.statements();
    return loop_ || std::any_of(all.begin(), all.end(), [&](const Statement& one) {
             const bool cycle = one.kind() == "for_statement" || one.kind() == "while_statement";
             return (cycle || one.function != from_.function) && is_behind(one);
           });
  }

  bool is_unknown(const Statement& statement) const {
    return calls_own(parsed_, statement, method_) && !none_discontinuous(parsed_, facts_);
  }

  /// Adds what the statement makes of the values. False if it makes more than rounding of a rounding.
  bool follow(const Statement& statement) {
    const Scopes& scopes = parsed_.scopes();
    const auto uses = scopes.uses_in(statement.begin, head_end(statement));
    const bool reads = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
      return use.kind == Use::Kind::kRead && touched_.contains(use.name);
    });
    if (!reads) return true;
    if (is_unknown(statement) || any_discontinuous(parsed_, facts_, statement)) return false;
    const bool plain = statement.simple || statement.kind() == "for_statement" || statement.kind() == "with_statement";
    if (statement.index != from_.index && !plain) return false;
    const NameSet bound = scopes.bound_in(statement.begin, head_end(statement), scopes.scope_of(statement));
    touched_.insert(bound.begin(), bound.end());
    if (writes(statement))
      for (const Use& use : uses) touched_.insert(use.name);
    // What a nested function reads it may return.
    for (int up = statement.parent; up >= 0 && up != function_.index; up = parsed_.statement(up).parent)
      if (const std::string_view name = defined_name(parsed_.statement(up)); !name.empty()) touched_.insert(name);
    return true;
  }

  const Parsed& parsed_;
  const Facts& facts_;
  const Statement& from_;
  const Statement& function_;
  bool method_;
  bool loop_;
  NameSet touched_;
};

}  // namespace

bool is_discontinuous(std::string_view name) {
  const OperatorFacts* op = find_operator(base_name(name));
  // These builtins show or depend on every bit of a number.
  constexpr auto kBuiltins =
      std::to_array<std::string_view>({"print", "divmod", "str", "repr", "format", "sorted", "hash"});
  return op ? op->discontinuous : among(kBuiltins, name);
}

bool rounding_stays_small(const Parsed& parsed, const Facts& facts, const Statement& from) {
  if (from.function < 0) return false;
  if (escapes(parsed, from)) return none_discontinuous(parsed, facts);
  return Spread(parsed, facts, from).stays_small();
}

bool sums_alike(const NameFacts& facts, std::int64_t count) {
  if (!bounded(facts, 1e6)) return false;
  bool one_sign = lowest(facts) >= 0 || highest(facts) <= 0;
  bool exact = *facts.dtype == Dtype::kFloat64;
  return one_sign || exact || magnitude(facts) * static_cast<double>(count) < 100;
}

}  // namespace jp::mutate
