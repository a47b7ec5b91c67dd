// A tensor is overwritten with its own elements from other positions:
//
//     v4 = v3 + v1                 v3.add_(v3.flip(0))
//                                  v4 = v3 + v1
//
// The write is made by `copy_`, arithmetic, `lerp_`, slice assignment, `index_put_`, `index_copy_`, `masked_fill_` or
// `out=`. It reads from a clone where the positions that are read and written overlap, and from the tensor itself where
// eager has a defined result: the right side has its own memory, or reads exactly the elements that it replaces, or
// none of those that are written. The program is a variation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "mutate/facts/aliases.h"
#include "mutate/facts/save_restore.h"
#include "mutate/inputs/inputs.h"
#include "mutate/safety/value_sensitive.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::self_overlap_mutation {
namespace {

/// Tensors that may be written to; none whose elements become indices.
std::vector<std::string> victims(const Parsed& parsed, const Facts& facts, const ValueSensitive& value_sensitive,
                                 const Statement& statement) {
  std::vector<std::string> names;
  auto known = facts.before.find(statement.id);
  if (known == facts.before.end() || asserts_values(parsed)) return names;
  for (const auto& [name, unused] : known->second) {
    const NameFacts* facts_of = writable(parsed, facts, statement, name);
    const bool index = facts_of && is_integral(*facts_of->dtype) && value_sensitive.index.contains(name);
    if (facts_of && !index && !facts_of->shape->empty() && facts_of->shape->front() >= 2) names.push_back(name);
  }
  return names;
}

std::optional<NamedLayout> draw_tensor_at(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                          Choices& choices) {
  auto names = victims(parsed, facts, find_value_sensitive(parsed), statement);
  if (names.empty()) return std::nullopt;
  const std::string& name = choices.pick(names);
  auto layout = layout_of(facts.find_before(statement.id, name));
  return layout ? std::optional(NamedLayout{name, *layout}) : std::nullopt;
}

/// What is known when a write is drawn.
struct Draft {
  std::string name;
  Layout layout;
  std::string torch;
  bool own = true;  // a variable of the function itself; `+=` would make any other name local
  Choices& choices;

  std::int64_t size() const { return layout.shape[0]; }
  bool floating() const { return is_floating(layout.dtype); }
  bool numeric() const { return layout.dtype != Dtype::kBool; }

  /// The tensor's own elements in another order, in new memory.
  std::string moved() {
    std::vector<std::string> forms = {fmt::format("{}.flip(0)", name), fmt::format("{}.roll(1, 0)", name),
                                      fmt::format("{}.roll({})", name, choices.between(1, 5)),
                                      fmt::format("{}.flip(-1)", name), fmt::format("{}[{}]", name, order())};
    if (layout.shape.size() == 2 && layout.shape[0] == layout.shape[1]) {
      forms.push_back(name + ".t().clone()");
      forms.push_back(name + ".mT.contiguous().clone()");
    }
    return choices.pick(forms);
  }
  /// An order of indices such as "[2, 0, 1]", or its first `count` indices.
  std::string order(std::int64_t count = 0) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(std::min<std::int64_t>(size(), 8)));
    std::iota(rows.begin(), rows.end(), 0);
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[choices.below(i)]);
    if (count > 0) rows.resize(static_cast<std::size_t>(count));
    if (count == 0)
      for (std::int64_t i = 8; i < size(); ++i) rows.push_back(i);
    return fmt::format("[{}]", fmt::join(rows, ", "));
  }
};

/// Adds writes that read and write the same positions, or whose right side has its own memory.
void add_whole(Draft& d, std::vector<std::string>& forms) {
  const std::string& x = d.name;
  forms.push_back(fmt::format("{}.copy_({})", x, d.moved()));
  forms.push_back(fmt::format("{}[...] = {}", x, d.moved()));
  forms.push_back(fmt::format("{0}.masked_fill_({0} == {1}, 0)", x, d.moved()));
  forms.push_back(fmt::format("{0}.copy_({0})", x));
  if (!d.numeric()) {
    forms.push_back(fmt::format("{}.logical_xor_({})", x, d.moved()));
    if (d.own) forms.push_back(fmt::format("{} |= {}", x, d.moved()));
    return;
  }
  constexpr std::array<std::string_view, 4> kMethods = {"add_", "sub_", "mul_", "copysign_"};
  std::string_view method = kMethods[d.choices.below(d.floating() ? 4 : 3)];
  forms.push_back(fmt::format("{}.{}({})", x, method, d.moved()));
  forms.push_back(fmt::format("{}.{}({})", x, method, d.moved()));
  if (d.own) forms.push_back(fmt::format("{} += {}", x, d.moved()));
  forms.push_back(fmt::format("{0}.add_({0})", x));
  forms.push_back(fmt::format("{0}.sub_({0}[...])", x));
  forms.push_back(fmt::format("{0}.add_({0}[..., :1].clone())", x));
  forms.push_back(fmt::format("{0}.sub_({0}[0].clone())", x));
  if (!d.torch.empty()) forms.push_back(fmt::format("{0}.add({1}, {2}, out={1})", d.torch, x, d.moved()));
  if (!d.torch.empty()) forms.push_back(fmt::format("{0}.maximum({1}, {2}, out={1})", d.torch, x, d.moved()));
  if (!d.floating()) return;
  forms.push_back(fmt::format("{}.lerp_({}, 0.25)", x, d.moved()));
  forms.push_back(fmt::format("{}.lerp_({}, 0.75)", x, d.moved()));
  forms.push_back(fmt::format("{0}.addcmul_({1}, {0}, value=0.5)", x, d.moved()));
  forms.push_back(fmt::format("{0}.sub_({0}.mean(0, keepdim=True))", x));
}

/// Adds writes of one part of the tensor to another part.
void add_parts(Draft& d, std::vector<std::string>& forms) {
  const std::string& x = d.name;
  std::int64_t size = d.size();
  std::int64_t by = d.choices.between(1, std::min<std::int64_t>(size - 1, 3));
  std::string upper = fmt::format("{}[{}:]", x, by);
  std::string lower = fmt::format("{}[:-{}]", x, by);
  if (d.choices.chance(1, 2)) std::swap(upper, lower);
  forms.push_back(fmt::format("{} = {}.clone()", upper, lower));
  forms.push_back(fmt::format("{}.copy_({}.clone())", upper, lower));
  if (d.numeric()) forms.push_back(fmt::format("{} += {}.clone()", upper, lower));
  if (d.numeric()) forms.push_back(fmt::format("{} = {} * 2", upper, lower));
  if (d.numeric()) forms.push_back(fmt::format("{0}.add_({1} + {0})", upper, lower));
  if (d.floating()) forms.push_back(fmt::format("{}.lerp_({}.clone(), 0.5)", upper, lower));
  // Disjoint parts need no clone.
  std::int64_t half = size / 2;
  forms.push_back(fmt::format("{0}[:{1}] = {0}[{2}:]", x, half, size - half));
  forms.push_back(fmt::format("{0}[0] = {0}[-1]", x));
  forms.push_back(fmt::format("{0}[{1}].copy_({0}[0])", x, size - 1));
  forms.push_back(fmt::format("{0}[0:{1}:2] = {0}[1:{1}:2]", x, 2 * half));
  if (d.numeric()) forms.push_back(fmt::format("{0}[1:{1}:2].add_({0}[0:{1}:2])", x, 2 * half));
  if (d.numeric()) forms.push_back(fmt::format("{0}.select(0, 0).mul_({0}.select(0, {1}))", x, size - 1));
  forms.push_back(fmt::format("{0}[0], {0}[{1}] = {0}[{1}].clone(), {0}[0].clone()", x, size - 1));
}

/// Adds writes by index.
void add_indexed(Draft& d, std::vector<std::string>& forms) {
  const std::string& x = d.name;
  std::int64_t count = d.choices.between(1, std::min<std::int64_t>(d.size(), 4));
  std::string to = d.order(count);
  std::string from = d.order(count);
  forms.push_back(fmt::format("{0}[{1}] = {0}[{2}]", x, to, from));
  if (d.torch.empty()) return;
  std::string index = fmt::format("{}.tensor({})", d.torch, to);
  forms.push_back(fmt::format("{0}.index_put_(({1},), {0}[{2}])", x, index, from));
  forms.push_back(fmt::format("{0}.index_copy_(0, {1}, {0}[{2}])", x, index, from));
  if (d.numeric()) forms.push_back(fmt::format("{0}.index_put_(({1},), {0}[{2}], accumulate=True)", x, index, from));
  if (d.numeric()) forms.push_back(fmt::format("{0}.index_add_(0, {1}, {0}[{2}])", x, index, from));
}

class SelfOverlap final : public Mutation {
 public:
  SelfOverlap()
      : Mutation({"self_overlap", "E", Exactness::kVariation, true, "jitprobe",
                  "writes that are fused with reads of the same memory, clones that are wrongly removed"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    const ValueSensitive value_sensitive = find_value_sensitive(parsed);
    return statement_sites(parsed, [&](const Statement& statement) {
      return insertion_point(parsed, statement) && !victims(parsed, facts, value_sensitive, statement).empty();
    });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (!insertion_point(parsed, statement)) return {};
    auto clobbered =
        choices.note_drawn([&](Choices& inner) { return draw_tensor_at(parsed, facts, statement, inner); });
    bool fits = clobbered && !clobbered->layout.shape.empty() && clobbered->layout.shape[0] >= 2 &&
                parsed.scopes().readable(statement, clobbered->name);
    if (!fits) return {};

    Rewrite rewrite(parsed, step_number);
    int scope = parsed.scopes().scope_of(statement);
    bool own = parsed.scopes().resolve(clobbered->name, scope) == scope;
    Draft draft{clobbered->name, clobbered->layout, torch_name(parsed, statement), own, choices};
    std::vector<std::string> forms;
    switch (choices.below(3)) {
      case 0:
        add_whole(draft, forms);
        break;
      case 1:
        add_parts(draft, forms);
        break;
      default:
        add_indexed(draft, forms);
    }
    rewrite.before(statement, {{choices.pick(forms)}});
    return rewrite.edits();
  }
};

const Register<Mutation, SelfOverlap> registered;

}  // namespace
}  // namespace jp::mutate::self_overlap_mutation
