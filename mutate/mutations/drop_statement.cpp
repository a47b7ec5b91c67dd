// A statement is removed:
//
//     v3 = v0 + v1                 v4 = torch.relu(v1)
//     v4 = torch.relu(v3)
//
// A statement is simply erased (no site path) if nothing reads its names, or if they are bound before it already to
// values of the same kind, dtype and shape. With path "value", a tensor that is read is replaced by another live
// tensor, mostly of the same dtype and shape: its readers read the other tensor, or its name becomes a second name of
// it. A tensor that requires gradients is replaced by one that doesn't, or the reverse, only where inference shows that
// the program runs with it (infer/inference.h). The program is a variation.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/among.h"
#include "mutate/engine/mutation.h"
#include "mutate/infer/inference.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/own_code.h"
#include "mutate/names/reads.h"
#include "mutate/names/scopes.h"
#include "mutate/names/side_effects.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::drop_statement_mutation {
namespace {

/// The statement sets attributes of an object or fills a container, which other code needs to work.
bool builds_object(const Parsed& parsed, const Statement& statement) {
  constexpr auto kOthers =
      std::to_array<std::string_view>({"pop", "popleft", "remove", "add_module", "super", "close"});
  const Statement* around = statement.function < 0 ? nullptr : &parsed.statement(statement.function);
  // In methods that Python calls implicitly (`__init__`, `__next__`), every step counts.
  if (around && defined_name(*around).starts_with("__")) return true;
  for (const Node node : nodes_of(statement.node)) {
    const bool target = is_target(node) && attribute(node);
    if (target && !assignment(node.parent()).augmented()) return true;
    const bool called = node.is("identifier") && (call(node.parent()) || is_attribute_name(node));
    const std::string_view name = node.text();
    if (called && (fills_container(name) || advances_iterator(name) || among(kOthers, name))) return true;
  }
  return false;
}

bool plain_kind(const Parsed& parsed, const Statement& statement) {
  if (statement.exits.leaves() || !statement.own_lines || builds_object(parsed, statement)) return false;
  // A statement that raises may be the only end of what would otherwise go on forever.
  if (statement.exits.raises && statement.kind() != "assert_statement") return false;
  for (std::string_view kind : {"pass_statement", "global_statement", "nonlocal_statement", "import_statement",
                                "import_from_statement", "while_statement", "future_import_statement"})
    if (statement.kind() == kind) return false;
  return true;
}

/// Every name that the statement binds is definitely bound before it as well, or is never read.
bool unmissed(const Parsed& parsed, const Statement& statement) {
  const Scopes& scopes = parsed.scopes();
  const NameSet& before = parsed.surely_bound(statement);
  int scope = scopes.scope_of(statement);
  for (const Use& bound : scopes.uses_in(statement.begin, statement.end)) {
    if (bound.kind != Use::Kind::kBind || scopes.frame(bound.scope) != scope) continue;
    // A `nonlocal` in a nested function needs the enclosing binding even if nothing reads the name.
    for (const Scope& inner : scopes.scopes())
      if (inner.nonlocals.contains(bound.name)) return false;
    bool again = assignment(bound.node.parent()).augmented();
    if (again || (bound.owner == scope && before.contains(bound.name))) continue;
    for (const Use& use : scopes.uses_of(bound.owner, bound.name)) {
      bool outside = use.node.begin() < statement.begin || use.node.begin() >= statement.end;
      if (outside && (use.kind != Use::Kind::kBind || scopes.frame(use.scope) != scope)) return false;
    }
  }
  return true;
}

/// The values are of the same kind. Numbers and strings may be indices, sizes and keys, so they must be equal.
bool may_stand_for(const NameFacts& one, const NameFacts& other) {
  const bool scalar = one.kind == "int" || one.kind == "float" || one.kind == "bool" || one.kind == "str";
  return alike(one, other) && (!scalar || (one.literal && one.literal == other.literal));
}

/// The statement leaves every name that existed before it bound to an equal value, except for the elements of tensors
/// and containers.
bool changes_values_only(const Facts& facts, const Statement& statement) {
  auto before = facts.before.find(statement.id);
  auto after = facts.after.find(statement.id);
  if (before == facts.before.end() || after == facts.after.end()) return false;
  for (const auto& [name, now] : after->second) {
    auto then = before->second.find(name);
    if (then != before->second.end() && !may_stand_for(then->second, now)) return false;
  }
  return true;
}

bool erasable(const Parsed& parsed, const SideEffects& own, const Statement& statement) {
  return insertion_point(parsed, statement) && plain_kind(parsed, statement) && !in_while(parsed, statement) &&
         !own.may_change_elsewhere(statement) && unmissed(parsed, statement);
}

/// The statement's assignment of one name, or none.
Assignment assignment_of(const Parsed& parsed, const SideEffects& own, const Statement& statement) {
  const Assignment made = assignment(statement);
  if (!made || made.augmented() || !made.left.is("identifier") || !made.right || made.right.is("identifier")) return {};
  if (!insertion_point(parsed, statement) || statement.exits.leaves() || in_while(parsed, statement)) return {};
  return own.may_change_elsewhere(statement) ? Assignment() : made;
}

/// All later reads of the name only return it from the program.
bool only_returned(const Parsed& parsed, const Statement& statement, std::string_view name) {
  const Statement* entry = entry_function(parsed);
  if (!entry || statement.function != entry->index) return false;
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(statement);
  for (const Use& use : scopes.uses_of(scope, name)) {
    if (use.node.begin() < statement.end || use.kind != Use::Kind::kRead) continue;
    Node list = use.node.parent();
    bool display = is_sequence(list);
    if (!(display ? list.parent() : list).is("return_statement")) return false;
  }
  return true;
}

/// Whether the program runs on when the name is bound to the other tensor.
bool stands_in(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& name,
               const NameFacts& made, const NameFacts& other) {
  if (!other.requires_grad || !made.requires_grad || !other.strides || other.overlaps_itself.value_or(true))
    return false;
  // With another layout, `view` may not be possible.
  if (other.strides != made.strides && parsed.has_word("view")) return false;
  const bool leaf = *other.requires_grad && other.is_leaf.value_or(true);
  auto look = abstract_value_of(&made);
  look->leaf = leaf;
  look->regrad = leaf || *other.requires_grad != *made.requires_grad;
  return valid_after(parsed, facts, statement, look->regrad ? AbstractState{{name, *look}} : AbstractState());
}

/// Live tensors that may replace the value of the statement.
std::vector<std::string> stand_ins(const Parsed& parsed, const Facts& facts, const SideEffects& own,
                                   const Statement& statement) {
  std::vector<std::string> found;
  const Assignment made_by = assignment_of(parsed, own, statement);
  auto known = facts.before.find(statement.id);
  if (!made_by || known == facts.before.end()) return found;
  std::string name(made_by.left.text());
  const NameFacts* made = facts.find_after(statement.id, name);
  if (!made || made->kind != "tensor" || !made->shape || !made->dtype) return found;
  bool any = only_returned(parsed, statement, name);
  for (const auto& [other, facts_of] : known->second) {
    bool fits = facts_of.kind == "tensor" && facts_of.shape && facts_of.dtype && other != name &&
                other.find('[') == std::string::npos && parsed.scopes().readable(statement, other);
    if (!fits) continue;
    const bool same = facts_of.shape == made->shape && facts_of.dtype == made->dtype;
    if (any || (same && stands_in(parsed, facts, statement, name, *made, facts_of))) found.push_back(other);
  }
  return found;
}

class DropStatement final : public Mutation {
 public:
  DropStatement()
      : Mutation({"drop_statement", "E", Exactness::kVariation, true, "jitprobe",
                  "the rest of a program: other lifetimes of tensors, other graphs, dead code around an effect"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    const SideEffects own(parsed);
    for (const Statement& statement : parsed.statements()) {
      if (erasable(parsed, own, statement) && changes_values_only(facts, statement))
        found.push_back({statement.id, ""});
      if (!stand_ins(parsed, facts, own, statement).empty()) found.push_back({statement.id, "value"});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    const SideEffects own(parsed);
    Rewrite rewrite(parsed, step_number);
    if (site.path != "value") {
      const bool same = choices.note([&] { return changes_values_only(facts, statement); });
      if (same && erasable(parsed, own, statement)) erase(parsed, statement, rewrite);
      return rewrite.edits();
    }
    const Assignment made = assignment_of(parsed, own, statement);
    const std::string other = choices.note_drawn([&](Choices& inner) {
      auto names = stand_ins(parsed, facts, own, statement);
      return names.empty() ? "" : inner.pick(names);
    });
    if (other.empty() || !made || !parsed.scopes().readable(statement, other)) return {};
    // If nothing else is bound to the name, its readers can read the other name.
    auto readers = readers_of(parsed, statement, made.left.text(), other);
    if (readers.empty() || choices.chance(1, 3)) {
      rewrite.replace(made.right, other);
      return rewrite.edits();
    }
    erase(parsed, statement, rewrite);
    for (const Node& node : readers) rewrite.replace(node, other);
    return rewrite.edits();
  }

 private:
  static void erase(const Parsed& parsed, const Statement& statement, Rewrite& rewrite) {
    bool alone = parsed.blocks()[static_cast<std::size_t>(statement.block)].statements.size() == 1;
    if (alone) rewrite.before(statement, {{"pass"}});
    rewrite.erase(lines_begin(statement), lines_end(parsed, statement));
  }

  /// All reads of the target, if each of them can read the other name instead; otherwise none.
  static std::vector<Node> readers_of(const Parsed& parsed, const Statement& statement, std::string_view name,
                                      std::string_view other) {
    std::vector<Node> nodes;
    const Scopes& scopes = parsed.scopes();
    int scope = scopes.scope_of(statement);
    if (scopes.resolve(name, scope) != scope || scopes.bindings(scope, name) != 1) return {};
    const auto uses = scopes.uses_of(scope, name);
    const auto count = static_cast<std::size_t>(
        std::count_if(uses.begin(), uses.end(), [](const Use& use) { return use.kind != Use::Kind::kBind; }));
    for (const Statement* at = next_in_block(parsed, statement); at; at = next_in_block(parsed, *at)) {
      for (const Node& node : plain_reads(parsed, *at))
        if (node.text() == name) nodes.push_back(node);
      if (scopes.bound_in(at->begin, at->end, scope).contains(other)) break;
    }
    return nodes.size() == count ? nodes : std::vector<Node>();
  }
};

const Register<Mutation, DropStatement> registered;

}  // namespace
}  // namespace jp::mutate::drop_statement_mutation
