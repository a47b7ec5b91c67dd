// Statements of one block move into a branch that is taken on this input; or such a branch, with no effect, is inserted
// before a statement:
//
//     v3 = v2 + v1                 if v2[0, 1].item() > -1.5 and v1.dim() == 1:
//                                      v3 = v2 + v1
//
// The condition is made from facts at that very point (value_tests.h) and is used in an `if`, the `else` of a negated
// `if`, a `while` with `break`, a `match`, an `assert`, or a conditional expression. The result is unchanged bit for
// bit. Site path: "empty", or the ID of the range's last statement ("" if the range is one statement).
#include <fmt/format.h>

#include <utility>

#include "mutate/engine/mutation.h"
#include "mutate/facts/value_tests.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::true_block_mutation {
namespace {

bool any(const Statement& /*statement*/) { return true; }

class TrueBlock final : public Mutation {
 public:
  TrueBlock()
      : Mutation({"true_block", "D", Exactness::kBitwise, true, "TorchProbe",
                  "graph breaks and resumed frames in the middle of state that is being changed"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    std::string asked;
    bool starts = false;
    for (Site& site : run_sites(parsed, true, any)) {
      if (site.statement != asked)
        starts = facts.before.contains(site.statement) && has_test(parsed, facts, *parsed.find(site.statement));
      asked = site.statement;
      if (starts) found.push_back(std::move(site));
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override;
};

enum Form : std::uint64_t { kIf, kElse, kMatch, kWhile, kAssert, kConditional, kForms };

/// A branch that is taken.
Wrapper branch(std::uint64_t form, const std::string& test) {
  switch (form) {
    case kElse:
      return {{{fmt::format("if not ({}):", test)}, {"pass", 1}, {"else:"}}};
    case kMatch:
      return {{{fmt::format("match bool({}):", test)}, {"case True:", 1}}, 2};
    case kWhile:
      return {{{fmt::format("while {}:", test)}}, 1, {{"break", 1}}};
    case kAssert:
      return {{{fmt::format("assert {}", test)}}, 0};
    case kConditional:
      return {{{fmt::format("if True if {} else False:", test)}}};
    default:
      return {{{fmt::format("if {}:", test)}}};
  }
}

EditSet TrueBlock::rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                           int step_number) const {
  const StatementRange run = find_run(parsed, site, any);
  if (!run.first) return {};
  const Statement& first = *run.first;
  const std::string test =
      choices.note_drawn([&](Choices& inner) { return draw_test(parsed, facts, first, true, inner); });
  if (test.empty() || !names_readable(parsed, first, test)) return {};
  std::uint64_t form = choices.below(kForms);
  if (form == kWhile && run_jumps(parsed, run)) form = kIf;
  if (form == kMatch && !names_readable(parsed, first, "bool(0)")) form = kIf;

  Wrapper frame = branch(form, test);
  // An empty `while` needs no other statement than its `break`.
  if (form == kWhile && run.empty()) frame = {frame.open + frame.close, 0};
  Rewrite rewrite(parsed, step_number);
  wrap(rewrite, run, frame);
  return rewrite.edits();
}

const Register<Mutation, TrueBlock> registered;

}  // namespace
}  // namespace jp::mutate::true_block_mutation
