// A result is multiplied or divided by a proven one, or a proven zero is added to a number written in a statement:
//
//     v3 = v2.sum(1)               v3 = v2.sum(1 + (v0.dim() - 2))
//                                  v3 = v3 * (v2.shape[0] // 3)
//
// Ones are sizes divided by themselves, tensors that are one for all finite elements (`x / x` where x is away from
// zero, `exp(x - x)`, `x == x`), and sums of them. Numbers are indices, sizes, slice bounds, dims and scales. The
// result is unchanged bit for bit. Site path: "" for the result, "in_place" for a write to it, otherwise the number's
// position among the numbers of the statement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mutate/calls/operator_call.h"
#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/material/zeros.h"
#include "mutate/names/own_code.h"
#include "mutate/names/scopes.h"
#include "mutate/names/side_effects.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/writing_calls.h"

namespace jp::mutate::one_factor_mutation {
namespace {

/// Numbers among arguments, indices, slices and operands, in source order.
std::vector<Node> numbers_in(const Parsed& parsed, const Statement& statement) {
  std::vector<Node> found;
  if (!statement.simple || !insertion_point(parsed, statement)) return found;
  std::vector<std::string_view> closed = own_scopes();
  closed.push_back("type");
  for (const Node node : nodes_of(statement.node, closed)) {
    if (!is_unsigned_number(node)) continue;
    if (node.text().find_first_not_of("0123456789.e-") != std::string_view::npos) continue;
    const Node number = operation(node.parent()).kind == Operation::Kind::kUnary ? node.parent() : node;
    const Node parent = number.parent();
    const bool inside = call_with(number) || parent.is("subscript") || parent.is("slice") ||
                        operation(parent).kind == Operation::Kind::kBinary;
    const bool listed = (parent.is("tuple") || parent.is("list")) && call_with(parent);
    if (inside || listed) found.push_back(node);
  }
  return found;
}

/// Draws a tensor of ones that the target may be multiplied with, or a Python integer.
std::optional<BoundedExpression> draw_one(const Point& point, const LiveTensor& target, Choices& choices) {
  std::vector<BoundedExpression> parts;
  std::vector<bool> away;  // whether the part is away from zero
  for (const LiveTensor& one : point.live) {
    if (one.facts->dtype != target.facts->dtype || !bounded(*one.facts, 1e4)) continue;
    if (one.facts->shape == target.facts->shape && one.facts->strides == target.facts->strides) {
      parts.push_back({detached(one), {one.name}, 1});
      away.push_back(lowest(*one.facts) > 0.01 || highest(*one.facts) < -0.01);
    }
    if (auto element = draw_element({detached(one), one.facts}, choices)) {
      parts.push_back({element->text, {one.name}, 1});
      away.push_back(std::abs(element->value) > 0.01);
    }
  }
  bool floating = is_floating(*target.facts->dtype);
  std::string_view dtype = dtype_name(*target.facts->dtype);
  std::uint64_t form = parts.empty() ? 0 : choices.below(floating ? 7 : 4);
  if (form == 0) {
    auto made = draw_integer_one(point, choices);
    if (made) made->text = fmt::format("({})", made->text);
    return made;
  }
  auto at = static_cast<std::size_t>(choices.below(parts.size()));
  BoundedExpression made = parts[at];
  const std::string x = made.text;
  if (form == 1) made.text = fmt::format("({0} == {0}).to({1}.{2})", x, point.torch, dtype);
  if (form == 2) made.text = fmt::format("({0} - {0} + 1)", x);
  if (form == 3) made.text = fmt::format("{}.ones_like({})", point.torch, x);
  if (form == 4) made.text = fmt::format("{0}.exp({1} - {1})", point.torch, x);
  if (form == 5) made.text = fmt::format("{0}.cos({1} - {1})", point.torch, x);
  if (form == 6) made.text = away[at] ? fmt::format("({0} / {0})", x) : fmt::format("({0} * 0 + 1)", x);
  return made;
}

/// The line that is put after the statement.
std::optional<NamedText> draw_line(const Parsed& parsed, const Facts& facts, const Statement& statement, bool in_place,
                                   Choices& choices) {
  auto target = bound_tensor(parsed, facts, statement);
  if (!target || *target->facts->dtype == Dtype::kBool) return std::nullopt;
  if (!(in_place ? may_write(parsed, facts) : may_rebind(parsed, facts, statement, *target))) return std::nullopt;
  const Point point = point_after(parsed, facts, statement, *target);
  auto one = draw_one(point, *target, choices);
  if (!one || point.torch.empty()) return std::nullopt;
  const std::string& name = target->name;
  bool divides = is_floating(*target->facts->dtype) && choices.chance(1, 3);
  std::vector<std::string> forms;
  if (in_place) {
    forms = {fmt::format("{} {}= {}", name, divides ? "/" : "*", one->text),
             fmt::format("{}.{}_({})", name, divides ? "div" : "mul", one->text)};
  } else {
    forms = {fmt::format("{0} = {0} {1} {2}", name, divides ? "/" : "*", one->text),
             fmt::format("{0} = {3}.{1}({0}, {2})", name, divides ? "div" : "mul", one->text, point.torch)};
    if (!divides) forms.push_back(fmt::format("{0} = {1} * {0}", name, one->text));
  }
  one->names.erase(name);
  one->names.insert(point.torch);
  return named_text(one->names, choices.pick(forms));
}

/// Draws the text that replaces a number, with "#" in place of the number: "(# + (v0.dim() - 2))".
std::optional<NamedText> draw_number(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                     Choices& choices) {
  Point point = point_before(parsed, facts, statement);
  bool factor = choices.chance(1, 3);
  auto made = factor ? draw_integer_one(point, choices) : draw_integer_zero(point, choices);
  if (!made) return std::nullopt;
  std::vector<std::string> forms = {fmt::format("(# {} ({}))", factor ? "*" : "+", made->text),
                                    fmt::format("(({}) {} #)", made->text, factor ? "*" : "+")};
  if (!factor) forms.push_back(fmt::format("(# - ({}))", made->text));
  return named_text(made->names, choices.pick(forms));
}

/// A part of the statement that may write to a tensor is evaluated before the number.
bool writes_before(const Statement& statement, const Node& number) {
  const bool all = in_target(number, statement.node);  // targets are evaluated after the value
  bool conditional = false;
  bool earlier = false;
  bool any = false;
  for (const Node node : nodes_of(statement.node)) {
    // In `a if c else b`, c comes later in the text but is evaluated first.
    conditional = conditional || node.is("conditional_expression");
    if (const Call made = call(node); made && writes_tensor(made)) {
      any = true;
      earlier = earlier || node.end() <= number.begin();
    }
  }
  return earlier || (any && (all || conditional));
}

/// The statement binds names before it evaluates the number: targets are bound from left to right.
bool binds_before(const Parsed& parsed, const Statement& statement, const Node& number) {
  for (const Node node : nodes_of(statement.node))
    if (node.is("named_expression")) return true;
  if (!in_target(number, statement.node)) return false;
  const auto uses = parsed.scopes().uses_in(statement.begin, statement.end);
  return std::any_of(uses.begin(), uses.end(), [](const Use& use) { return use.kind != Use::Kind::kRead; });
}

/// Code of the file that runs before the number is evaluated may bind names anew.
bool runs_before(const Parsed& parsed, const Statement& statement, const Node& number) {
  const OwnCode& own = parsed.own_code();
  const bool runs =
      in_target(number, statement.node) ? own.may_run(parsed, statement) : own.runs_before(parsed, statement, number);
  return runs && SideEffects(parsed).may_bind_elsewhere(statement);
}

/// What a text beside the number reads may be another value there than before the statement.
bool may_differ(const Parsed& parsed, const Statement& statement, const Node& number) {
  return binds_before(parsed, statement, number) || writes_before(statement, number) ||
         runs_before(parsed, statement, number);
}

class OneFactor final : public Mutation {
 public:
  OneFactor()
      : Mutation({"one_factor", "D", Exactness::kBitwise, true, "jitprobe",
                  "sizes, dims and indices that are computed: symbolic shapes, guards, folding of ones and zeros"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    bool writes = may_write(parsed, facts);
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id)) continue;
      auto target = facts.after.contains(statement.id) ? bound_tensor(parsed, facts, statement) : std::nullopt;
      if (target && *target->facts->dtype != Dtype::kBool && !torch_name(parsed, statement).empty()) {
        if (may_rebind(parsed, facts, statement, *target)) found.push_back({statement.id, ""});
        if (writes) found.push_back({statement.id, "in_place"});
      }
      auto numbers = numbers_in(parsed, statement);
      if (numbers.empty() || live_tensors(parsed, facts, statement).empty()) continue;
      for (std::size_t i = 0; i < numbers.size() && i < 6; ++i)
        if (!may_differ(parsed, statement, numbers[i])) found.push_back({statement.id, fmt::format("{}", i)});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (uses_introspection(parsed) || !insertion_point(parsed, statement)) return {};
    bool in_place = site.path == "in_place";
    bool line = in_place || site.path.empty();
    auto numbers = numbers_in(parsed, statement);
    auto place = read_index(site.path, numbers.size());
    if (line ? !sole_expression(statement) : !place || may_differ(parsed, statement, numbers[*place])) return {};
    auto made = choices.note_drawn([&](Choices& inner) {
      return line ? draw_line(parsed, facts, statement, in_place, inner) : draw_number(parsed, facts, statement, inner);
    });
    if (!made || !made->readable(parsed, statement)) return {};
    Rewrite rewrite(parsed, step_number);
    std::string text = made->text;
    if (line) {
      rewrite.after(statement, {{text}});
      return rewrite.edits();
    }
    std::size_t at = text.find('#');
    if (at == std::string::npos) return {};
    Node number = numbers[*place];
    if (choices.chance(1, 3)) {
      std::string name = rewrite.name("n");
      rewrite.before(statement, {{fmt::format("{} = {}", name, text.replace(at, 1, number.text()))}});
      rewrite.replace(number, name);
      return rewrite.edits();
    }
    // Text is inserted only beside the number, so that the number itself stays as written.
    rewrite.insert(number.begin(), text.substr(0, at));
    rewrite.insert(number.end(), text.substr(at + 1));
    return rewrite.edits();
  }
};

const Register<Mutation, OneFactor> registered;

}  // namespace
}  // namespace jp::mutate::one_factor_mutation
