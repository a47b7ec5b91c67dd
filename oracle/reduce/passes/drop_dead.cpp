// All assignments at once whose names nobody reads, and those that only they read:
//
//     v1 = v0 + 1                 v4 = v0 * 3
//     v2 = torch.relu(v1)         return v4
//     v4 = v0 * 3
//     return v4
//
// One question instead of one for each; what had an effect after all is left to drop_statements.
#include <set>

#include "mutate/scopes.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce {
namespace {

using mutate::Scopes;
using mutate::Use;

bool assigns_names(const Statement& statement) {
  if (statement.kind() != "expression_statement") return false;
  auto children = statement.node.children();
  return children.size() == 1 && children[0].is("assignment");
}

/// Nothing that stays reads what the statement binds.
bool is_dead(const Parsed& parsed, const Statement& statement, const std::set<int>& dead) {
  const Scopes& scopes = parsed.scopes();
  const int scope = scopes.scope_of(statement);
  if (scopes.scope(scope).kind != mutate::Scope::Kind::kFunction) return false;
  auto names = scopes.bound_in(statement.begin, statement.end, scope);
  for (const auto& name : names)
    for (int index : scopes.uses_of(scope, name)) {
      const Use& use = scopes.uses()[static_cast<std::size_t>(index)];
      const Statement* reader = parsed.statement_at(use.node.begin());
      bool stays = use.kind != Use::Kind::kBind && (!reader || !dead.contains(reader->index));
      if (stays) return false;
    }
  return !names.empty();
}

class DropDead final : public Pass {
 public:
  DropDead() : Pass({"drop_dead", Tier::kDrop, false, "assignments that nobody reads"}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::set<int> dead;
    for (bool more = true; more;) {
      more = false;
      const auto& statements = parsed.statements();
      for (std::size_t i = statements.size(); i-- > 0;)
        if (assigns_names(statements[i]) && !dead.contains(statements[i].index) && is_dead(parsed, statements[i], dead))
          more = dead.insert(statements[i].index).second;
    }
    EditSet edits;
    for (int index : dead)
      if (!erase_statement(edits, parsed, parsed.statement(index))) return {};
    if (edits.empty()) return {};
    return {edits};
  }
};

const Register<Pass, DropDead> registered;

}  // namespace
}  // namespace jp::reduce
