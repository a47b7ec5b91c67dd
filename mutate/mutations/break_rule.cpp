// Exactly one rule of torch is broken: a shape that does not fit, a dtype that an operator does not accept, a dimension
// or an index that is out of range. Eager raises in the first call, and a compiler must reject the program as cleanly:
//
//     v3 = v1.sum(dim=1)                       v3 = v1.sum(dim=65)
//
//     v3 = torch.relu(v1)                      v3 = torch.relu(v1)
//                                              v3 = v3.transpose(0, 2)
//
// Site: a statement `name = ...` that gives a tensor, where no caller may catch the exception. Path: "" adds an invalid
// call after the statement; a number says which of the dimensions and indices in the statement, from 0, is moved out of
// range.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/assigned.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/outline/extract.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

using Kind = InputKind;

std::size_t rank(const Kind& kind) { return kind.shape.size(); }
bool any(const Kind&) { return true; }
bool has_axis(const Kind& kind) { return rank(kind) >= 1; }
bool wide(const Kind& kind) { return has_axis(kind) && kind.shape.back() >= 2; }
bool filled(const Kind& kind) { return has_axis(kind) && kind.count() > 0; }
bool integers(const Kind& kind) { return is_integral(kind.dtype) && kind.dtype != Dtype::kBool; }
bool floats(const Kind& kind) { return is_floating(kind.dtype); }
bool bools(const Kind& kind) { return kind.dtype == Dtype::kBool; }
bool wide_numbers(const Kind& kind) { return wide(kind) && !bools(kind); }
bool matrix(const Kind& kind) { return rank(kind) == 2 && kind.dtype == Dtype::kFloat32; }

/// The sizes as text, with the last one larger by one: "3, 5".
std::string longer(const Kind& kind) {
  auto shape = kind.shape;
  ++shape.back();
  return joined(shape);
}

/// An invalid call. Placeholders: "{0}" the value, "{1}" torch, "{2}" one more than the last dimension, "{3}" the first
/// size, "{4}" the shape with a larger last size, "{5}" one more than the number of elements, "{6}" the dtype.
struct Rule {
  bool (*fits)(const Kind& kind);
  std::string_view call;
};

constexpr Rule kRules[] = {
    // Shapes.
    {wide_numbers, "{0} + {1}.ones({4}, dtype={1}.{6})"},
    {wide_numbers, "{1}.maximum({0}, {1}.zeros({4}, dtype={1}.{6}))"},
    {wide, "{1}.where({1}.ones({4}, dtype={1}.bool), {0}, {0})"},
    {wide, "{0}.expand({4})"},
    {any, "{0}.view({5})"},
    {any, "{0}.reshape({5})"},
    {has_axis, "{1}.stack([{0}, {1}.ones({4}, dtype={1}.{6})])"},
    {wide, "{1}.cat([{0}[None], {1}.ones({4}, dtype={1}.{6})[None]])"},
    {has_axis, "{0}.clone().copy_({1}.zeros({4}, dtype={1}.{6})[None])"},
    {has_axis, "{0}.split([{3}, 1])[0]"},
    {matrix, "{0} @ {1}.ones({4}, dtype={1}.{6})"},
    {has_axis, "{0}.unflatten(0, ({3}, 2))"},
    // Dimensions.
    {any, "{0}.sum({2})"},
    {any, "{0}.flip({2})"},
    {any, "{0}.unsqueeze(-{2} - 2)"},
    {has_axis, "{0}.transpose(0, {2})"},
    {has_axis, "{0}.amax((0, 0))"},
    {any, "{1}.cumsum({0}, dim={2})"},
    {any, "{0}.movedim(0, {2})"},
    {has_axis, "{0}.unbind(-{2} - 1)[0]"},
    // Dtypes.
    {floats, "{0} & 1"},
    {floats, "{1}.bitwise_not({0})"},
    {floats, "{1}.nn.functional.embedding({0}, {1}.ones(3, 2))"},
    {floats, "{1}.where({0}, 1.0, 0.0)"},
    {bools, "{0} - {0}"},
    {bools, "-{0}"},
    {integers, "{0}.clone().add_(0.5)"},
    {integers, "{0}.clone().requires_grad_()"},
    {integers, "{0}.mean()"},
    {matrix, "{0} @ {0}.t().double()"},
    {floats, "{1}.bincount({0}.flatten())"},
    {filled, "{0}.gather(0, {1}.zeros_like({0}, dtype={1}.int16))"},
    // Indices.
    {has_axis, "{0}[{3}]"},
    {has_axis, "{0}[-{3} - 1]"},
    {any, "{0}[(0,) * ({2} + 1)]"},
    {has_axis, "{0}.select(0, {3})"},
    {has_axis, "{0}.narrow(0, 1, {3})"},
    {filled, "{0}[{1}.tensor([0, {3}])]"},
    {filled, "{0}.index_select(0, {1}.tensor([{3}]))"},
    {filled, "{1}.take({0}, {1}.tensor([{5} - 1]))"},
    {has_axis, "{0}.unfold(0, {3} + 1, 1)"},
};

std::string broken_call(const Kind& kind, std::string_view name, const std::string& torch, Choices& choices) {
  std::vector<std::string_view> calls;
  for (const Rule& rule : kRules)
    if (rule.fits(kind)) calls.push_back(rule.call);
  std::int64_t first = has_axis(kind) ? kind.shape[0] : 0;
  // A tensor without dimensions accepts dimension 0.
  std::size_t past = std::max<std::size_t>(rank(kind), 1);
  return fmt::format(fmt::runtime(choices.pick(calls)), name, torch, past, first,
                     has_axis(kind) ? longer(kind) : std::string(), kind.count() + 1, dtype_name(kind.dtype));
}

bool is_dim(std::string_view keyword) { return keyword == "dim" || keyword == "axis" || keyword == "dims"; }

/// Integer literals of the statement that are an index or the `dim=` of a call: any tensor rejects them once they are
/// larger by 64 (dimensions) or by a million (indices).
std::vector<Node> places_in(const Statement& statement) {
  std::vector<Node> found;
  for (const Node node : nodes_of(statement.node, {"lambda", "string"})) {
    if (!node.is("integer") || node.text().size() > 6) continue;
    Node around = node.parent();
    bool dim = around.is("keyword_argument") && is_dim(around.field("name").text());
    bool index = around.is("subscript") && node != around.field("value");
    if (dim || index) found.push_back(node);
  }
  return found;
}

class BreakRule final : public Mutation {
 public:
  BreakRule()
      : Mutation({"break_rule", "E", Exactness::kBroken, true, "HirGen",
                  "errors that are checked too late, not at all, or by a crash"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    for (const Site& site : assignment_sites(parsed, facts, [](const NameFacts&) { return true; })) {
      const Statement& statement = *parsed.find(site.statement);
      if (!usable(parsed, statement)) continue;
      found.push_back(site);
      std::size_t places = places_in(statement).size();
      for (std::size_t i = 0; i < places; ++i) found.push_back({site.statement, std::to_string(i)});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    Node name = assigned_name(parsed, statement);
    const InputKind kind = choices.note([&] { return input_kind(assigned_tensor(parsed, facts, statement)); });
    if (!name || !kind.is_tensor() || uses_introspection(parsed) || !usable(parsed, statement)) return {};
    Rewrite rewrite(parsed, step_number);
    if (site.path.empty()) {
      std::string call = broken_call(kind, name.text(), torch_name(parsed, statement), choices);
      rewrite.after(statement, {{fmt::format("{} = {}", name.text(), call)}});
      return rewrite.edits();
    }
    auto places = places_in(statement);
    const auto at = read_index(site.path, places.size());
    if (!at) return {};
    bool index = places[*at].parent().is("subscript");
    std::string by = index ? "000000" : choices.chance(1, 2) ? "64" : "5";
    rewrite.replace(places[*at], index ? "1" + by : by + std::string(places[*at].text()));
    return rewrite.edits();
  }

 private:
  static bool usable(const Parsed& parsed, const Statement& statement) {
    return !torch_name(parsed, statement).empty() && !may_be_caught(parsed, statement);
  }

  // A function that is called by another one than the entry may be called inside a `try`.
  static bool may_be_caught(const Parsed& parsed, const Statement& statement) {
    if (in_guard(parsed, statement)) return true;
    const Statement* entry = entry_function(parsed);
    return (!entry || statement.function != entry->index) && (parsed.has_word("try") || parsed.has_word("with"));
  }
};

const Register<Mutation, BreakRule> registered;

}  // namespace
}  // namespace jp::mutate
