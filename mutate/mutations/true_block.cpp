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

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/facts/value_tests.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate::true_block_mutation {
namespace {

constexpr std::size_t kLongestRun = 6;

class TrueBlock final : public Mutation {
 public:
  TrueBlock()
      : Mutation({"true_block", "D", Exactness::kBitwise, true, "TorchProbe",
                  "graph breaks and resumed frames in the middle of state that is being changed"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id) || !insertion_point(parsed, statement) ||
          !has_test(parsed, facts, statement))
        continue;
      found.push_back({statement.id, "empty"});
      const Statement* last = &statement;
      for (std::size_t i = 0; last && i < kLongestRun && insertion_point(parsed, *last); ++i) {
        found.push_back({statement.id, last == &statement ? "" : last->id});
        last = next_in_block(parsed, *last);
      }
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override;
};

/// The lines that open and close a branch around the lines inside.
struct Frame {
  Lines open;
  Lines close;
  int depth = 1;  // indentation steps of the statements inside
};

enum Form : std::uint64_t { kIf, kElse, kMatch, kWhile, kAssert, kConditional, kForms };

Frame frame_for(std::uint64_t form, const std::string& test) {
  switch (form) {
    case kElse:
      return {{{fmt::format("if not ({}):", test)}, {"pass", 1}, {"else:"}}, {}};
    case kMatch:
      return {{{fmt::format("match bool({}):", test)}, {"case True:", 1}}, {}, 2};
    case kWhile:
      return {{{fmt::format("while {}:", test)}}, {{"break", 1}}};
    case kAssert:
      return {{{fmt::format("assert {}", test)}}, {}, 0};
    case kConditional:
      return {{{fmt::format("if True if {} else False:", test)}}, {}};
    default:
      return {{{fmt::format("if {}:", test)}}, {}};
  }
}

EditSet TrueBlock::rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                           int step_number) const {
  const Statement& first = *parsed.find(site.statement);
  bool empty = site.path == "empty";
  const Statement* last = empty || site.path.empty() ? &first : parsed.find(site.path);
  if (uses_introspection(parsed) || !last) return {};
  auto run = run_between(parsed, first, *last);
  auto closed = [&](const Statement* statement) { return !insertion_point(parsed, *statement); };
  if (run.empty() || std::any_of(run.begin(), run.end(), closed)) return {};

  const std::string test =
      choices.note_drawn([&](Choices& inner) { return draw_test(parsed, facts, first, true, inner); });
  if (test.empty() || !names_readable(parsed, first, test)) return {};
  std::uint64_t form = choices.below(kForms);
  bool jumps = std::any_of(run.begin(), run.end(), [](const Statement* statement) {
    return statement->exits.breaks || statement->exits.continues;
  });
  if (form == kWhile && !empty && jumps) form = kIf;
  if (form == kMatch && !names_readable(parsed, first, "bool(0)")) form = kIf;

  Frame frame = frame_for(form, test);
  Rewrite rewrite(parsed, step_number);
  Lines open = frame.open;
  if (empty) {
    if (form != kWhile && form != kAssert) open.push_back({"pass", frame.depth});
    add(open, frame.close);
    rewrite.before(first, open);
    return rewrite.edits();
  }
  rewrite.before(first, open);
  for (int i = 0; i < frame.depth; ++i) rewrite.indent(first, *last);
  if (!frame.close.empty()) rewrite.after(*last, frame.close);
  return rewrite.edits();
}

const Register<Mutation, TrueBlock> registered;

}  // namespace
}  // namespace jp::mutate::true_block_mutation
