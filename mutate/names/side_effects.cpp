#include "mutate/names/side_effects.h"

#include <algorithm>

#include "mutate/names/scopes.h"

namespace jp::mutate {
namespace {

bool sets_attribute(const Node& node) {
  if (!node.is("attribute")) return false;
  if (node.parent().is("delete_statement")) return true;
  for (Node up = node; up; up = up.parent()) {
    if (up.field_name() == "left") return true;
    if (!up.is("attribute") && !up.parent().is("pattern_list") && !up.parent().is("tuple_pattern")) return false;
  }
  return false;
}

bool binds_elsewhere(const Parsed& parsed) {
  const auto& scopes = parsed.scopes().scopes();
  auto declares = [](const Scope& scope) { return !scope.nonlocals.empty() || !scope.globals.empty(); };
  if (std::any_of(scopes.begin(), scopes.end(), declares)) return true;
  for (const std::string_view word : {"setattr", "delattr", "__dict__", "__setitem__", "vars"})
    if (parsed.has_word(word)) return true;
  for (int i = 0; i < parsed.tree().size(); ++i)
    if (sets_attribute(parsed.tree().node(i))) return true;
  return false;
}

}  // namespace

SideEffects::SideEffects(const Parsed& parsed)
    : parsed_(parsed), unnamed_(parsed.has_word("property")), binds_elsewhere_(binds_elsewhere(parsed)) {
  for (const Statement& statement : parsed.statements()) {
    const Node definition = statement.definition();
    if (!definition.is("function_definition") && !definition.is("class_definition")) continue;
    const std::string_view name = definition.field("name").text();
    names_.insert(name);
    unnamed_ = unnamed_ || (name.starts_with("__") && name != "__init__");
  }
}

bool SideEffects::may_run(const Statement& statement) const {
  if (unnamed_ || statement.kind() == "for_statement") return true;
  const int scope = parsed_.scopes().scope_of(statement);
  for (int i = statement.node.index(); i < statement.node.past(); ++i) {
    const Node node = parsed_.tree().node(i);
    if (!node.is("identifier")) continue;
    const bool called = node.parent().is("call") && node.field_name() == "function";
    if (names_.contains(node.text()) || (called && parsed_.scopes().resolve(node.text(), scope) > 0)) return true;
  }
  return false;
}

}  // namespace jp::mutate
