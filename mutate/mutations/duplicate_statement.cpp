// A statement happens twice:
//
//     v3 = v0.add_(v1)             v3 = v0.add_(v1)
//     v4 = v3 * 2                  v4 = v3 * 2
//                                  v3 = v0.add_(v1)
//
// right behind itself, further down in its block, in a loop around it, or under another name, to which some of the
// later reads go. What two equal computations may share, and what effects may not, is the compiler's to tell apart.
// Site: a simple statement with an effect that can happen again: it finds its names as they were, as far as facts tell.
#include <fmt/format.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/infer/inference.h"
#include "mutate/names/reads.h"
#include "mutate/names/scopes.h"
#include "mutate/names/side_effects.h"
#include "mutate/rewrite/loops.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

constexpr int kFarthest = 8;

/// The assignment or call that the statement is, or no node.
Node work_of(const Statement& statement) {
  if (statement.kind() != "expression_statement" || statement.exits.leaves()) return {};
  auto children = statement.node.children();
  if (children.size() != 1) return {};
  const Node& work = children[0];
  bool does = work.is("augmented_assignment") || work.is("call") || (work.is("assignment") && work.field("right"));
  return does ? work : Node();
}

bool repeatable(const Parsed& parsed, const SideEffects& own, const Statement& statement) {
  return work_of(statement) && insertion_point(parsed, statement) && !in_while(parsed, statement) &&
         !own.may_bind_elsewhere(statement);
}

/// Words of what can't happen twice.
bool happens_once(std::string_view text) {
  for (std::string_view word :
       {"backward", "grad",       "pop",      "next(",  "remove", "close",    "send(",   "append",     "insert",
        "extend",   "add_module", "register", "resize", "set_(",  "squeeze_", "t_()",    "transpose_", "swap",
        "super(",   "del ",       "popitem",  "write",  "iter",   "update",   "discard", "detach_",    "throw("})
    if (text.find(word) != std::string_view::npos) return true;
  return false;
}

/// What the statement reads or binds is at that point as it was before the statement, but for values.
bool finds_same(const Parsed& parsed, const Statement& statement, const Names& before, const Names& then) {
  for (const Use& use : parsed.scopes().uses_in(statement.begin, statement.end)) {
    if (use.owner <= 0 && before.find(use.name) == before.end()) continue;
    auto was = before.find(use.name);
    auto now = then.find(use.name);
    // A name that it binds for the first time is no matter.
    if (was == before.end()) continue;
    if (now == then.end() || !alike(was->second, now->second)) return false;
  }
  return true;
}

/// Whether it may run once more behind itself, by facts.
bool runs_again(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  auto before = facts.before.find(statement.id);
  auto after = facts.after.find(statement.id);
  if (before == facts.before.end() || after == facts.after.end() || happens_once(statement.node.text())) return false;
  return finds_same(parsed, statement, before->second, after->second);
}

/// Before which of the followers it may run as well: up to there what it reads and what it binds is as it was. Their
/// number.
std::size_t reach(const Parsed& parsed, const Facts& facts, const Statement& statement,
                  const std::vector<const Statement*>& later) {
  auto before = facts.before.find(statement.id);
  auto after = facts.after.find(statement.id);
  std::size_t count = 0;
  for (; count < later.size(); ++count) {
    auto point = facts.before.find(later[count]->id);
    if (point == facts.before.end() || !finds_same(parsed, statement, before->second, point->second)) break;
    // What it binds anew must not have become another value since.
    if (!finds_same(parsed, statement, after->second, point->second)) break;
  }
  return count;
}

/// What the statement assigns is known by its value alone: an object may have been given more since.
bool gives_plain(const Facts& facts, const Statement& statement) {
  Node work = work_of(statement);
  Node left = work && work.is("assignment") ? work.field("left") : Node();
  const NameFacts* made =
      left && left.is("identifier") ? facts.find_after(statement.id, std::string(left.text())) : nullptr;
  if (!made) return false;
  for (std::string_view kind : {"tensor", "int", "float", "bool", "str", "none"})
    if (made->kind == kind) return true;
  return false;
}

/// Statements behind it in its block, nearest first.
std::vector<const Statement*> followers(const Parsed& parsed, const Statement& statement) {
  std::vector<const Statement*> found;
  const Statement* at = next_in_block(parsed, statement);
  for (; at && insertion_point(parsed, *at) && static_cast<int>(found.size()) < kFarthest;
       at = next_in_block(parsed, *at))
    found.push_back(at);
  return found;
}

class DuplicateStatement final : public Mutation {
 public:
  DuplicateStatement()
      : Mutation({"duplicate_statement", "E", Exactness::kVariation, true, "jitprobe",
                  "equal computations that are shared though a write came between, effects that are taken for one"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    const SideEffects own(parsed);
    for (const Statement& statement : parsed.statements())
      if (repeatable(parsed, own, statement) && runs_again(parsed, facts, statement))
        found.push_back({statement.id, ""});
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (!repeatable(parsed, SideEffects(parsed), statement)) return {};
    auto later = followers(parsed, statement);
    auto near = read_numbers(choices.note([&]() -> std::string {
      if (!runs_again(parsed, facts, statement)) return "";
      return fmt::format("{},{}", reach(parsed, facts, statement, later), gives_plain(facts, statement) ? 1 : 0);
    }));
    if (!near || near->size() != 2) return {};
    later.resize(std::min(later.size(), static_cast<std::size_t>(std::max<std::int64_t>(near->front(), 0))));
    Rewrite rewrite(parsed, step_number);
    Node work = work_of(statement);
    std::string text(statement.node.text());
    bool named = near->back() == 1 && work.is("assignment") && work.field("left").is("identifier");
    switch (choices.below(named ? 5 : 3)) {
      case 0:
        rewrite.after(statement, {{text}});
        break;
      case 1:
        later.empty() ? rewrite.after(statement, {{text}}) : rewrite.before(*choices.pick(later), {{text}});
        break;
      case 2:
        rewrite.before(statement, {{fmt::format("for {} in (0, 1):", rewrite.name("i"))}});
        rewrite.indent(statement, statement);
        break;
      default:
        under_another_name(parsed, statement, work, later, choices, rewrite);
    }
    return rewrite.edits();
  }

 private:
  static void under_another_name(const Parsed& parsed, const Statement& statement, const Node& work,
                                 const std::vector<const Statement*>& later, Choices& choices, Rewrite& rewrite) {
    std::string_view target = work.field("left").text();
    std::string other = rewrite.name("d");
    std::size_t from = later.empty() ? 0 : choices.below(later.size());
    Lines line = {{fmt::format("{} = {}", other, work.field("right").text())}};
    later.empty() || from == 0 ? rewrite.after(statement, line) : rewrite.before(*later[from], line);
    int scope = parsed.scopes().scope_of(statement);
    for (std::size_t i = from; i < later.size(); ++i) {
      for (const Node& read : plain_reads(parsed, *later[i]))
        if (read.text() == target && choices.chance(1, 2)) rewrite.replace(read, other);
      if (parsed.scopes().bound_in(later[i]->begin, later[i]->end, scope).contains(target)) break;
    }
  }
};

const Register<Mutation, DuplicateStatement> registered;

}  // namespace
}  // namespace jp::mutate
