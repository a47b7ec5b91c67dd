// Something that ends a captured graph and has no other effect is put before a statement:
//
//     v3 = v2 + v1                 try:
//                                      t7 = v2[0, 1].item()
//                                      v3 = v2 + v1
//                                  finally:
//                                      pass
//
// It is a text printed to a discarded stream, a value read from a tensor, torch's own graph_break(), a call of a
// function that is not compiled, an object's id, or a clock. It stands by itself or in a loop, a nested function, a
// `try` or a `with`; a `try`, a `with` or a loop may also enclose the statements. The result is unchanged bit for bit.
// Site path: as in statement_ranges.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/facts/value_tests.h"
#include "mutate/material/failures.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::break_graph_mutation {
namespace {

const std::vector<std::string_view> kBuiltins = {"print", "id", "range", "ValueError", "object"};

bool printable(const NameFacts& known) { return !dtype_name(*known.dtype).starts_with("float8"); }

/// Draws a read of a value, such as "v0[0, 1].item()", from a live tensor that has elements; "" when there is none.
std::string draw_read(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices) {
  if (may_be_traced(parsed, statement)) return "";
  auto filled = [](const NameFacts& known) {
    for (std::int64_t size : *known.shape)
      if (size == 0) return false;
    return printable(known);
  };
  std::string name = draw_tensor(parsed, facts, statement, choices, filled);
  if (name.empty()) return "";
  const NameFacts& known = *facts.find_before(statement.id, name);
  std::vector<std::int64_t> position;
  for (std::int64_t size : *known.shape) position.push_back(choices.between(0, size - 1));
  std::string element = position.empty() ? name : fmt::format("{}[{}]", name, fmt::join(position, ", "));
  switch (choices.below(4)) {
    case 0:
      return element + ".tolist()";
    case 1:
      return element + ".reshape(-1)[0].item()";
    default:
      return element + ".item()";
  }
}

/// The names and expressions that the lines may use.
struct Parts {
  std::string torch;    // the module's name for torch, or ""
  std::string tensor;   // a live tensor, or ""
  std::string read;     // an expression that reads a value, or ""
  bool hidden = false;  // a tensor must not be printed
  std::string name;     // fresh names
  std::string function;
};

/// Draws lines that end a graph.
using Breaker = Lines (*)(const Parts&, Choices&);

Lines printed(const Parts& parts, Choices& choices) {
  if (choices.chance(1, 3)) return {{choices.chance(1, 2) ? "print(end=\"\")" : "print(\"\", end=\"\")"}};
  bool tensor = !parts.tensor.empty() && !parts.hidden && choices.chance(1, 2);
  std::string what = tensor ? parts.tensor : "\"here\"";
  return {{fmt::format("import io as {}", parts.name)},
          {fmt::format("print({}, file={}.StringIO())", what, parts.name)}};
}

Lines read(const Parts& parts, Choices& choices) {
  if (parts.read.empty()) return printed(parts, choices);
  return {{fmt::format("{} = {}", parts.name, parts.read)}};
}

Lines asked(const Parts& parts, Choices& choices) {
  if (parts.torch.empty()) return printed(parts, choices);
  return {{parts.torch + "._dynamo.graph_break()"}};
}

Lines disabled(const Parts& parts, Choices& choices) {
  if (parts.torch.empty()) return printed(parts, choices);
  std::string disable = choices.chance(1, 2) ? ".compiler.disable" : "._dynamo.disable";
  if (choices.chance(1, 4)) disable += "(recursive=False)";
  bool tensor = !parts.tensor.empty() && choices.chance(1, 2);
  std::string parameter = tensor ? "x" : "";
  return {{fmt::format("@{}{}", parts.torch, disable)},
          {fmt::format("def {}({}):", parts.function, parameter)},
          {tensor ? "return x" : "return None", 1},
          {fmt::format("{}({})", parts.function, tensor ? parts.tensor : "")}};
}

Lines identity(const Parts& parts, Choices&) {
  return {{fmt::format("{} = id({})", parts.name, parts.tensor.empty() ? "object()" : parts.tensor)}};
}

Lines clock(const Parts& parts, Choices& choices) {
  if (choices.chance(1, 2)) return {{fmt::format("import time as {}", parts.name)}, {parts.name + ".perf_counter()"}};
  return {{fmt::format("import os as {}", parts.name)}, {parts.name + ".getpid()"}};
}

constexpr Breaker kBreakers[] = {printed, read, read, asked, disabled, identity, clock};

/// Puts the lines before the statements, which stay as they are.
Wrapper beside(const Lines& lines, const std::string& name, const std::string& torch, Choices& choices) {
  switch (choices.below(6)) {
    case 0:
      return {Lines{{fmt::format("for {} in range(2):", name)}} + deeper(lines), 0, {}};
    case 1:
      return {Lines{{fmt::format("def {}():", name)}} + deeper(lines) + Lines{{name + "()"}}, 0, {}};
    case 2:
      return {Lines{{"try:"}} + deeper(lines) + Lines{{"except ValueError:"}, {"raise", 1}}, 0, {}};
    case 3:
      return {Lines{{"try:"}, {"pass", 1}, {"finally:"}} + deeper(lines), 0, {}};
    case 4:
      if (!torch.empty()) return {Lines{{fmt::format("with {}.no_grad():", torch)}} + deeper(lines), 0, {}};
      return {Lines{{"while True:"}} + deeper(lines) + Lines{{"break", 1}}, 0, {}};
    default:
      return {lines, 0, {}};
  }
}

/// Encloses the lines and the statements together. `behind`: the lines come last, where names may have been rebound.
Wrapper around(const Lines& lines, const std::string& name, bool behind, bool jumps, Choices& choices) {
  Lines before = behind ? Lines() : deeper(lines);
  Lines after = behind ? deeper(lines) : Lines();
  switch (choices.below(jumps ? 3 : 4)) {
    case 0:
      return {Lines{{"try:"}} + before, 1, Lines{{"finally:"}} + (behind ? after : Lines{{"pass", 1}})};
    case 1:
    case 2: {
      std::string import = fmt::format("from contextlib import {} as {}", behind ? "ExitStack" : "nullcontext", name);
      return {Lines{{import}, {fmt::format("with {}():", name)}} + before, 1, after};
    }
    default:
      return {Lines{{fmt::format("for {} in range(1):", name)}} + before, 1, after};
  }
}

class BreakGraph final : public Mutation {
 public:
  BreakGraph()
      : Mutation({"break_graph", "C", Exactness::kBitwise, false, "jitprobe",
                  "what a graph break saves, restores and resumes in the middle of a block"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    if (binds_any(parsed, kBuiltins)) return {};
    return run_sites(parsed, true, fits);
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    StatementRange run = find_run(parsed, site, fits);
    if (!run.first || binds_any(parsed, kBuiltins)) return {};
    const Statement& first = *run.first;
    std::uint64_t seed = choices.below(std::uint64_t{1} << 62);
    Parts parts;
    parts.torch = torch_name(parsed, first);
    parts.tensor = choices.note([&] {
      Choices inner(seed);
      return draw_tensor(parsed, facts, first, inner, printable);
    });
    parts.read = choices.note([&] {
      Choices inner(seed + 1);
      return draw_read(parsed, facts, first, inner);
    });
    parts.hidden = may_be_traced(parsed, first);
    if (!names_readable(parsed, first, parts.tensor) || !names_readable(parsed, first, parts.read)) return {};
    if (parts.hidden) parts.read.clear();

    Rewrite rewrite(parsed, step_number);
    std::string holder = rewrite.name("h");
    parts.name = rewrite.name("t");
    parts.function = rewrite.name("f");
    Breaker breaker = kBreakers[choices.below(std::size(kBreakers))];
    bool behind = !run.empty() && choices.chance(1, 2);
    if (behind) parts.tensor.clear();
    if (behind) parts.read.clear();
    Lines lines = breaker(parts, choices);
    const Wrapper wrapper = run.empty() ? beside(lines, holder, parts.torch, choices)
                                        : around(lines, holder, behind, run_jumps(parsed, run), choices);
    wrap(rewrite, run, wrapper);
    return rewrite.edits();
  }

 private:
  static bool fits(const Statement& statement) { return !statement.exits.awaits; }
};

const Register<Mutation, BreakGraph> registered;

}  // namespace
}  // namespace jp::mutate::break_graph_mutation
