#include "mutate/outline/iteration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mutate/outline/signature.h"

namespace jp::mutate {
namespace {

constexpr std::array<std::string_view, 12> kWords = {"map",  "filter", "zip",   "iter", "list",     "tuple",
                                                     "next", "any",    "range", "len",  "callable", "enumerate"};

/// Imports a name of a module under a fresh name.
std::string import(Rewrite& rewrite, std::string_view module, std::string_view name, Lines& before) {
  std::string fresh = rewrite.name(name);
  before.push_back({fmt::format("from {} import {} as {}", module, name, fresh)});
  return fresh;
}

std::string tools(Rewrite& rewrite, std::string_view name, Lines& before) {
  return import(rewrite, "itertools", name, before);
}

}  // namespace

bool has_iteration_words(const Parsed& parsed) {
  return std::all_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return means_builtin(parsed, word); });
}

std::string draw_iterable(Rewrite& rewrite, const std::string& iterable, Lines& before, Choices& choices) {
  std::string x = rewrite.name("x");
  switch (choices.below(14)) {
    case 0:
      return fmt::format("map(lambda {0}: {0}, {1})", x, iterable);
    case 1:
      return fmt::format("filter(lambda {}: True, {})", x, iterable);
    case 2:
      return fmt::format("iter({})", iterable);
    case 3:
      return fmt::format("({0} for {0} in {1})", x, iterable);
    case 4:
      return fmt::format("({0} for {0}, in zip({1}))", x, iterable);
    case 5:
      return fmt::format("({0}[1] for {0} in enumerate({1}))", x, iterable);
    case 6:
      return fmt::format("{}((), {})", tools(rewrite, "chain", before), iterable);
    case 7:
      return fmt::format("{}.from_iterable([{}])", tools(rewrite, "chain", before), iterable);
    case 8:
      return fmt::format("{}({}, None)", tools(rewrite, "islice", before), iterable);
    case 9:
      return fmt::format("{}(lambda {}: True, {})", tools(rewrite, "takewhile", before), x, iterable);
    case 10:
      return fmt::format("{}(lambda {}: False, {})", tools(rewrite, "dropwhile", before), x, iterable);
    case 11:
      return fmt::format("{0}(lambda {1}: {1}, zip({2}))", tools(rewrite, "starmap", before), x, iterable);
    case 12: {
      std::string compress = tools(rewrite, "compress", before);
      return fmt::format("{}({}, {}(True))", compress, iterable, tools(rewrite, "repeat", before));
    }
    default:
      return fmt::format("{0}({1}, lambda {2}, {2}_: {2}_)", tools(rewrite, "accumulate", before), iterable, x);
  }
}

Lines draw_walk(Rewrite& rewrite, const std::string& function, const std::string& iterable, bool small_range,
                Choices& choices) {
  Lines lines;
  std::string walk = rewrite.name("walk");
  std::string item = rewrite.name("item");
  std::string mapped = fmt::format("map({}, {})", function, iterable);
  switch (choices.below(small_range ? 11 : 9)) {
    case 0:
      return {{fmt::format("list({})", mapped)}};
    case 1:
      return {{fmt::format("for {} in {}:", item, mapped)}, {"pass", 1}};
    case 2: {
      std::string deque = import(rewrite, "collections", "deque", lines);
      lines.push_back({fmt::format("{}({}, maxlen=0)", deque, mapped)});
      return lines;
    }
    case 3:
      return {{fmt::format("any({})", mapped)}};
    case 4:
      return {{fmt::format("[{}({}) for {} in {}]", function, item, item, iterable)}};
    case 5:
      return {{fmt::format("list(filter({}, {}))", function, iterable)}};
    case 6:
      return {{fmt::format("{} = iter({})", walk, iterable)},
              {fmt::format("while ({0} := next({1}, {1})) is not {1}:", item, walk)},
              {fmt::format("{}({})", function, item), 1}};
    case 7: {
      std::string reduce = import(rewrite, "functools", "reduce", lines);
      lines.push_back(
          {fmt::format("{}(lambda {}, {}: {}({}), {}, None)", reduce, walk, item, function, item, iterable)});
      return lines;
    }
    case 8: {
      std::string step = rewrite.name("step");
      return {{fmt::format("{} = iter({})", walk, iterable)},
              {fmt::format("def {}():", step)},
              {fmt::format("for {} in {}:", item, walk), 1},
              {fmt::format("{}({})", function, item), 2},
              {"return False", 2},
              {"return True", 1},
              {fmt::format("for {} in iter({}, True):", item, step)},
              {"pass", 1}};
    }
    case 9:
      return {{fmt::format("def {}(left):", walk)},
              {"if left:", 1},
              {fmt::format("{}(left[0])", function), 2},
              {fmt::format("{}(left[1:])", walk), 2},
              {fmt::format("{}({})", walk, iterable)}};
    default:
      return {{fmt::format("def {}(left):", walk)},
              {fmt::format("return len(left) and ({}(left[0]), {}(left[1:]))", function, walk), 1},
              {fmt::format("{}({})", walk, iterable)}};
  }
}

std::string draw_calls(Rewrite& rewrite, const std::vector<std::string>& functions, Lines& before, Choices& choices) {
  std::string f = rewrite.name("f");
  std::string all = fmt::format("({})", fmt::join(functions, ", "));
  std::vector<std::string> backwards(functions.rbegin(), functions.rend());
  switch (choices.below(11)) {
    case 0:
      return fmt::format("map(lambda {0}: {0}(), {1})", f, all);
    case 1:
      return fmt::format("[{0}() for {0} in {1}]", f, all);
    case 2:
      return fmt::format("({0}() for {0} in {1})", f, all);
    case 3:
      return fmt::format("{0}(lambda {1}: {1}(), zip({2}))", tools(rewrite, "starmap", before), f, all);
    case 4:
      return fmt::format("[{0}() for {0}, in zip({1})]", f, all);
    case 5: {
      std::string walk = rewrite.name("walk");
      add(before, {{fmt::format("def {}(left):", walk)},
                   {fmt::format("return [left[0](), *{}(left[1:])] if left else []", walk), 1}});
      return fmt::format("{}({})", walk, all);
    }
    case 6:
      return fmt::format("[{0}() for {0} in iter([None, {1}].pop, None)]", f, fmt::join(backwards, ", "));
    case 7: {
      std::string made = rewrite.name("c");
      add(before,
          {{made + " = []"}, {fmt::format("for {} in {}:", f, all)}, {fmt::format("{}.append({}())", made, f), 1}});
      return made;
    }
    case 8:
      return fmt::format("map(lambda {0}: {0}(), filter(callable, (None, {1})))", f, fmt::join(functions, ", "));
    case 9: {
      std::vector<std::string> rest(functions.begin() + 1, functions.end());
      return fmt::format("[{0}() for {0} in {1}([{2}], [{3}])]", f, tools(rewrite, "chain", before), functions[0],
                         fmt::join(rest, ", "));
    }
    default:
      return fmt::format("map(lambda {0}: {1}[{0}](), range({2}))", f, all, functions.size());
  }
}

}  // namespace jp::mutate
