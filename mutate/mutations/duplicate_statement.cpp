// A statement is executed twice:
//
//     v3 = v0.add_(v1)             v3 = v0.add_(v1)
//     v4 = v3 * 2                  v4 = v3 * 2
//                                  v3 = v0.add_(v1)
//
// The copy follows right after the statement, further down in its block, in a loop around it, or under another name, to
// which some of the later reads then refer. The compiler has to decide which of two equal computations may be shared,
// and which effects may not. The program is a variation. Site: a simple statement whose effects can be repeated,
// because facts show the same values in its names where the copy runs.
#include <fmt/format.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/infer/inference.h"
#include "mutate/names/reads.h"
#include "mutate/names/scopes.h"
#include "mutate/names/side_effects.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::duplicate_statement_mutation {
namespace {

constexpr int kFarthest = 8;

/// The statement is an assignment or a call.
bool works(const Statement& statement) {
  const Node does = sole_expression(statement);
  return !statement.exits.leaves() && (assignment(does).right || call(does));
}

bool repeatable(const Parsed& parsed, const SideEffects& own, const Statement& statement) {
  return works(statement) && insertion_point(parsed, statement) && !in_while(parsed, statement) &&
         !own.may_change_elsewhere(statement);
}

/// The text has a word of something that can't be executed twice.
bool happens_once(std::string_view text) {
  for (std::string_view word :
       {"backward", "grad",       "pop",      "next(",  "remove", "close",    "send(",   "append",     "insert",
        "extend",   "add_module", "register", "resize", "set_(",  "squeeze_", "t_()",    "transpose_", "swap",
        "super(",   "del ",       "popitem",  "write",  "iter",   "update",   "discard", "detach_",    "throw("})
    if (text.find(word) != std::string_view::npos) return true;
  return false;
}

/// What the statement reads or binds is the same at that point as before the statement, apart from values.
bool finds_same(const Parsed& parsed, const Statement& statement, const Names& before, const Names& then) {
  for (const Use& use : parsed.scopes().uses_in(statement.begin, statement.end)) {
    if (use.owner <= 0 && before.find(use.name) == before.end()) continue;
    auto was = before.find(use.name);
    auto now = then.find(use.name);
    // A name that the statement binds for the first time doesn't matter.
    if (was == before.end()) continue;
    if (now == then.end() || !alike(was->second, now->second)) return false;
  }
  return true;
}

/// Facts show that the statement may run once more right after itself.
bool runs_again(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  auto before = facts.before.find(statement.id);
  auto after = facts.after.find(statement.id);
  if (before == facts.before.end() || after == facts.after.end() || happens_once(statement.node.text())) return false;
  return finds_same(parsed, statement, before->second, after->second);
}

/// The number of followers before which the statement may run again as well: up to there, everything that it reads and
/// binds is unchanged.
std::size_t reach(const Parsed& parsed, const Facts& facts, const Statement& statement,
                  const std::vector<const Statement*>& later) {
  auto before = facts.before.find(statement.id);
  auto after = facts.after.find(statement.id);
  std::size_t count = 0;
  for (; count < later.size(); ++count) {
    auto point = facts.before.find(later[count]->id);
    if (point == facts.before.end() || !finds_same(parsed, statement, before->second, point->second)) break;
    // A name that the statement binds must not have been bound to another value since.
    if (!finds_same(parsed, statement, after->second, point->second)) break;
  }
  return count;
}

/// The assigned value is fully described by facts; an object may have been given attributes since.
bool gives_plain(const Facts& facts, const Statement& statement) {
  const Assignment work = assignment(statement);
  const bool named = work && !work.augmented() && work.left.is("identifier");
  const NameFacts* made = named ? facts.find_after(statement.id, std::string(work.left.text())) : nullptr;
  return made && (made->kind == "tensor" || made->kind == "str" || made->kind == "none" || is_number_kind(made->kind));
}

/// How far down the statement may be repeated, and whether its value is its only effect.
struct Near {
  std::size_t reach = 0;
  bool gives_plain = false;

  auto fields() { return std::tie(reach, gives_plain); }
};

/// The statements after it in its block, nearest first.
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
                  "equal computations that are merged despite a write in between, effects that are wrongly merged"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    const SideEffects own(parsed);
    return statement_sites(parsed, [&](const Statement& statement) {
      return repeatable(parsed, own, statement) && runs_again(parsed, facts, statement);
    });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (!repeatable(parsed, SideEffects(parsed), statement)) return {};
    auto later = followers(parsed, statement);
    auto near = choices.note([&]() -> std::optional<Near> {
      if (!runs_again(parsed, facts, statement)) return std::nullopt;
      return Near{reach(parsed, facts, statement, later), gives_plain(facts, statement)};
    });
    if (!near) return {};
    later.resize(std::min(later.size(), near->reach));
    Rewrite rewrite(parsed, step_number);
    const Assignment work = assignment(statement);
    std::string text(statement.node.text());
    bool named = near->gives_plain && work && !work.augmented() && work.left.is("identifier");
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
  static void under_another_name(const Parsed& parsed, const Statement& statement, const Assignment& work,
                                 const std::vector<const Statement*>& later, Choices& choices, Rewrite& rewrite) {
    std::string_view target = work.left.text();
    std::string other = rewrite.name("d");
    std::size_t from = later.empty() ? 0 : choices.below(later.size());
    Lines line = {{fmt::format("{} = {}", other, work.right.text())}};
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
}  // namespace jp::mutate::duplicate_statement_mutation
