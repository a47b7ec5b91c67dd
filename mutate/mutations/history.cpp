// One call becomes two, two become three: `make_inputs` returns a list whose new last call differs from the one before
// in a Python number, in the leading size of its tensors, or in which arguments are one tensor:
//
//     return (torch.randn(3, 4), 2)
//     return [(torch.randn(3, 4), 2), (torch.randn(3, 4), (2) + 1)]
//
// Another size may not fit the program: the engine's caller finds out in eager and takes the step back. Site: the
// return statement of make_inputs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/inputs.h"
#include "mutate/layout.h"
#include "mutate/mutation.h"

namespace jp::mutate {
namespace {

constexpr std::size_t kMostCalls = 3;

/// Another number for a Python scalar.
std::string other_number(const InputKind& input, std::string_view text, Choices& choices) {
  if (input.kind == "bool") return fmt::format("not ({})", text);
  std::vector<std::string_view> forms = {"({}) + 1", "-({})", "({}) * 2", "({}) - 1"};
  if (input.kind == "float") forms.push_back("({}) + 0.5");
  if (input.kind == "int") forms.push_back("({}) + 7");
  return fmt::format(fmt::runtime(choices.pick(forms)), text);
}

/// Which way the new call differs.
enum Change : std::uint64_t { kNumber, kSize, kAlias, kSame };

class History final : public Mutation {
 public:
  History()
      : Mutation({"history", "E", Exactness::kVariation, true, "jitprobe",
                  "what was specialised in call one and is no longer true in call two"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    auto inputs = find_inputs(parsed);
    auto kinds = read_inputs(note_inputs(parsed, facts));
    if (!inputs || kinds.empty() || inputs->calls.size() >= kMostCalls) return {};
    return {{inputs->statement->id, ""}};
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto inputs = find_inputs(parsed);
    auto kinds = read_inputs(choices.note([&] { return note_inputs(parsed, facts); }));
    if (!inputs || kinds.empty() || inputs->calls.size() >= kMostCalls || inputs->statement->id != site.statement)
      return {};
    const auto& arguments = inputs->calls.back();
    std::vector<std::string> texts;
    for (const Node& argument : arguments) texts.emplace_back(argument.text());
    std::size_t known = std::min(texts.size(), kinds.size());
    kinds.resize(known);

    Rewrite rewrite(parsed, step_number);
    auto changes = possible(kinds);
    switch (choices.pick(changes)) {
      case kNumber:
        change_number(kinds, texts, choices);
        break;
      case kSize:
        change_size(kinds, texts, choices);
        break;
      case kAlias:
        change_alias(rewrite, kinds, texts, choices);
        break;
      case kSame:
        break;
    }
    std::string call = fmt::format("({}{})", fmt::join(texts, ", "), texts.size() == 1 ? "," : "");
    const Node& last = inputs->tuples.back();
    bool bare = last.is("expression_list");
    rewrite.insert(last.begin(), inputs->is_list ? "" : bare ? "[(" : "[");
    rewrite.insert(last.end(), fmt::format("{}, {}{}", bare ? ")" : "", call, inputs->is_list ? "" : "]"));
    return rewrite.edits();
  }

 private:
  /// Leading sizes of the tensors of the highest rank that stand nowhere else in the shapes: likely a batch, which the
  /// program does not count on. Empty when some argument is not known.
  static std::vector<std::int64_t> batch_sizes(const std::vector<InputKind>& kinds) {
    std::size_t rank = 1;
    for (const InputKind& input : kinds) {
      if (input.kind == "other") return {};
      rank = std::max(rank, input.shape.size());
    }
    std::vector<std::int64_t> sizes;
    for (const InputKind& input : kinds)
      if (input.shape.size() == rank && input.shape[0] > 1) sizes.push_back(input.shape[0]);
    for (const InputKind& input : kinds)
      for (std::size_t axis = input.shape.size() == rank ? 1 : 0; axis < input.shape.size(); ++axis)
        std::erase(sizes, input.shape[axis]);
    return sizes;
  }

  static std::vector<Change> possible(const std::vector<InputKind>& kinds) {
    std::vector<Change> changes = {kSame};
    bool number = false;
    bool alike = false;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      number = number || kinds[i].kind == "int" || kinds[i].kind == "float" || kinds[i].kind == "bool";
      for (std::size_t j = 0; j < i; ++j)
        alike = alike || (kinds[i].kind == "tensor" && kinds[j].kind == "tensor" && kinds[i].dtype == kinds[j].dtype &&
                          kinds[i].shape == kinds[j].shape);
    }
    // Numbers are what most of the bugs of this shape are about.
    if (number) changes = {kNumber, kNumber, kSame};
    if (!batch_sizes(kinds).empty()) changes.push_back(kSize);
    if (alike) changes.push_back(kAlias);
    return changes;
  }

  static void change_number(const std::vector<InputKind>& kinds, std::vector<std::string>& texts, Choices& choices) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i].kind == "int" || kinds[i].kind == "float" || kinds[i].kind == "bool") numbers.push_back(i);
    std::size_t at = choices.pick(numbers);
    texts[at] = other_number(kinds[at], texts[at], choices);
  }

  /// All tensors with the same leading size are doubled or shortened together along that axis.
  static void change_size(const std::vector<InputKind>& kinds, std::vector<std::string>& texts, Choices& choices) {
    std::int64_t size = choices.pick(batch_sizes(kinds));
    bool longer = choices.chance(1, 2);
    std::int64_t kept = choices.between(1, size - 1);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i].kind != "tensor" || kinds[i].shape.empty() || kinds[i].shape[0] != size) continue;
      texts[i] =
          longer ? fmt::format("({}).repeat_interleave(2, 0)", texts[i]) : fmt::format("({})[:{}]", texts[i], kept);
    }
  }

  /// Two arguments of one type become the same tensor.
  static void change_alias(Rewrite& rewrite, const std::vector<InputKind>& kinds, std::vector<std::string>& texts,
                           Choices& choices) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (kinds[i].kind == "tensor" && kinds[j].kind == "tensor" && kinds[i].dtype == kinds[j].dtype &&
            kinds[i].shape == kinds[j].shape)
          pairs.emplace_back(j, i);
    auto [first, second] = choices.pick(pairs);
    std::string name = rewrite.name("t");
    texts[first] = fmt::format("({} := ({}))", name, texts[first]);
    texts[second] = choices.chance(1, 2) ? name : name + "[...]";
  }
};

const Register<Mutation, History> registered;

}  // namespace
}  // namespace jp::mutate
