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
// with it except call it. The result is unchanged bit for bit. Site path: the ID of the statement before which it is
// put.
#include <fmt/format.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
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

/// The program uses the function only by calling it or through its attributes.
bool only_called(const Parsed& parsed, const Statement& statement) {
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(statement);
  std::string_view name = statement.node.field("name").text();
  return std::all_of(scopes.uses().begin(), scopes.uses().end(), [&](const Use& use) {
    if (use.owner != scope || use.name != name || use.kind != Use::Kind::kRead) return true;
    return is_called(use.node) || attribute(use.node.parent()).object == use.node;
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
    found.push_back(from);
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
    for (const Statement& statement : parsed.statements())
      if (movable(parsed, statement))
        for (const Statement* target : targets(parsed, statement)) found.push_back({statement.id, target->id});
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices&, int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    const Statement* target = parsed.find(site.path);
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
};

const Register<Mutation, HoistDefinition> registered;

}  // namespace
}  // namespace jp::mutate::hoist_definition_mutation
