// An input of the program gets another size: 0, 1, odd, close to the width of a vector register; or no dimension at
// all. Axes of other inputs that have the same size mostly change with it, as they likely mean the same thing:
//
//     return (torch.randn(3, 4), torch.randn(4))
//     return (torch.randn(3, 17), torch.randn(17))
//
// Sizes that are literals in the argument's text are rewritten; otherwise the tensor is cut or repeated. Sizes that the
// program mentions as numbers are left alone while there are others. Where inference can't show that the program runs
// with the new size (infer/inference.h), the program cuts or repeats its argument back to the old size in its first
// line. The program is a variation. Site: the return statement of make_inputs; path: CALL.ARGUMENT, both from 0.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/infer/inference.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/safety/value_sensitive.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::reshape_input_mutation {
namespace {

constexpr std::int64_t kMostElements = 1 << 16;
constexpr int kTries = 24;

/// The sizes in a call that makes a tensor: in `torch.randn(3, 4)`, `torch.zeros((3, 4), dtype=torch.int64)`.
std::vector<Node> sizes_in_call(const Call& call) {
  const std::string_view name = call.name;
  bool plain = name == "rand" || name == "randn" || name == "zeros" || name == "ones" || name == "empty";
  if (!plain && name != "randint" && name != "full") return {};
  auto integers = [](const auto& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.is("integer"); });
  };
  std::vector<Node> numbers;
  for (const Node& argument : call.arguments.children()) {
    if (is_keyword(argument)) continue;
    if ((argument.is("tuple") || argument.is("list")) && integers(argument.children())) return argument.children();
    numbers.push_back(argument);
  }
  return plain && integers(numbers) ? numbers : std::vector<Node>();
}

/// The sizes in the only such call of an argument's text, if they are still the final shape of the argument.
std::vector<Node> written_sizes(const Parsed& parsed, const Node& text, const InputKind& kind) {
  std::vector<Node> found;
  std::size_t behind = 0;
  for (const Node node : nodes_of(text)) {
    const Call made = call(node);
    auto sizes = made ? sizes_in_call(made) : std::vector<Node>();
    if (sizes.empty()) continue;
    if (!found.empty()) return {};
    found = sizes;
    behind = node.end();
  }
  if (found.size() != kind.shape.size()) return {};
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].text() != std::to_string(kind.shape[i])) return {};
  std::string_view tail = std::string_view(parsed.source()).substr(behind, text.end() - behind);
  for (std::string_view word : {"[", "view", "shape", "trans", "perm", "expand", "repeat", "flat", "sque", ".t(", "sel",
                                "narrow", "flip", ".T", ".m"})
    if (tail.find(word) != std::string_view::npos) return {};
  return found;
}

/// The text of the argument with `size` elements along the axis instead of `old`.
std::string resized(const std::string& torch, std::int64_t rank, std::int64_t axis, std::int64_t old, std::int64_t size,
                    bool narrow) {
  if (size > old) return fmt::format(".index_select({}, {}.arange({}) % {})", axis, torch, size, old);
  if (narrow) return fmt::format(".narrow({}, 0, {})", axis, size);
  std::string before;
  if (axis == rank - 1 && axis > 1) return fmt::format("[..., :{}]", size);
  for (std::int64_t i = 0; i < axis; ++i) before += ":, ";
  return fmt::format("[{}:{}]", before, size);
}

/// Numbers in the text of the entry.
std::vector<std::int64_t> numbers_of_entry(const Parsed& parsed) {
  std::vector<std::int64_t> numbers;
  const Statement* entry = entry_function(parsed);
  if (!entry) return numbers;
  for (const Node node : nodes_of(entry->node)) {
    std::int64_t number = 0;
    std::string_view text = node.text();
    if (node.is("integer") && std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc())
      numbers.push_back(number);
  }
  return numbers;
}

/// Sizes that the program depends on: it mentions them or their factors, or has other tensors of that size.
std::vector<std::int64_t> fixed_sizes(const Parsed& parsed, const Facts& facts) {
  auto sizes = numbers_of_entry(parsed);
  std::size_t count = sizes.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (sizes[i] > 1 && sizes[j] > 1 && sizes[i] < kMostElements && sizes[j] < kMostElements)
        sizes.push_back(sizes[i] * sizes[j]);
  const Statement* start = entry_start(parsed);
  auto point = start ? facts.before.find(start->id) : facts.before.end();
  if (point == facts.before.end()) return sizes;
  auto parameters = entry_parameters(parsed);
  for (const auto& [name, known] : point->second) {
    bool argument = std::any_of(parameters.begin(), parameters.end(), [&](Node node) { return node.text() == name; });
    if (!argument && known.shape) sizes.insert(sizes.end(), known.shape->begin(), known.shape->end());
  }
  return sizes;
}

/// The axes whose size is not fixed; all of them if every size is fixed. Of a module's input only the first axis counts
/// as not fixed, because the others may have to fit the module's parameters.
std::vector<std::size_t> free_axes(const Parsed& parsed, const Facts& facts, const InputKind& kind) {
  auto fixed = fixed_sizes(parsed, facts);
  bool module = entry_function(parsed) && entry_function(parsed)->parent >= 0;
  std::vector<std::size_t> free;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < kind.shape.size(); ++i) {
    all.push_back(i);
    bool fits = i == 0 || !module;
    if (fits && std::find(fixed.begin(), fixed.end(), kind.shape[i]) == fixed.end()) free.push_back(i);
  }
  return free.empty() ? all : free;
}

/// An axis of one argument.
struct Axis {
  std::size_t argument = 0;
  std::size_t axis = 0;

  auto fields() { return std::tie(argument, axis); }
  auto operator<=>(const Axis&) const = default;
};

/// A new size for axes of arguments with which the program runs; without axes, the argument loses all its dimensions.
struct Plan {
  std::int64_t size = 0;
  std::vector<Axis> changed;  // ascending

  auto fields() { return std::tie(size, changed); }
  bool fits(const Calls& calls) const {
    auto there = [&](const Axis& one) {
      return one.argument < calls.kinds.size() && one.axis < calls.kinds[one.argument].shape.size();
    };
    return size >= 0 && size <= kMostElements && std::all_of(changed.begin(), changed.end(), there) && ascends(changed);
  }
};

class ReshapeInput final : public Mutation {
 public:
  ReshapeInput()
      : Mutation({"reshape_input", "E", Exactness::kVariation, true, "jitprobe",
                  "loops without iterations, remainders of vectorised loops, sizes that are specialised"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return entry_start(parsed) ? argument_sites(parsed, facts, fits) : std::vector<Site>();
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = argument_at(parsed, facts, site, choices);
    const Statement* start = entry_start(parsed);
    if (!calls || !fits(calls->kind()) || !start) return {};
    const InputKind& kind = calls->kind();
    Rewrite rewrite(parsed, step_number);
    bool all_calls = choices.chance(3, 4);
    bool narrow = choices.chance(1, 2);
    auto plan = choices.note_drawn([&](Choices& inner) { return draw_plan(parsed, facts, *calls, *start, inner); });
    const bool known = plan && plan->fits(*calls);
    if (known && plan->changed.empty()) {
      for (const Node& text : calls->texts(calls->asked.at, all_calls))
        rewrite.replace(text, with_tail(text, kind, kind.count() == 1 ? ".reshape(())" : ".flatten()[0]"));
      return rewrite.edits();
    }
    std::int64_t size = known ? plan->size : 0;
    std::vector<Axis> changed = known ? plan->changed : std::vector<Axis>();
    if (changed.empty()) {
      std::size_t axis = choices.below(kind.shape.size());
      changed = {{calls->asked.at, axis}};
      size = choices.pick(sizes_for(kind, kind.shape[axis], shrinks_only(parsed, *calls, changed), true));
      std::string line = as_it_was(parsed, *calls, *start, axis, size, choices);
      if (line.empty()) return {};
      rewrite.before(*start, {{line}});
    }
    for (std::size_t at = 0; at < calls->kinds.size(); ++at) {
      std::vector<std::size_t> own;
      for (const Axis& one : changed)
        if (one.argument == at) own.push_back(one.axis);
      if (own.empty()) continue;
      for (const Node& text : calls->texts(at, all_calls)) write(parsed, rewrite, *calls, at, text, own, size, narrow);
    }
    return rewrite.edits();
  }

 private:
  static bool fits(const InputKind& kind) { return kind.is_tensor() && !kind.shape.empty() && kind.count() > 0; }

  static std::optional<Plan> draw_plan(const Parsed& parsed, const Facts& facts, const Calls& calls,
                                       const Statement& start, Choices& choices) {
    const InputKind& kind = calls.kind();
    if (choices.chance(1, kind.count() == 1 ? 4 : 20) && runs(parsed, facts, calls, start, {}, 0)) return Plan();
    auto free = free_axes(parsed, facts, kind);
    std::vector<std::size_t> all(kind.shape.size());
    std::iota(all.begin(), all.end(), 0);
    for (int tries = 0; tries < kTries; ++tries) {
      const std::size_t axis = draw_axis(kind, tries < kTries / 2 ? free : all, choices);
      auto changed = linked(calls, axis, choices);
      auto sizes = sizes_for(kind, kind.shape[axis], shrinks_only(parsed, calls, changed), false);
      if (sizes.empty()) continue;
      const std::int64_t size = choices.pick(sizes);
      if (runs(parsed, facts, calls, start, changed, size)) return Plan{size, changed};
    }
    return std::nullopt;
  }

  /// Draws an axis. The first axis is likely a batch, and an axis of size 1 is likely to be broadcast.
  static std::size_t draw_axis(const InputKind& kind, const std::vector<std::size_t>& axes, Choices& choices) {
    std::vector<std::uint32_t> shares;
    for (std::size_t one : axes) shares.push_back((one == 0 ? 2U : 1U) * (kind.shape[one] == 1 ? 1U : 2U));
    return axes[choices.weighted(shares)];
  }

  /// Whether the program runs with that size, or with a tensor without dimensions if no axis is given.
  static bool runs(const Parsed& parsed, const Facts& facts, const Calls& calls, const Statement& start,
                   const std::vector<Axis>& changed, std::int64_t size) {
    auto parameters = entry_parameters(parsed);
    AbstractState looks;
    auto add = [&](std::size_t at, Shape shape) {
      if (at >= parameters.size()) return false;
      AbstractValue look = AbstractValue::tensor(calls.kinds[at].dtype, std::move(shape));
      look.was = calls.kinds[at].shape;
      look.resized = true;
      looks[std::string(parameters[at].text())] = std::move(look);
      return true;
    };
    if (changed.empty() && !add(calls.asked.at, {})) return false;
    for (const Axis& one : changed) {
      if (one.argument >= parameters.size()) return false;
      auto known = looks.find(parameters[one.argument].text());
      Shape shape = known == looks.end() ? calls.kinds[one.argument].shape : *known->second.shape;
      shape[one.axis] = size;
      if (!add(one.argument, std::move(shape))) return false;
    }
    return valid_from(parsed, facts, start, std::move(looks));
  }

  /// The axis, and axes of other arguments that likely mean the same thing.
  static std::vector<Axis> linked(const Calls& calls, std::size_t axis, Choices& choices) {
    std::int64_t size = calls.kind().shape[axis];
    std::vector<Axis> found;
    bool in_step = size > 1 && !choices.chance(1, 4);
    for (std::size_t at = 0; at < calls.kinds.size(); ++at)
      for (std::size_t i = 0; calls.kinds[at].is_tensor() && i < calls.kinds[at].shape.size(); ++i) {
        bool asked = at == calls.asked.at && i == axis;
        if (asked || (in_step && calls.kinds[at].shape[i] == size && fits(calls.kinds[at]))) found.push_back({at, i});
      }
    return found;
  }

  /// A repeated index changes the meaning of a program whose indices were unique, so tensors of indices only shrink.
  static bool shrinks_only(const Parsed& parsed, const Calls& calls, const std::vector<Axis>& changed) {
    auto is_index = [&](const Axis& one) { return is_integral(calls.kinds[one.argument].dtype); };
    if (std::none_of(changed.begin(), changed.end(), is_index)) return false;
    const ValueSensitive value_sensitive = find_value_sensitive(parsed);
    return std::any_of(changed.begin(), changed.end(), [&](const Axis& one) {
      return is_index(one) && is_value_sensitive(parsed, value_sensitive, calls.kinds[one.argument], one.argument);
    });
  }

  /// New sizes for an axis of size `old`. `once`: elements must not be repeated, so the size only shrinks; if the
  /// program brings the old size back (`comes_back`), growing and cutting avoids the repetition, so the size only
  /// grows.
  static std::vector<std::int64_t> sizes_for(const InputKind& kind, std::int64_t old, bool once, bool comes_back) {
    std::vector<std::int64_t> sizes = {0, 1, 1, 1, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, old * 2 + 1, old - 1};
    std::int64_t others = kind.count() / old;
    std::erase_if(sizes, [&](std::int64_t size) {
      bool wrong = once && (comes_back ? size < old : size > old);
      return size == old || size < 0 || wrong || (size > 1 && size * others > kMostElements);
    });
    if (sizes.empty() && comes_back) sizes = {old + 1};
    return sizes;
  }

  /// The line that restores the argument's old size: it cuts off the elements that were added, repeats those that are
  /// left, or fills with zeros if there are none.
  static std::string as_it_was(const Parsed& parsed, const Calls& calls, const Statement& start, std::size_t axis,
                               std::int64_t size, Choices& choices) {
    const InputKind& kind = calls.kind();
    std::string_view name = entry_parameters(parsed)[calls.asked.at].text();
    std::string torch = torch_name(parsed, start);
    if (torch.empty()) torch = calls.torch;
    const std::int64_t old = kind.shape[axis];
    const std::string_view whole = choices.chance(1, 2) ? "contiguous" : "clone";
    if (size > old) {
      std::string before;
      for (std::size_t i = 0; i < axis; ++i) before += ":, ";
      std::string cut = choices.chance(1, 2) ? fmt::format("narrow({}, 0, {})", axis, old) : "";
      return cut.empty() ? fmt::format("{0} = {0}[{1}:{2}].{3}()", name, before, old, whole)
                         : fmt::format("{0} = {0}.{1}.{2}()", name, cut, whole);
    }
    if (size > 0)
      return fmt::format("{0} = {0}.index_select({1}, {2}.arange({3}) % {4})", name, axis, torch, old, size);
    return fmt::format("{0} = {1}.cat(({0}, {0}.new_zeros({2})), {3}).narrow({3}, 0, {4}).{5}()", name, torch,
                       tuple_text(kind.shape), axis, old, whole);
  }

  static void write(const Parsed& parsed, Rewrite& rewrite, const Calls& calls, std::size_t at, const Node& text,
                    const std::vector<std::size_t>& axes, std::int64_t size, bool narrow) {
    const InputKind& kind = calls.kinds[at];
    auto sizes = written_sizes(parsed, text, kind);
    if (!sizes.empty()) {
      for (std::size_t axis : axes) rewrite.replace(sizes[axis], std::to_string(size));
      return;
    }
    std::string tail;
    auto rank = static_cast<std::int64_t>(kind.shape.size());
    for (std::size_t axis : axes)
      tail += resized(calls.torch, rank, static_cast<std::int64_t>(axis), kind.shape[axis], size, narrow);
    rewrite.replace(text, with_tail(text, kind, tail));
  }
};

const Register<Mutation, ReshapeInput> registered;

}  // namespace
}  // namespace jp::mutate::reshape_input_mutation
