#include "oracle/reduce/names.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"

namespace jp::reduce {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Scope;
using mutate::Use;

/// The uses of a variable if all of them can be rewritten, else nothing.
std::vector<Node> places_of(const Parsed& parsed, int owner, std::string_view name) {
  const auto& scopes = parsed.scopes();
  std::vector<Node> places;
  for (const Use& use : scopes.uses_of(owner, name)) {
    Node node = use.node;
    Node around = node.parent();
    bool import = around.is("dotted_name") || around.is("aliased_import") || around.is("import_from_statement");
    if (!node.is("identifier") || import || node.text() != name) return {};
    // An augmented assignment uses its name twice at one place.
    if (places.empty() || places.back().begin() != node.begin()) places.push_back(node);
  }
  return places;
}

/// Names of the contract, and names that scopes don't cover: keywords of calls, declarations; words in strings are not
/// considered.
mutate::NameSet fixed_names(const Parsed& parsed) {
  mutate::NameSet fixed = {"self", "cls"};
  for (const std::string_view name : parsed.program().contract()) fixed.insert(name);
  for (int i = 0; i < parsed.tree().size(); ++i) {
    Node node = parsed.tree().node(i);
    if (mutate::is_keyword(node)) fixed.insert(mutate::given_argument(node).keyword);
    if (!node.named() || (!node.is("global_statement") && !node.is("nonlocal_statement"))) continue;
    for (const Node& name : node.children()) fixed.insert(name.text());
  }
  return fixed;
}

std::string_view pool_for(const Node& place) {
  Node around = place.parent();
  if (around.is("function_definition") || around.is("class_definition")) return "fghpq";
  bool parameter = around.is("parameters") || around.is("typed_parameter") || around.is("default_parameter");
  return parameter ? "xyzwuvst" : "abcdeijklmnor";
}

}  // namespace

std::vector<Variable> variables(const Parsed& parsed) {
  std::vector<Variable> all;
  const auto& scopes = parsed.scopes();
  const mutate::NameSet fixed = fixed_names(parsed);
  const mutate::Statement* entry = mutate::module_function(parsed, parsed.program().entry());
  std::set<std::pair<int, std::string_view>> seen;
  for (const Use& use : scopes.uses()) {
    if (use.kind != Use::Kind::kBind || use.owner < 0 || !seen.insert({use.owner, use.name}).second) continue;
    const Scope& scope = scopes.scope(use.owner);
    const bool module = scope.kind == Scope::Kind::kModule;
    if ((!module && scope.kind != Scope::Kind::kFunction) || scope.dynamic || fixed.contains(use.name)) continue;
    Variable variable{use.name, places_of(parsed, use.owner, use.name), pool_for(use.node), false};
    variable.in_entry = !module && entry && use.node.begin() >= entry->begin && use.node.begin() < entry->end;
    if (!variable.places.empty()) all.push_back(std::move(variable));
  }
  return all;
}

std::optional<EditSet> plain_names(const Parsed& parsed) {
  if (mutate::uses_introspection(parsed)) return std::nullopt;
  std::vector<Variable> all = variables(parsed);
  std::stable_partition(all.begin(), all.end(), [](const Variable& variable) { return variable.in_entry; });
  // What isn't renamed keeps its name, and so do names that are short already.
  std::set<std::size_t> changing;
  for (const Variable& variable : all)
    for (const Node& place : variable.places) changing.insert(place.begin());
  std::set<std::string> taken;
  for (int i = 0; i < parsed.tree().size(); ++i)
    if (const Node node = parsed.tree().node(i); node.is("identifier") && !changing.contains(node.begin()))
      taken.insert(std::string(node.text()));
  EditSet edits;
  bool changes = false;
  for (const Variable& variable : all) {
    std::string name(variable.name);
    for (char letter : variable.pool)
      if (std::string shorter(1, letter); !taken.contains(shorter)) {
        name = std::move(shorter);
        break;
      }
    // Out of letters: it keeps its own name, unless that has become another's.
    if (!taken.insert(name).second) return std::nullopt;
    changes = changes || name != variable.name;
    for (const Node& place : variable.places)
      if (!put(edits, place.begin(), place.end(), name)) return std::nullopt;
  }
  return changes ? std::optional(std::move(edits)) : std::nullopt;
}

}  // namespace jp::reduce
