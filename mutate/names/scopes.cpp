#include "mutate/names/scopes.h"

#include <algorithm>

#include "mutate/names/flow.h"
#include "mutate/names/scope_builder.h"

namespace jp::mutate {
namespace {

/// `around` is the parent of the name in an import statement.
bool imports_torch(const Node& around, std::string_view name) {
  if (!around.parent().is("import_statement")) return false;
  return (around.is("dotted_name") && name == "torch") ||
         (around.is("aliased_import") && around.field("name").text() == "torch");
}

}  // namespace

Scopes::Scopes(const Parsed& parsed) {
  ScopeBuilder(*this).build(parsed);
  for (std::size_t i = 0; i < uses_.size(); ++i)
    by_variable_[{uses_[i].owner, uses_[i].name}].push_back(static_cast<int>(i));
  find_torch();
}

void Scopes::find_torch() {
  for (auto at = by_variable_.lower_bound({0, ""}); at != by_variable_.end() && at->first.first == 0; ++at) {
    bool is_torch = false;
    bool imports_only = true;
    for (const int number : at->second) {
      const Use& use = uses_[static_cast<std::size_t>(number)];
      if (use.kind == Use::Kind::kRead) continue;
      const Node around = use.node.parent();
      imports_only = imports_only && around.parent().is("import_statement");
      is_torch = is_torch || (use.kind == Use::Kind::kBind && imports_torch(around, use.name));
    }
    if (is_torch && imports_only) torch_names_.push_back(at->first.second);
  }
}

std::span<const Use> Scopes::uses_in(std::size_t begin, std::size_t end) const {
  auto by_begin = [](const Use& use, std::size_t at) { return use.node.begin() < at; };
  auto from = std::lower_bound(uses_.begin(), uses_.end(), begin, by_begin);
  auto to = std::lower_bound(from, uses_.end(), end, by_begin);
  return {from, to};
}

int Scopes::scope_of_node(const Node& node) const {
  auto found = by_node_.find(node.index());
  return found == by_node_.end() ? -1 : found->second;
}

int Scopes::frame(int scope) const {
  while (scopes_[scope].kind == Scope::Kind::kComprehension) scope = scopes_[scope].parent;
  return scope;
}

int Scopes::resolve(std::string_view name, int scope) const {
  for (int at = scope; at >= 0; at = scopes_[at].parent) {
    const Scope& here = scopes_[at];
    if (here.kind == Scope::Kind::kClass && at != scope) continue;
    if (here.globals.contains(name)) return 0;
    if (here.nonlocals.contains(name)) continue;
    if (here.bound.contains(name)) return at;
  }
  return -1;
}

const std::vector<int>& Scopes::variable(int owner, std::string_view name) const {
  static const std::vector<int> none;
  auto found = by_variable_.find({owner, name});
  return found == by_variable_.end() ? none : found->second;
}

bool Scopes::captured(int scope, std::string_view name) const {
  const auto uses = uses_of(scope, name);
  return std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return frame(use.scope) != scope; });
}

NameSet Scopes::bound_in(std::size_t begin, std::size_t end, int scope) const {
  NameSet names;
  for (const Use& use : uses_in(begin, end))
    if (use.kind != Use::Kind::kRead && use.owner == scope && frame(use.scope) == scope) names.insert(use.name);
  return names;
}

int Scopes::bindings(int owner, std::string_view name) const {
  const auto uses = uses_of(owner, name);
  return static_cast<int>(
      std::count_if(uses.begin(), uses.end(), [](const Use& use) { return use.kind == Use::Kind::kBind; }));
}

bool Scopes::readable(const Statement& statement, std::string_view name) const {
  int scope = scope_of(statement);
  int owner = resolve(name, scope);
  if (owner < 0 || scopes_[scope].globals.contains(name) || scopes_[scope].nonlocals.contains(name)) return false;
  if (owner != scope || scopes_[owner].parameters.contains(name)) return true;
  const auto uses = uses_of(owner, name);
  return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    return use.kind == Use::Kind::kBind && use.node.begin() < statement.begin;
  });
}

std::string fresh_name(const Parsed& parsed, std::string_view base, int step_number, const NameSet& taken) {
  std::string name = fmt::format("{}{}", base, step_number);
  for (int i = 1; parsed.has_word(name) || taken.contains(name); ++i)
    name = fmt::format("{}{}_{}", base, step_number, i);
  return name;
}

std::string torch_name(const Parsed& parsed, const Statement& statement) {
  const Scopes& scopes = parsed.scopes();
  const int scope = scopes.scope_of(statement);
  for (std::string_view name : scopes.torch_names())
    if (scopes.resolve(name, scope) == 0) return std::string(name);
  return "";
}

}  // namespace jp::mutate
