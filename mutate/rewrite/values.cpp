#include "mutate/rewrite/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "mutate/names/moved_code.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {

Node value_of(const Parsed& parsed, const Statement& statement) {
  const std::string_view kind = statement.kind();
  const bool conditional = kind == "if_statement" || kind == "while_statement";
  if (!insertion_point(parsed, statement)) return {};
  if (conditional) return statement.node.field("condition");
  const Node work = sole_expression(statement);
  return work ? assigned_value(work) : returned_value(statement);
}

bool may_enclose(const Statement& statement, const Node& value) {
  if (!value || is_splat(value) || value.is("yield") || value.is("named_expression")) return false;
  for (const Node node : nodes_of(value)) {
    std::string_view kind = node.kind();
    if (kind == "yield" || kind == "await" || kind == "async" || kind == "named_expression") return false;
    if (kind == "identifier" && (node.text() == "super" || node.text() == "__class__")) return false;
  }
  // Asynchronous comprehensions don't contain `await`. In a compound statement they may be in its blocks.
  return !statement.exits.awaits || !statement.simple;
}

bool may_move(const Parsed& parsed, const Statement& statement, const Node& value) {
  return may_enclose(statement, value) && !shows_unbound(parsed, statement, {value.begin(), value.end()}) &&
         !holds_qualified_name(parsed, value);
}

std::string value_text(const Node& value) {
  std::string text(value.text());
  return value.is("expression_list") ? fmt::format("({})", text) : text;
}

std::vector<std::string> names_to_hand(const Parsed& parsed, const Statement& statement, const Node& value) {
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(statement);
  const NameSet& bound = parsed.surely_bound(statement);
  std::vector<std::string> names;
  for (const Use& use : scopes.uses_in(value.begin(), value.end())) {
    if (use.owner != scope || use.kind != Use::Kind::kRead || !bound.contains(use.name)) continue;
    bool known = std::find(names.begin(), names.end(), use.name) != names.end();
    if (!known && !scopes.captured(scope, use.name)) names.emplace_back(use.name);
  }
  return names;
}

}  // namespace jp::mutate
