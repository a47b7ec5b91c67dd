// A nested definition moves up, to anywhere before its first call, so that it captures names which are bound only
// later:
//
//     v3 = v0 + v1                 def f7():
//     def f7():                        return torch.relu(v3)
//         return torch.relu(v3)    v3 = v0 + v1
//     v4 = f7()                    v4 = f7()
//
// The function must be the only binding of its name, without decorators, annotations or computed defaults, and nothing
// between the two places may mention it. It may move out of blocks, but out of a loop only if the program does nothing
// with it except call it. In a function without such definitions a value becomes one first: `v3 = torch.relu(v2)` is
// `v3 = f7()`, and `f7` is defined further up, where v2 is not bound yet. The result is unchanged bit for bit. Site
// path: the ID of the statement before which it is put.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "mutate/engine/mutation.h"
#include "mutate/names/moved_code.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::hoist_definition_mutation {
namespace {

constexpr int kMostTargets = 12;

bool plain_default(const Node& parameter) {
  if (parameter.is("identifier") || parameter.is("list_splat_pattern") || parameter.is("dictionary_splat_pattern") ||
      parameter.is("keyword_separator") || parameter.is("positional_separator"))
    return true;
  if (!parameter.is("default_parameter")) return false;
  Node value = parameter.field("value");
  return value.is("integer") || value.is("float") || value.is("true") || value.is("false") || value.is("none");
}

/// The definition can be put anywhere in its function before its first mention.
bool movable(const Parsed& parsed, const Statement& statement) {
  if (statement.kind() != "function_definition" || !insertion_point(parsed, statement) || uses_introspection(parsed))
    return false;
  if (statement.node.field("return_type") || statement.node.field("type_parameters")) return false;
  auto parameters = statement.node.field("parameters").children();
  if (!std::all_of(parameters.begin(), parameters.end(), plain_default)) return false;
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(statement);
  std::string_view name = statement.node.field("name").text();
  bool deleted = std::any_of(scopes.uses().begin(), scopes.uses().end(), [&](const Use& use) {
    return use.owner == scope && use.name == name && use.kind == Use::Kind::kDelete;
  });
  return scopes.resolve(name, scope) == scope && scopes.bindings(scope, name) == 1 && !deleted;
}

/// The program reads the function's name only to call it.
bool only_called(const Parsed& parsed, const Statement& statement) {
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(statement);
  std::string_view name = statement.node.field("name").text();
  return std::all_of(scopes.uses().begin(), scopes.uses().end(), [&](const Use& use) {
    return use.owner != scope || use.name != name || use.kind != Use::Kind::kRead || is_called(use.node);
  });
}

/// Outside of `around` the name may be read where `around` has not bound it.
bool read_outside(const Parsed& parsed, const Statement& statement, const Statement& around) {
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(statement);
  std::string_view name = statement.node.field("name").text();
  return std::any_of(scopes.uses().begin(), scopes.uses().end(), [&](const Use& use) {
    const bool within = use.node.begin() >= around.begin && use.node.end() <= around.end;
    return use.owner == scope && use.name == name && !within;
  });
}

bool mentioned(const Parsed& parsed, const Statement& statement, std::size_t begin) {
  const Scopes& scopes = parsed.scopes();
  auto uses = scopes.uses_in(begin, statement.begin);
  return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    return use.owner == scopes.scope_of(statement) && use.name == statement.node.field("name").text();
  });
}

/// The statements before which it may be put, nearest first.
std::vector<const Statement*> targets(const Parsed& parsed, const Statement& statement) {
  std::vector<const Statement*> found;
  const Statement* from = &statement;
  bool called = only_called(parsed, statement);
  while (static_cast<int>(found.size()) < kMostTargets) {
    const auto& block = parsed.blocks()[static_cast<std::size_t>(from->block)].statements;
    for (int place = from->place - 1; place >= 0; --place) {
      const Statement& target = parsed.statement(block[static_cast<std::size_t>(place)]);
      if (!insertion_point(parsed, target) || mentioned(parsed, statement, target.begin)) return found;
      found.push_back(&target);
    }
    if (from->parent < 0 || from->parent == statement.function) break;
    from = &parsed.statement(from->parent);
    bool loop = from->kind() == "for_statement" || from->kind() == "while_statement";
    if (!insertion_point(parsed, *from) || mentioned(parsed, statement, from->begin) || (loop && !called)) return found;
    if (read_outside(parsed, statement, *from)) return found;
    found.push_back(from);
  }
  return found;
}

/// The value of an assignment to a name, or of a return, that a function of its own may compute: it binds and suspends
/// nothing, and doesn't depend on the frame in which it is evaluated. Otherwise no node.
Node movable_value(const Parsed& parsed, const Statement& statement) {
  if (!insertion_point(parsed, statement) || uses_introspection(parsed)) return {};
  const Node value =
      statement.kind() == "return_statement" ? returned_value(statement) : assigned_value(sole_expression(statement));
  const bool plain = value && (statement.kind() == "return_statement" || assignment(statement).only_name());
  if (!plain || value.is("identifier") || statement.exits.yields || statement.exits.awaits) return {};
  if (holds_qualified_name(parsed, value)) return {};
  const int frame = parsed.scopes().scope_of(statement);
  const NameSet& bound = parsed.surely_bound(statement);
  for (const Use& use : parsed.scopes().uses_in(value.begin(), value.end())) {
    if (use.conditional || use.name == "super" || use.name == "__class__") return {};
    // A function that captures a name which isn't bound raises another exception.
    if (use.owner == frame && !bound.contains(use.name)) return {};
  }
  // What the function would capture must be a variable of functions around it.
  const Scope& scope = parsed.scopes().scope(parsed.scopes().scope_of(statement));
  const bool shared = !scope.globals.empty() || !scope.nonlocals.empty();
  const bool one_line = value.text().find('\n') == std::string_view::npos;
  return shared || !one_line ? Node() : value;
}

/// The function defines no others that could move.
bool has_own_definitions(const Parsed& parsed, int function) {
  return std::any_of(parsed.statements().begin(), parsed.statements().end(),
                     [&](const Statement& one) { return one.function == function && movable(parsed, one); });
}

/// The statements of the same block further up, and the first of the function.
std::vector<const Statement*> places_above(const Parsed& parsed, const Statement& statement) {
  std::vector<const Statement*> found;
  const auto& block = parsed.blocks()[static_cast<std::size_t>(statement.block)].statements;
  for (int place = statement.place - 1; place >= 0 && static_cast<int>(found.size()) < kMostTargets; --place) {
    const Statement& target = parsed.statement(block[static_cast<std::size_t>(place)]);
    if (!insertion_point(parsed, target)) break;
    found.push_back(&target);
  }
  return found;
}

class HoistDefinition final : public Mutation {
 public:
  HoistDefinition()
      : Mutation({"hoist_definition", "C", Exactness::kBitwise, false, "TorchProbe",
                  "cells that are empty, or hold another value, when a closure is made"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    std::vector<Site> found;
    std::map<int, bool> own;
    for (const Statement& statement : parsed.statements()) {
      if (movable(parsed, statement))
        for (const Statement* target : targets(parsed, statement)) found.push_back({statement.id, target->id});
      if (statement.function < 0 || !movable_value(parsed, statement)) continue;
      const auto [place, is_new] = own.try_emplace(statement.function, false);
      if (is_new) place->second = has_own_definitions(parsed, statement.function);
      if (place->second) continue;
      for (const Statement* target : places_above(parsed, statement)) found.push_back({statement.id, target->id});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices&, int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    const Statement* target = parsed.find(site.path);
    if (target && movable_value(parsed, statement)) return define_above(parsed, statement, *target, step_number);
    if (!target || !movable(parsed, statement)) return {};
    auto places = targets(parsed, statement);
    if (std::find(places.begin(), places.end(), target) == places.end()) return {};
    Rewrite rewrite(parsed, step_number);
    rewrite.insert(lines_begin(*target), moved_text(parsed, statement, statement, target->indent));
    bool alone = parsed.blocks()[static_cast<std::size_t>(statement.block)].statements.size() == 1;
    rewrite.erase(lines_begin(statement), lines_end(parsed, statement));
    if (alone) rewrite.insert(lines_begin(statement), statement.indent + "pass\n");
    return rewrite.edits();
  }

 private:
  static EditSet define_above(const Parsed& parsed, const Statement& statement, const Statement& target,
                              int step_number) {
    const auto places = places_above(parsed, statement);
    if (std::find(places.begin(), places.end(), &target) == places.end()) return {};
    const Node value = movable_value(parsed, statement);
    Rewrite rewrite(parsed, step_number);
    const std::string function = rewrite.name("f");
    rewrite.before(target, {{fmt::format("def {}():", function)}, {fmt::format("return {}", value.text()), 1}});
    rewrite.replace(value, function + "()");
    return rewrite.edits();
  }
};

const Register<Mutation, HoistDefinition> registered;

}  // namespace
}  // namespace jp::mutate::hoist_definition_mutation
