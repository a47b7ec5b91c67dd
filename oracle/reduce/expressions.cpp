#include "oracle/reduce/expressions.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/among.h"
#include "mutate/inputs/inputs.h"
#include "mutate/syntax/queries.h"

namespace jp::reduce {

using mutate::Node;
using mutate::Parsed;
using mutate::Scopes;
using mutate::Statement;
using mutate::Use;

namespace {

/// Binds less tightly than a call or an attribute.
bool is_loose(const Node& expression) {
  constexpr std::array<std::string_view, 11> kLoose = {
      "binary_operator", "boolean_operator", "comparison_operator",    "unary_operator",
      "not_operator",    "lambda",           "conditional_expression", "named_expression",
      "await",           "expression_list",  "generator_expression"};
  return among(kLoose, expression.kind());
}

/// Nothing next to the place can bind to a part of what is put there.
bool is_open(const Node& place) {
  constexpr std::array<std::string_view, 9> kOpen = {
      "argument_list", "return_statement", "list", "expression_statement", "parenthesized_expression", "set", "tuple",
      "pair",          "keyword_argument"};
  const Node around = place.parent();
  if (const mutate::Assignment made = mutate::assignment(around); made && !made.augmented()) return made.right == place;
  return among(kOpen, around.kind());
}

bool is_dead(const Parsed& parsed, const Statement& statement, const std::set<int>& dead, const Node& but) {
  const Scopes& scopes = parsed.scopes();
  const int scope = scopes.scope_of(statement);
  if (scopes.scope(scope).kind != mutate::Scope::Kind::kFunction) return false;
  auto names = scopes.bound_in(statement.begin, statement.end, scope);
  for (const auto& name : names)
    for (const Use& use : scopes.uses_of(scope, name)) {
      const Statement* reader = parsed.statement_at(use.node.begin());
      bool ignored = but && but.begin() <= use.node.begin() && use.node.end() <= but.end();
      bool stays = use.kind != Use::Kind::kBind && !ignored && (!reader || !dead.contains(reader->index));
      if (stays) return false;
    }
  return !names.empty();
}

bool assigns(const Statement& statement) {
  const mutate::Assignment made = mutate::assignment(statement);
  return made && !made.augmented();
}

}  // namespace

bool replaceable(const Node& node) {
  constexpr std::array<std::string_view, 10> kClosed = {"interpolation",         "type",
                                                        "case_pattern",          "decorator",
                                                        "delete_statement",      "string",
                                                        "as_pattern_target",     "import_statement",
                                                        "import_from_statement", "lambda_parameters"};
  for (Node at = node; at.parent(); at = at.parent()) {
    Node around = at.parent();
    if (around.is("block") || around.is("module")) return true;
    if (among(kClosed, around.kind())) return false;
    if (mutate::is_target(at)) return false;
    if (around.is("parameters") || around.is("class_definition")) return false;
    if ((mutate::is_keyword(around) || around.is("named_expression")) && at.field_name() == "name") return false;
    if (around.is("function_definition") && at.field_name() != "body") return false;
  }
  return false;
}

std::string in_place_of(const Node& expression, const Node& place) {
  std::string text(expression.text());
  const bool bare_number = mutate::is_unsigned_number(expression) && mutate::attribute(place.parent());
  if (bare_number || (is_loose(expression) && !is_open(place))) return "(" + text + ")";
  return text;
}

bool names_module(const Parsed& parsed, const Node& node) {
  const Node root = mutate::path_root(node);
  if (!root.is("identifier")) return false;
  const Scopes& scopes = parsed.scopes();
  bool imported = false;
  for (const Use& use : scopes.uses()) {
    if (use.kind != Use::Kind::kBind || use.name != root.text()) continue;
    const Statement* statement = parsed.statement_at(use.node.begin());
    if (!statement || !statement->kind().starts_with("import")) return false;
    imported = true;
  }
  return imported;
}

PlainAssignment plain_assignment(const Statement& statement) {
  const mutate::Assignment made = mutate::assignment(statement);
  if (!made.only_name() || made.right.is("yield")) return {};
  return {made.left, made.right};
}

std::vector<int> dead_statements(const Parsed& parsed, const Node& but) {
  std::set<int> dead;
  for (bool more = true; more;) {
    more = false;
    const auto& statements = parsed.statements();
    for (std::size_t i = statements.size(); i-- > 0;)
      if (assigns(statements[i]) && !dead.contains(statements[i].index) && is_dead(parsed, statements[i], dead, but))
        more = dead.insert(statements[i].index).second;
  }
  return {dead.begin(), dead.end()};
}

bool in_inputs(const Parsed& parsed, const Node& node) {
  const Statement* function = mutate::module_function(parsed, parsed.program().inputs());
  return function && function->begin <= node.begin() && node.end() <= function->end;
}

}  // namespace jp::reduce
