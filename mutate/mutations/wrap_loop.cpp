// Statements of one block move into a loop that runs them once:
//
//     v3 = v2 + v1                 for i7 in range(3):
//                                      if i7 != 1:
//                                          continue
//                                      v3 = v2 + v1
//
// The loop is a `for` over an iterable of one element, a `while` with `break` or a counter, nested loops, or the
// statements are in the `else` of a loop that ends without `break`. Statements that break or continue an enclosing loop
// only move into the `else`. The result is unchanged bit for bit. Site path: as in statement_ranges.h.
#include <fmt/format.h>

#include <array>

#include "mutate/material/failures.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::wrap_loop_mutation {
namespace {

/// Iterables of one element; {} is the module's name for torch.
constexpr std::array<std::string_view, 10> kOnce = {"range(1)",
                                                    "[None]",
                                                    "\"x\"",
                                                    "{0}",
                                                    "enumerate([0])",
                                                    "zip(range(1), \"xy\")",
                                                    "reversed(range(1))",
                                                    "iter([0])",
                                                    "{\"k\": 0}.items()",
                                                    "map(int, \"1\")"};
constexpr std::array<std::string_view, 2> kOnceOfTorch = {"{}.zeros(1)", "{}.arange(1).unbind()"};

std::string draw_iterable(const std::string& torch, Choices& choices) {
  if (!torch.empty() && choices.chance(1, 4))
    return fmt::format(fmt::runtime(kOnceOfTorch[choices.below(kOnceOfTorch.size())]), torch);
  return std::string(kOnce[choices.below(kOnce.size())]);
}

/// Puts the statements into the `else` of a loop that ends without `break`.
Wrapper in_else(const std::string& counter, Choices& choices) {
  switch (choices.below(3)) {
    case 0:
      return {{{fmt::format("for {} in ():", counter)}, {"pass", 1}, {"else:"}}, 1, {}};
    case 1:
      return {{{fmt::format("for {} in range(2):", counter)}, {"pass", 1}, {"else:"}}, 1, {}};
    default:
      return {{{"while False:"}, {"pass", 1}, {"else:"}}, 1, {}};
  }
}

/// Puts the statements into the body of a loop.
Wrapper in_body(const std::string& counter, const std::string& inner, const std::string& torch, Choices& choices) {
  std::int64_t at = choices.between(0, 2);
  std::string count = fmt::format("for {} in range({}):", counter, at + 1 + choices.between(0, 2));
  switch (choices.below(9)) {
    case 0:
      return {{{"while True:"}}, 1, {{"break", 1}}};
    case 1:
      return {{{counter + " = 0"}, {fmt::format("while {} < 1:", counter)}, {counter + " += 1", 1}}, 1, {}};
    case 2:
      return {{{counter + " = True"}, {fmt::format("while {}:", counter)}}, 1, {{counter + " = False", 1}}};
    case 3:
      return {{{counter + " = 0"}, {fmt::format("while ({0} := {0} + 1) < 2:", counter)}}, 1, {}};
    case 4:
      return {{{count}, {fmt::format("if {} != {}:", counter, at), 1}, {"continue", 2}}, 1, {}};
    case 5:
      return {{{count}, {fmt::format("if {} == {}:", counter, at), 1}}, 2, {}};
    case 6:
      return {{{count}}, 1, {{"break", 1}, {"else:"}, {"raise AssertionError", 1}}};
    case 7:
      return {{{fmt::format("for {} in {}:", counter, draw_iterable(torch, choices))},
               {fmt::format("for {} in {}:", inner, draw_iterable(torch, choices)), 1}},
              2,
              {}};
    default:
      return {{{fmt::format("for {} in {}:", counter, draw_iterable(torch, choices))}}, 1, {}};
  }
}

class WrapLoop final : public Mutation {
 public:
  WrapLoop()
      : Mutation({"wrap_loop", "C", Exactness::kBitwise, false, "jitprobe",
                  "loops that are unrolled, resumed in the middle, or left while state is live"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    if (binds_any(parsed, kBuiltins)) return {};
    return run_sites(parsed, true, fits);
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices& choices,
                  int step_number) const override {
    StatementRange run = find_run(parsed, site, fits);
    if (!run.first || binds_any(parsed, kBuiltins)) return {};
    Rewrite rewrite(parsed, step_number);
    std::string counter = rewrite.name("i");
    std::string torch = torch_name(parsed, *run.first);
    bool last = choices.chance(1, 5) || run_jumps(parsed, run);
    const Wrapper wrapper = last ? in_else(counter, choices) : in_body(counter, rewrite.name("j"), torch, choices);
    wrap(rewrite, run, wrapper);
    return rewrite.edits();
  }

 private:
  static bool fits(const Statement& statement) { return !statement.exits.awaits; }

  inline static const std::vector<std::string_view> kBuiltins = {"range", "enumerate", "zip", "reversed",
                                                                 "iter",  "map",       "int", "AssertionError"};
};

const Register<Mutation, WrapLoop> registered;

}  // namespace
}  // namespace jp::mutate::wrap_loop_mutation
