#include "oracle/reduce/expressions.h"

#include <algorithm>
#include <array>
#include <set>

#include "mutate/inputs/inputs.h"

namespace jp::reduce {

using mutate::Node;
using mutate::Parsed;
using mutate::Scopes;
using mutate::Statement;
using mutate::Use;

namespace {

template <std::size_t N>
bool one_of(const std::array<std::string_view, N>& kinds, std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Binds less tightly than a call or an attribute.
bool is_loose(const Node& expression) {
  constexpr std::array<std::string_view, 11> kLoose = {
      "binary_operator", "boolean_operator", "comparison_operator",    "unary_operator",
      "not_operator",    "lambda",           "conditional_expression", "named_expression",
      "await",           "expression_list",  "generator_expression"};
  return one_of(kLoose, expression.kind());
}

/// Nothing beside the place can take part of what is put there.
bool is_open(const Node& place) {
  constexpr std::array<std::string_view, 9> kOpen = {
      "argument_list", "return_statement", "list", "expression_statement", "parenthesized_expression", "set", "tuple",
      "pair",          "keyword_argument"};
  Node around = place.parent();
  if (around.is("assignment")) return place.field_name() == "right";
  return one_of(kOpen, around.kind());
}

bool is_dead(const Parsed& parsed, const Statement& statement, const std::set<int>& dead, const Node& but) {
  const Scopes& scopes = parsed.scopes();
  const int scope = scopes.scope_of(statement);
  if (scopes.scope(scope).kind != mutate::Scope::Kind::kFunction) return false;
  auto names = scopes.bound_in(statement.begin, statement.end, scope);
  for (const auto& name : names)
    for (int index : scopes.uses_of(scope, name)) {
      const Use& use = scopes.uses()[static_cast<std::size_t>(index)];
      const Statement* reader = parsed.statement_at(use.node.begin());
      bool ignored = but && but.begin() <= use.node.begin() && use.node.end() <= but.end();
      bool stays = use.kind != Use::Kind::kBind && !ignored && (!reader || !dead.contains(reader->index));
      if (stays) return false;
    }
  return !names.empty();
}

bool assigns(const Statement& statement) {
  if (statement.kind() != "expression_statement") return false;
  auto children = statement.node.children();
  return children.size() == 1 && children[0].is("assignment");
}

}  // namespace

bool replaceable(const Node& node) {
  constexpr std::array<std::string_view, 10> kClosed = {"interpolation",         "type",
                                                        "case_pattern",          "decorator",
                                                        "delete_statement",      "string",
                                                        "as_pattern_target",     "import_statement",
                                                        "import_from_statement", "lambda_parameters"};
  constexpr std::array<std::string_view, 4> kBinding = {"assignment", "augmented_assignment", "for_statement",
                                                        "for_in_clause"};
  for (Node at = node; at.parent(); at = at.parent()) {
    Node around = at.parent();
    if (around.is("block") || around.is("module")) return true;
    if (one_of(kClosed, around.kind())) return false;
    if (one_of(kBinding, around.kind()) && at.field_name() == "left") return false;
    if (around.is("parameters") || around.is("class_definition")) return false;
    if ((around.is("keyword_argument") || around.is("named_expression")) && at.field_name() == "name") return false;
    if (around.is("function_definition") && at.field_name() != "body") return false;
  }
  return false;
}

std::string in_place_of(const Node& expression, const Node& place) {
  std::string text(expression.text());
  bool number = expression.is("integer") || expression.is("float");
  bool bare_number = number && place.parent().is("attribute");
  if (bare_number || (is_loose(expression) && !is_open(place))) return "(" + text + ")";
  return text;
}

bool names_module(const Parsed& parsed, const Node& node) {
  if (node.is("attribute")) return names_module(parsed, node.field("object"));
  if (!node.is("identifier")) return false;
  const Scopes& scopes = parsed.scopes();
  bool imported = false;
  for (const Use& use : scopes.uses()) {
    if (use.kind != Use::Kind::kBind || use.name != node.text()) continue;
    const Statement* statement = parsed.statement_at(use.node.begin());
    if (!statement || !statement->kind().starts_with("import")) return false;
    imported = true;
  }
  return imported;
}

std::vector<Node> plain_arguments(const Node& call) {
  std::vector<Node> plain;
  Node list = call.field("arguments");
  if (!list || !list.is("argument_list")) return plain;
  for (const Node& argument : list.children())
    if (!argument.is("keyword_argument") && !argument.is("list_splat") && !argument.is("dictionary_splat"))
      plain.push_back(argument);
  return plain;
}

std::string_view called_name(const Node& call) {
  Node function = call.field("function");
  if (function.is("attribute")) return function.field("attribute").text();
  return function.is("identifier") ? function.text() : std::string_view();
}

Assignment plain_assignment(const Statement& statement) {
  if (!assigns(statement)) return {};
  Node assignment = statement.node.children().front();
  Node left = assignment.field("left");
  Node right = assignment.field("right");
  if (!left || !right || !left.is("identifier") || assignment.field("type") || right.is("assignment") ||
      right.is("yield"))
    return {};
  return {left, right};
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
