// A statement happens twice:
//
//     v3 = v0.add_(v1)             v3 = v0.add_(v1)
//     v4 = v3 * 2                  v4 = v3 * 2
//                                  v3 = v0.add_(v1)
//
// right behind itself, further down in its block, in a loop around it, or under another name, to which some of the
// later reads go. What two equal computations may share, and what effects may not, is the compiler's to tell apart.
// Site: a simple statement with an effect.
#include <fmt/format.h>

#include <algorithm>

#include "mutate/layout.h"
#include "mutate/loops.h"
#include "mutate/mutation.h"
#include "mutate/reads.h"
#include "mutate/scopes.h"

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

bool repeatable(const Parsed& parsed, const Statement& statement) {
  return work_of(statement) && open_place(parsed, statement) && !in_while(parsed, statement);
}

/// Statements behind it in its block, nearest first.
std::vector<const Statement*> followers(const Parsed& parsed, const Statement& statement) {
  std::vector<const Statement*> found;
  const Statement* at = next_in_block(parsed, statement);
  for (; at && open_place(parsed, *at) && static_cast<int>(found.size()) < kFarthest; at = next_in_block(parsed, *at))
    found.push_back(at);
  return found;
}

class DuplicateStatement final : public Mutation {
 public:
  DuplicateStatement()
      : Mutation({"duplicate_statement", "E", Exactness::kVariation, false, "jitprobe",
                  "equal computations that are shared though a write came between, effects that are taken for one"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    std::vector<Site> found;
    for (const Statement& statement : parsed.statements())
      if (repeatable(parsed, statement)) found.push_back({statement.id, ""});
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (!repeatable(parsed, statement)) return {};
    Rewrite rewrite(parsed, step_number);
    Node work = work_of(statement);
    std::string text(statement.node.text());
    auto later = followers(parsed, statement);
    bool named = work.is("assignment") && work.field("left").is("identifier");
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
