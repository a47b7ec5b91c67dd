#include "mutate/outline/iteration.h"

#include <algorithm>
#include <array>

#include "mutate/outline/signature.h"
#include "mutate/rewrite/template.h"

namespace jp::mutate {
namespace {

constexpr std::array<std::string_view, 12> kWords = {"map",  "filter", "zip",   "iter", "list",     "tuple",
                                                     "next", "any",    "range", "len",  "callable", "enumerate"};

/// Iterators over the items of $items.
constexpr auto kIterables = std::to_array<std::string_view>(
    {"map(lambda $x: $x, $items)", "filter(lambda $x: True, $items)", "iter($items)", "($x for $x in $items)",
     "($x for $x, in zip($items))", "($x[1] for $x in enumerate($items))", "$itertools:chain((), $items)",
     "$itertools:chain.from_iterable([$items])", "$itertools:islice($items, None)",
     "$itertools:takewhile(lambda $x: True, $items)", "$itertools:dropwhile(lambda $x: False, $items)",
     "$itertools:starmap(lambda $x: $x, zip($items))", "$itertools:compress($items, $itertools:repeat(True))",
     "$itertools:accumulate($items, lambda $x, ${x}_: ${x}_)"});

/// Lines that call $function with each item of $items. The last two slice the items and recurse.
constexpr std::size_t kRecursive = 2;
constexpr auto kWalks = std::to_array<std::string_view>(
    {"list(map($function, $items))",
     "for $item in map($function, $items):\n"
     "\tpass",
     "$collections:deque(map($function, $items), maxlen=0)", "any(map($function, $items))",
     "[$function($item) for $item in $items]", "list(filter($function, $items))",
     "$walk = iter($items)\n"
     "while ($item := next($walk, $walk)) is not $walk:\n"
     "\t$function($item)",
     "$functools:reduce(lambda $walk, $item: $function($item), $items, None)",
     "$walk = iter($items)\n"
     "def $step():\n"
     "\tfor $item in $walk:\n"
     "\t\t$function($item)\n"
     "\t\treturn False\n"
     "\treturn True\n"
     "for $item in iter($step, True):\n"
     "\tpass",
     "def $walk(left):\n"
     "\tif left:\n"
     "\t\t$function(left[0])\n"
     "\t\t$walk(left[1:])\n"
     "$walk($items)",
     "def $walk(left):\n"
     "\treturn len(left) and ($function(left[0]), $walk(left[1:]))\n"
     "$walk($items)"});

/// Iterables of the results of the functions $all, a tuple of $count.
constexpr auto kCalls = std::to_array<std::string_view>(
    {"map(lambda $f: $f(), $all)", "[$f() for $f in $all]", "($f() for $f in $all)",
     "$itertools:starmap(lambda $f: $f(), zip($all))", "[$f() for $f, in zip($all)]",
     "def $walk(left):\n"
     "\treturn [left[0](), *$walk(left[1:])] if left else []\n"
     "$walk($all)",
     "[$f() for $f in iter([None, $backwards].pop, None)]",
     "$c = []\n"
     "for $f in $all:\n"
     "\t$c.append($f())\n"
     "$c",
     "map(lambda $f: $f(), filter(callable, (None, $functions)))",
     "[$f() for $f in $itertools:chain([$first], [$rest])]", "map(lambda $f: $all[$f](), range($count))"});

}  // namespace

bool has_iteration_words(const Parsed& parsed) {
  return std::all_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return means_builtin(parsed, word); });
}

std::string draw_iterable(Rewrite& rewrite, const std::string& iterable, Lines& before, Choices& choices) {
  Template text(rewrite);
  text.set("items", iterable);
  return text.expression(kIterables[choices.below(kIterables.size())], before);
}

Lines draw_walk(Rewrite& rewrite, const std::string& function, const std::string& iterable, bool small_range,
                Choices& choices) {
  Template text(rewrite);
  text.set("function", function);
  text.set("items", iterable);
  return text.lines(kWalks[choices.below(kWalks.size() - (small_range ? 0 : kRecursive))]);
}

std::string draw_calls(Rewrite& rewrite, const std::vector<std::string>& functions, Lines& before, Choices& choices) {
  Template text(rewrite);
  text.set("functions", joined(functions));
  text.set("all", fmt::format("({})", joined(functions)));
  text.set("backwards", joined(std::vector<std::string>(functions.rbegin(), functions.rend())));
  text.set("first", functions.front());
  text.set("rest", joined(std::vector<std::string>(functions.begin() + 1, functions.end())));
  text.set("count", fmt::format("{}", functions.size()));
  return text.expression(kCalls[choices.below(kCalls.size())], before);
}

}  // namespace jp::mutate
