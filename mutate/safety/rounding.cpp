#include "mutate/safety/rounding.h"

#include <algorithm>

#include "core/operators.h"
#include "mutate/facts/live.h"
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

bool any_discontinuous(const Parsed& parsed, const Statement& statement) {
  std::size_t end = head_end(statement);
  for (int i = statement.node.index(); i < statement.node.past(); ++i) {
    Node node = parsed.tree().node(i);
    if (node.begin() >= end) break;
    if (node.named() && discontinuous_node(node)) return true;
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
  return !entry || statement.kind() == "function_definition" || statement.kind() == "class_definition";
}

bool none_discontinuous(const Parsed& parsed) {
  return std::none_of(parsed.statements().begin(), parsed.statements().end(), [&](const Statement& statement) {
    return statement.function >= 0 && any_discontinuous(parsed, statement);
  });
}

}  // namespace

bool is_discontinuous(std::string_view name) {
  const OperatorFacts* op = find_operator(base_name(name));
  // These builtins show or depend on every bit of a number.
  return op ? op->discontinuous : name == "print" || name == "divmod";
}

bool rounding_stays_small(const Parsed& parsed, const Statement& from) {
  if (from.function < 0) return false;
  if (escapes(parsed, from)) return none_discontinuous(parsed);
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(from);
  NameSet touched = scopes.bound_in(from.begin, head_end(from), scope);
  const bool loop = stands_in(parsed, from, {"for_statement", "while_statement"});
  if (any_discontinuous(parsed, from)) return false;
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
      if (any_discontinuous(parsed, statement) ||
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
  if (!facts.minimum || !facts.maximum || !bounded(facts, 1e6)) return false;
  bool one_sign = *facts.minimum >= 0 || *facts.maximum <= 0;
  bool exact = *facts.dtype == Dtype::kFloat64;
  return one_sign || exact || magnitude(facts) * static_cast<double>(count) < 100;
}

}  // namespace jp::mutate
