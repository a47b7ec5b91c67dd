#include "mutate/safety/rounding.h"

#include <algorithm>

#include "core/operators.h"
#include "mutate/calls/module_calls.h"
#include "mutate/facts/live.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

bool discontinuous_node(const Node& node) {
  const Operation made = operation(node);
  if (made.kind == Operation::Kind::kComparison)
    return node.has_token("<") || node.has_token(">") || node.has_token("==") || node.has_token("<=") ||
           node.has_token(">=") || node.has_token("!=");
  if (made) return made.symbol().starts_with("//") || made.symbol().starts_with('%');
  if (is_keyword(node, "rounding_mode")) return given_argument(node).node.text() != "None";
  if (node.is("if_statement") || node.is("while_statement") || node.is("match_statement") ||
      node.is("assert_statement"))
    return true;
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

/// The statement writes an element or an attribute, or writes in place.
bool writes(const Parsed& parsed, const Statement& statement) {
  for (int i = statement.node.index(); i < statement.node.past(); ++i) {
    Node node = parsed.tree().node(i);
    if (is_target(node) && (node.is("subscript") || attribute(node))) return true;
    if (is_keyword(node, "out")) return true;
    const bool method = is_attribute_name(node);
    if (method && (node.text().ends_with('_') || node.text() == "append" || node.text() == "update")) return true;
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

/// The statement, of a method, calls what the file itself makes or defines, other than torch's modules:
/// `self.layers(x)`.
bool calls_own(const Parsed& parsed, const Statement& statement) {
  for (const Call& made : effects_of(statement).calls) {
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

}  // namespace

bool is_discontinuous(std::string_view name) {
  const OperatorFacts* op = find_operator(base_name(name));
  // These builtins show or depend on every bit of a number.
  return op ? op->discontinuous : name == "print" || name == "divmod";
}

bool rounding_stays_small(const Parsed& parsed, const Facts& facts, const Statement& from) {
  if (from.function < 0) return false;
  if (escapes(parsed, from)) return none_discontinuous(parsed, facts);
  const bool method = parsed.statement(from.function).parent >= 0;
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(from);
  NameSet touched = scopes.bound_in(from.begin, head_end(from), scope);
  const bool loop = stands_in(parsed, from, {"for_statement", "while_statement"});
  if (any_discontinuous(parsed, facts, from)) return false;
  if (method && calls_own(parsed, from) && !none_discontinuous(parsed, facts)) return false;
  // A second pass follows values that a loop carries to its next iteration.
  for (int pass = 0; pass < (loop ? 2 : 1); ++pass)
    for (const Statement& statement : parsed.statements()) {
      if (statement.begin < parsed.statement(from.function).begin ||
          statement.end > parsed.statement(from.function).end || (!loop && statement.index <= from.index))
        continue;
      auto uses = scopes.uses_in(statement.begin, head_end(statement));
      bool reads = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
        return use.kind == Use::Kind::kRead && touched.contains(use.name);
      });
      if (!reads) continue;
      if (method && calls_own(parsed, statement) && !none_discontinuous(parsed, facts)) return false;
      if (any_discontinuous(parsed, facts, statement) ||
          (statement.index != from.index && !statement.simple && statement.kind() != "for_statement" &&
           statement.kind() != "with_statement"))
        return false;
      NameSet bound = scopes.bound_in(statement.begin, head_end(statement), scopes.scope_of(statement));
      touched.insert(bound.begin(), bound.end());
      if (writes(parsed, statement))
        for (const Use& use : uses) touched.insert(use.name);
    }
  return true;
}

bool sums_alike(const NameFacts& facts, std::int64_t count) {
  if (!bounded(facts, 1e6)) return false;
  bool one_sign = lowest(facts) >= 0 || highest(facts) <= 0;
  bool exact = *facts.dtype == Dtype::kFloat64;
  return one_sign || exact || magnitude(facts) * static_cast<double>(count) < 100;
}

}  // namespace jp::mutate
