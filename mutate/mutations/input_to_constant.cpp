// An input of the program becomes a constant: a number is written where it is read; a tensor is made from its elements
// (up to 64) or by the very call that made it, at the start of the program or in the module:
//
//     def make_inputs():                       def make_inputs():
//         return (torch.ones(2), 2)                return (torch.ones(2),)
//     def program(v0, n):                      def program(v0):
//         return v0 * n                            return v0 * 2
//
// The program is a variation. Site: the return statement of make_inputs; path: 0.ARGUMENT, from 0.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/tensor_type.h"
#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/inputs/relocate.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::input_to_constant_mutation {
namespace {

constexpr std::int64_t kMostElements = 64;

std::string number(double value, Dtype dtype) {
  if (dtype == Dtype::kBool) return value != 0 ? "True" : "False";
  if (is_integral(dtype)) return fmt::format("{}", static_cast<std::int64_t>(value));
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value < 0 ? "-float(\"inf\")" : "float(\"inf\")";
  std::string text = dtype == Dtype::kFloat64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// Elements in row-major order as nested lists.
std::string nested(const std::vector<std::string>& elements, const std::vector<std::int64_t>& shape, std::size_t axis,
                   std::size_t& at) {
  if (axis == shape.size()) return elements[at++];
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < shape[axis]; ++i) parts.push_back(nested(elements, shape, axis + 1, at));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

const NameFacts* facts_of(const Parsed& parsed, const Facts& facts, std::string_view name) {
  const Statement* start = entry_start(parsed);
  return start ? facts.find_before(start->id, std::string(name)) : nullptr;
}

/// The elements of a small tensor as a nested list, a number as it is written; "" when they are not known.
std::string value_of(const Parsed& parsed, const Facts& facts, std::string_view name) {
  const NameFacts* known = facts_of(parsed, facts, name);
  if (!known) return "";
  if (is_number_kind(known->kind)) return known->literal.value_or("");
  if (!known->dtype || !known->shape || is_complex(*known->dtype)) return "";
  const std::int64_t count = element_count(*known->shape);
  if (count == 0 || count > kMostElements || static_cast<std::int64_t>(known->elements.size()) != count) return "";
  std::vector<std::string> elements;
  for (const auto& [position, value] : known->elements) elements.push_back(number(value, *known->dtype));
  std::size_t at = 0;
  return nested(elements, *known->shape, 0, at);
}

/// The text of the argument means the same anywhere: it names only torch, and draws no random numbers.
bool stands_anywhere(const Parsed& parsed, const Calls& calls) {
  for (const Use& use : parsed.scopes().uses_in(calls.text().begin(), calls.text().end()))
    if (use.kind != Use::Kind::kRead || (use.owner >= 0 && use.name != calls.torch)) return false;
  for (std::string_view word : {"rand", "empty", "normal", "requires_grad", "bernoulli", "multinomial"})
    if (calls.text().text().find(word) != std::string_view::npos) return false;
  return true;
}

/// The text of a tensor that is drawn from a generator, `torch.randn(3, generator=g)`, with the generator made in it:
/// `g` is bound once, by `g = torch.Generator().manual_seed(7)`. "" for other texts.
std::string drawn_again(const Parsed& parsed, const Calls& calls) {
  const Call made = call(calls.text());
  const Node generator = made ? made.keyword("generator") : Node();
  if (!generator || !generator.is("identifier") || made.object.text() != calls.torch) return "";
  const Scopes& scopes = parsed.scopes();
  const int scope = scopes.scope_of(*calls.inputs.statement);
  std::string_view seeded;
  for (const Use& use : scopes.uses_of(scope, generator.text())) {
    if (use.kind == Use::Kind::kRead) continue;
    const Assignment bound = assignment(*parsed.statement_at(use.node.begin()));
    if (!seeded.empty() || bound.only_name() != use.node) return "";
    seeded = bound.right.text();
  }
  if (!seeded.starts_with(calls.torch + ".Generator().manual_seed(") || seeded.find_first_of("{[") != seeded.npos)
    return "";
  for (const Use& use : scopes.uses_in(calls.text().begin(), calls.text().end()))
    if (use.kind != Use::Kind::kRead || (use.owner >= 0 && use.name != calls.torch && use.name != generator.text()))
      return "";
  EditSet edits;
  const std::size_t from = calls.text().begin();
  edits.replace(generator.begin() - from, generator.end() - from, std::string(seeded));
  return edits.apply(calls.text().text());
}

bool needed(const Parsed& parsed, const Calls& calls) {
  auto texts = calls.texts(calls.asked.at, true);
  return std::any_of(texts.begin(), texts.end(), [&](const Node& text) { return binds_names(parsed, text); });
}

class InputToConstant final : public Mutation {
 public:
  InputToConstant()
      : Mutation({"input_to_constant", "E", Exactness::kVariation, true, "jitprobe",
                  "constants that are folded or baked into kernels"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    for (const Site& site : removable_sites(parsed, facts, false)) {
      Choices ignored(0);
      auto calls = argument_at(parsed, facts, site, ignored);
      auto parameters = entry_parameters(parsed);
      if (!calls || calls->asked.at >= parameters.size() || needed(parsed, *calls)) continue;
      if (!value_of(parsed, facts, parameters[calls->asked.at].text()).empty() || !call_text(parsed, *calls).empty())
        found.push_back(site);
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = removable_at(parsed, facts, site, choices);
    if (!calls || needed(parsed, *calls)) return {};
    const InputKind& kind = calls->kind();
    std::string_view parameter = entry_parameters(parsed)[calls->asked.at].text();
    std::string known = choices.note([&] { return value_of(parsed, facts, parameter); });
    const std::string by_call = call_text(parsed, *calls);
    if (known.empty() && by_call.empty()) return {};

    Rewrite rewrite(parsed, step_number);
    remove_argument(rewrite, parsed, *calls);
    if (kind.is_number()) {
      read_instead(rewrite, parsed, *calls, known, choices);
      return rewrite.edits();
    }
    bool in_module = choices.chance(1, 3);
    // Constants of the module stand before the function, or before the class of the entry's module.
    const Statement& function = *entry_function(parsed);
    const Statement& entry = function.parent < 0 ? function : parsed.statement(function.parent);
    if (known.empty() || (!by_call.empty() && choices.chance(1, 2)))
      known = by_call;
    else
      known = fmt::format("{0}.tensor({1}, dtype={0}.{2})", calls->torch, known, dtype_name(kind.dtype));
    std::string name = in_module ? rewrite.name("C") : std::string(parameter);
    if (!in_module || !entry.own_lines) {
      rewrite.before(*entry_start(parsed), {{fmt::format("{} = {}", parameter, known)}});
      return rewrite.edits();
    }
    rewrite.before(entry, {{fmt::format("{} = {}", name, known)}, {""}, {""}});
    read_instead(rewrite, parsed, *calls, name, choices);
    return rewrite.edits();
  }

 private:
  /// The text of the very call that makes the tensor, as it may stand anywhere; "" if it may not.
  static std::string call_text(const Parsed& parsed, const Calls& calls) {
    if (!calls.kind().is_tensor() || !call(calls.text())) return "";
    return stands_anywhere(parsed, calls) ? std::string(calls.text().text()) : drawn_again(parsed, calls);
  }
};

const Register<Mutation, InputToConstant> registered;

}  // namespace
}  // namespace jp::mutate::input_to_constant_mutation
