// An input of the program has another size: 0, 1, odd, just round the width of a vector; or no dimension at all. Axes
// of other inputs that have the same size are taken for the same thing, mostly, and change with it:
//
//     return (torch.randn(3, 4), torch.randn(4))
//     return (torch.randn(3, 17), torch.randn(17))
//
// What is written out as a size is written anew; what is not is cut or repeated. Sizes that the program mentions as
// numbers are left alone while there are others. Site: the return statement of make_inputs; path: CALL.ARGUMENT, both
// from 0.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "mutate/fragile.h"
#include "mutate/inputs.h"
#include "mutate/layout.h"
#include "mutate/mutation.h"

namespace jp::mutate {
namespace {

constexpr std::int64_t kMostElements = 1 << 16;

/// The sizes in a call that makes a tensor: in `torch.randn(3, 4)`, `torch.zeros((3, 4), dtype=torch.int64)`.
std::vector<Node> sizes_in_call(const Node& call) {
  Node function = call.field("function");
  std::string_view name = function.is("attribute") ? function.field("attribute").text() : function.text();
  bool plain = name == "rand" || name == "randn" || name == "zeros" || name == "ones" || name == "empty";
  if (!plain && name != "randint" && name != "full") return {};
  auto integers = [](const auto& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.is("integer"); });
  };
  std::vector<Node> numbers;
  for (const Node& argument : call.field("arguments").children()) {
    if (argument.is("keyword_argument")) continue;
    if ((argument.is("tuple") || argument.is("list")) && integers(argument.children())) return argument.children();
    numbers.push_back(argument);
  }
  return plain && integers(numbers) ? numbers : std::vector<Node>();
}

/// Those of the only such call in an argument, when they are its shape to the end.
std::vector<Node> written_sizes(const Parsed& parsed, const Node& text, const InputKind& kind) {
  std::vector<Node> found;
  std::size_t behind = 0;
  for (int i = text.index(); i < text.past(); ++i) {
    Node node = parsed.tree().node(i);
    if (!node.is("call")) continue;
    auto sizes = sizes_in_call(node);
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

/// The axis with `size` elements instead of `old`.
std::string resized(const std::string& torch, std::int64_t rank, std::int64_t axis, std::int64_t old, std::int64_t size,
                    bool narrow) {
  if (size > old) return fmt::format(".index_select({}, {}.arange({}) % {})", axis, torch, size, old);
  if (narrow) return fmt::format(".narrow({}, 0, {})", axis, size);
  std::string before;
  if (axis == rank - 1 && axis > 1) return fmt::format("[..., :{}]", size);
  for (std::int64_t i = 0; i < axis; ++i) before += ":, ";
  return fmt::format("[{}:{}]", before, size);
}

/// Numbers in the entry's text.
std::vector<std::int64_t> numbers_of_entry(const Parsed& parsed) {
  std::vector<std::int64_t> numbers;
  const Statement* entry = entry_function(parsed);
  for (int i = entry ? entry->node.index() : 0; entry && i < entry->node.past(); ++i) {
    Node node = parsed.tree().node(i);
    std::int64_t number = 0;
    std::string_view text = node.text();
    if (node.is("integer") && std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc())
      numbers.push_back(number);
  }
  return numbers;
}

/// Sizes that the program counts on: it mentions them or their factors, or has other tensors of that size.
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

/// The axes whose size is none of those, as a note: "0,2", or "-". A module's parameters go by its last axis.
std::string note_free_axes(const Parsed& parsed, const Facts& facts, const InputKind& kind) {
  auto fixed = fixed_sizes(parsed, facts);
  bool module = entry_function(parsed) && entry_function(parsed)->parent >= 0;
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < kind.shape.size() && (i == 0 || !module); ++i)
    if (std::find(fixed.begin(), fixed.end(), kind.shape[i]) == fixed.end()) free.push_back(i);
  return free.empty() ? "-" : fmt::format("{}", fmt::join(free, ","));
}

/// An axis of one argument.
struct Axis {
  std::size_t argument = 0;
  std::size_t axis = 0;
};

class ReshapeInput final : public Mutation {
 public:
  ReshapeInput()
      : Mutation({"reshape_input", "E", Exactness::kVariation, true, "jitprobe",
                  "loops without a round, tails of vectors, sizes that are specialised"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return argument_sites(parsed, facts, fits);
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = argument_at(parsed, facts, site, choices);
    if (!calls || !fits(calls->kind())) return {};
    const InputKind& kind = calls->kind();
    Rewrite rewrite(parsed, step_number);
    bool all_calls = choices.chance(3, 4);
    if (choices.chance(1, kind.count() == 1 ? 4 : 40)) {
      for (const Node& text : calls->texts(calls->asked.at, all_calls))
        rewrite.replace(text, with_tail(text, kind, kind.count() == 1 ? ".reshape(())" : ".flatten()[0]"));
      return rewrite.edits();
    }
    std::string free = choices.note([&] { return note_free_axes(parsed, facts, kind); });
    auto axes = read_axes(free, kind);
    std::vector<std::uint32_t> shares;
    // A batch stands first, and what is 1 is there to be broadcast.
    for (std::size_t one : axes) shares.push_back((one == 0 ? 4U : 1U) * (kind.shape[one] == 1 ? 1U : 2U));
    std::size_t axis = axes[choices.weighted(shares)];
    std::int64_t old = kind.shape[axis];
    auto changed = linked(*calls, axis, choices);
    bool smaller = shrinks_only(parsed, *calls, changed);
    std::int64_t size = draw_size(parsed, kind, old, smaller, free == "-", choices);
    bool narrow = choices.chance(1, 2);
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

  /// All axes when none is free.
  static std::vector<std::size_t> read_axes(std::string_view free, const InputKind& kind) {
    std::vector<std::size_t> all;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < kind.shape.size(); ++i) {
      all.push_back(i);
      if (fmt::format(",{},", free).find(fmt::format(",{},", i)) != std::string::npos) found.push_back(i);
    }
    return found.empty() ? all : found;
  }

  /// The axis and those that likely are the same thing.
  static std::vector<Axis> linked(const Calls& calls, std::size_t axis, Choices& choices) {
    std::int64_t size = calls.kind().shape[axis];
    std::vector<Axis> found;
    bool in_step = size > 1 && !choices.chance(1, 12);
    for (std::size_t at = 0; at < calls.kinds.size(); ++at)
      for (std::size_t i = 0; calls.kinds[at].is_tensor() && i < calls.kinds[at].shape.size(); ++i) {
        bool asked = at == calls.asked.at && i == axis;
        if (asked || (in_step && calls.kinds[at].shape[i] == size && fits(calls.kinds[at]))) found.push_back({at, i});
      }
    return found;
  }

  /// Indices that stand twice are another matter than ones that stand once.
  static bool shrinks_only(const Parsed& parsed, const Calls& calls, const std::vector<Axis>& changed) {
    Fragile fragile = find_fragile(parsed);
    return std::any_of(changed.begin(), changed.end(), [&](const Axis& one) {
      const InputKind& kind = calls.kinds[one.argument];
      return is_integral(kind.dtype) && is_fragile(parsed, fragile, kind, one.argument);
    });
  }

  static std::int64_t draw_size(const Parsed& parsed, const InputKind& kind, std::int64_t old, bool smaller, bool fixed,
                                Choices& choices) {
    // A size that the program counts on can still be broadcast.
    if (fixed && old != 1 && !choices.chance(1, 4)) return 1;
    std::vector<std::int64_t> sizes = {0, 1, 1, 1, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, old * 2 + 1, old - 1};
    std::int64_t others = kind.count() / old;
    std::erase_if(sizes, [&](std::int64_t size) {
      return size == old || (smaller && size > old) || size * others > kMostElements;
    });
    // A number between the two may be a position that would no longer be there.
    if (choices.chance(1, 2)) {
      auto numbers = numbers_of_entry(parsed);
      auto lost = [&](std::int64_t size) {
        return std::any_of(numbers.begin(), numbers.end(), [&](std::int64_t at) { return size <= at && at < old; });
      };
      if (!std::all_of(sizes.begin(), sizes.end(), lost)) std::erase_if(sizes, lost);
    }
    return sizes.empty() ? 0 : choices.pick(sizes);
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
}  // namespace jp::mutate
