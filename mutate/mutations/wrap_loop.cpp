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

#include "mutate/rewrite/statement_ranges.h"
#include "mutate/rewrite/template.h"

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

/// Templates of the lines around the statements: $once and $again are iterables of one element, $i is below $many, and
/// takes the value $at once.
struct Shape {
  std::string_view open;
  int depth = 1;
  std::string_view close = "";
};
/// The statements are in the `else` of a loop that ends without `break`.
constexpr Shape kElse[] = {
    {"for $i in ():\n\tpass\nelse:"}, {"for $i in range(2):\n\tpass\nelse:"}, {"while False:\n\tpass\nelse:"}};
/// The statements are in the body of a loop.
constexpr Shape kBody[] = {{"while True:", 1, "\tbreak"},
                           {"$i = 0\nwhile $i < 1:\n\t$i += 1"},
                           {"$i = True\nwhile $i:", 1, "\t$i = False"},
                           {"$i = 0\nwhile ($i := $i + 1) < 2:"},
                           {"for $i in range($many):\n\tif $i != $at:\n\t\tcontinue"},
                           {"for $i in range($many):\n\tif $i == $at:", 2},
                           {"for $i in range($many):", 1, "\tbreak\nelse:\n\traise AssertionError"},
                           {"for $i in $once:\n\tfor $j in $again:", 2},
                           {"for $i in $once:"}};

const Shape& draw_shape(bool in_else, const std::string& torch, Template& text, Choices& choices) {
  if (in_else) return kElse[choices.below(std::size(kElse))];
  const std::int64_t at = choices.between(0, 2);
  text.set("at", fmt::format("{}", at));
  text.set("many", fmt::format("{}", at + 1 + choices.between(0, 2)));
  const Shape& shape = kBody[choices.below(std::size(kBody))];
  for (const std::string_view iterable : {"once", "again"})
    if (shape.open.find(iterable) != std::string_view::npos) text.set(iterable, draw_iterable(torch, choices));
  return shape;
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
    Template text(rewrite);
    const bool in_else = choices.chance(1, 5) || run_jumps(parsed, run);
    const Shape& shape = draw_shape(in_else, torch_name(parsed, *run.first), text, choices);
    const Lines open = text.lines(shape.open);
    wrap(rewrite, run, {open, shape.depth, text.lines(shape.close)});
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
