#include "seedgen/bases/snippets.h"

#include <fmt/format.h>

#include <array>

namespace jp::seedgen {
namespace {

// Who holds k: a definition, the line that reads it, and what sets it to `value`. `{}` is its first value.
struct Holder {
  std::string_view definition;
  std::string_view read;
  std::string_view set;
};

constexpr auto kHolders = std::to_array<Holder>({
    {"K = {}\n", "k = K\n", "global K\nK = value\n"},
    {"class Box:\n    pass\n\n\nbox = Box()\nbox.k = {}\n", "k = box.k\n", "box.k = value\n"},
    {"class Box:\n    k = {}\n", "k = Box.k\n", "Box.k = value\n"},
    {"state = {{\"k\": {}}}\n", "k = state[\"k\"]\n", "state[\"k\"] = value\n"},
    {"def value_of(k={}):\n    return k\n", "k = value_of()\n", "value_of.__defaults__ = (value,)\n"},
});

constexpr std::size_t kArgument = kHolders.size();
constexpr std::size_t kClosure = kArgument + 1;

std::string values_of(const Snippet& snippet) {
  return fmt::format("({}, {}, {})", snippet.first, snippet.second, snippet.third);
}

constexpr std::string_view kThreeCalls = "return [(torch.arange(6.0).reshape(2, 3),) for _ in range(3)]\n";

std::string before_call(const Snippet& snippet, std::string_view set) {
  return fmt::format("def before_call(i):\n    value = {}[i]\n{}", values_of(snippet), indented(set));
}

std::string after(std::string_view definitions) {
  return definitions.empty() ? std::string() : fmt::format("{}\n\n", definitions);
}

Sheet with_argument(const Snippet& snippet) {
  return {.head = std::string(snippet.head),
          .inputs = fmt::format("return [(torch.arange(6.0).reshape(2, 3), k) for k in {}]\n", values_of(snippet)),
          .parameters = "x, k",
          .body = std::string(snippet.body),
          .foot = ""};
}

Sheet with_holder(const Snippet& snippet, const Holder& holder) {
  return {.head = after(snippet.head) + fmt::format(fmt::runtime(holder.definition), snippet.first),
          .inputs = std::string(kThreeCalls),
          .parameters = "x",
          .body = fmt::format("{}{}", holder.read, snippet.body),
          .foot = before_call(snippet, holder.set)};
}

constexpr std::string_view kMake = R"(def make():
    k = {}

    def program(x):
{}
    def change(value):
        nonlocal k
        k = value

    return program, change


program, change = make()
)";

std::string with_closure(const Snippet& snippet) {
  return fmt::format("import torch\n\n\n{}def make_inputs():\n{}\n\n{}\n\n{}", after(snippet.head),
                     indented(kThreeCalls),
                     fmt::format(fmt::runtime(kMake), snippet.first, indented(indented(snippet.body))),
                     before_call(snippet, "change(value)\n"));
}

}  // namespace

const std::size_t SnippetTable::kWays = kClosure + 1;

std::string SnippetTable::text_of(const Snippet& snippet, std::size_t way) {
  if (way == kClosure) return with_closure(snippet);
  return print(way == kArgument ? with_argument(snippet) : with_holder(snippet, kHolders[way]));
}

Grid::At SnippetTable::lengths() const { return {snippets_.size(), kWays}; }

std::string SnippetTable::text_at(const At& at) const { return text_of(snippets_[at[0]], at[1]); }

}  // namespace jp::seedgen
