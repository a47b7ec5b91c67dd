#include "mutate/names/side_effects.h"

#include <algorithm>

#include "mutate/names/own_code.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

bool sets_attribute(const Node& node) {
  if (!attribute(node)) return false;
  if (node.parent().is("delete_statement")) return true;
  for (Node up = node; up; up = up.parent()) {
    if (is_target(up)) return true;
    if (!attribute(up) && !is_target_tuple(up.parent())) return false;
  }
  return false;
}

bool binds_elsewhere(const Parsed& parsed) {
  const auto& scopes = parsed.scopes().scopes();
  auto declares = [](const Scope& scope) { return !scope.nonlocals.empty() || !scope.globals.empty(); };
  if (std::any_of(scopes.begin(), scopes.end(), declares)) return true;
  for (const std::string_view word : {"setattr", "delattr", "__dict__", "__setitem__", "vars"})
    if (parsed.has_word(word)) return true;
  for (const Node node : nodes_of(parsed.tree()))
    if (sets_attribute(node)) return true;
  return false;
}

}  // namespace

SideEffects::SideEffects(const Parsed& parsed)
    : parsed_(parsed), unnamed_(parsed.has_word("property")), binds_elsewhere_(binds_elsewhere(parsed)) {
  for (const Statement& statement : parsed.statements()) {
    const std::string_view name = defined_name(statement);
    if (name.empty()) continue;
    names_.insert(name);
    unnamed_ = unnamed_ || (name.starts_with("__") && name != "__init__");
  }
}

bool SideEffects::may_change_elsewhere(const Statement& statement) const {
  return may_bind_elsewhere(statement) || may_advance(parsed_, statement.node);
}

bool SideEffects::may_run(const Statement& statement) const {
  if (unnamed_ || statement.kind() == "for_statement") return true;
  const int scope = parsed_.scopes().scope_of(statement);
  for (const Node node : nodes_of(statement.node)) {
    if (!node.is("identifier")) continue;
    if (names_.contains(node.text()) || (is_called(node) && parsed_.scopes().resolve(node.text(), scope) > 0))
      return true;
  }
  return false;
}

}  // namespace jp::mutate
