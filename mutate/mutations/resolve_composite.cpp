// A composite operator is replaced by its definition, or a definition by the composite operator:
//
//     v2 = torch.softmax(v0, 1)    e7 = torch.exp(v0 - v0.amax(1, keepdim=True))
//                                  v2 = e7 / e7.sum(1, keepdim=True)
//
// The definitions are in definitions.cpp, each with the magnitudes at which it is stable. Half types are computed in
// float32. The result is unchanged except for rounding. Site path: a call's number ("" for the whole value of an
// assignment), or "back" and that number; "module" and a number for calls of modules nn.LayerNorm.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "mutate/calls/module_calls.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/expression_facts.h"
#include "mutate/facts/live.h"
#include "mutate/material/definitions.h"
#include "mutate/material/norm_calls.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/safety/rounding.h"

namespace jp::mutate::resolve_composite_mutation {
namespace {

/// Facts of the operands: all are dense tensors of one floating type, or numbers.
struct Operands {
  Dtype dtype = Dtype::kFloat32;
  bool grads = false;
  bool positive = true;
  double most = 0;
};

/// Elementwise operators and reductions give row-major results of it.
bool lies_in_order(const NameFacts& known) {
  const auto& strides = *known.strides;
  return is_row_major(*known.shape, strides) ||
         (std::is_sorted(strides.begin(), strides.end(), std::greater<>()) && strides.back() > 0);
}

bool are_tensors(const Facts& facts, const Statement& statement, const std::vector<Node>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](const Node& node) { return expression_facts(facts, statement, node).has_value(); });
}

std::optional<Operands> find_operands(const Facts& facts, const Statement& statement, const std::vector<Node>& nodes) {
  Operands found;
  bool first = true;
  for (const Node& node : nodes) {
    const auto known = expression_facts(facts, statement, node);
    if (!known && (is_number_before(facts, statement, node) || node.is("tuple") || node.is("list"))) continue;
    if (!known || !is_floating(*known->dtype) || !bounded(*known, 1e30)) return std::nullopt;
    if (!lies_in_order(*known)) return std::nullopt;
    if (!first && found.dtype != *known->dtype) return std::nullopt;
    found.dtype = *known->dtype;
    found.grads = found.grads || *known->requires_grad;
    found.positive = found.positive && lowest(*known) > 0.01;
    found.most = std::max(found.most, magnitude(*known));
    first = false;
  }
  return first ? std::nullopt : std::optional(found);
}

bool is_half(Dtype dtype) { return dtype == Dtype::kFloat16 || dtype == Dtype::kBFloat16; }

/// Eager computes these operators in float32 too when the operands have a half type.
bool computes_wide(std::string_view name) {
  constexpr auto kWide = std::to_array<std::string_view>(
      {"softmax", "log_softmax", "gelu", "silu", "sigmoid", "tanh", "mish", "mean", "leaky_relu", "relu", "elu"});
  return std::find(kWide.begin(), kWide.end(), name) != kWide.end();
}

/// Sums over many elements differ more than their elements do.
bool sums(std::string_view name) { return name == "mean" || name == "var" || name == "std" || name == "logsumexp"; }

/// Which definitions (or composites) may be used, and the dtype of the operands.
struct Usable {
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::size_t> numbers;

  auto fields() { return std::tie(dtype, numbers); }
};

Usable usable_definitions(const Parsed& parsed, const Facts& facts, const OperatorCall& call) {
  std::vector<Node> nodes;
  for (const GivenArgument& operand : call.operands) nodes.push_back(operand.node);
  auto operands = find_operands(facts, *call.statement, nodes);
  if (!operands || !rounding_stays_small(parsed, facts, *call.statement)) return {};
  if (is_half(operands->dtype) && (operands->grads || !computes_wide(call.op->name))) return {};
  const auto self = expression_facts(facts, *call.statement, nodes[0]);
  if (sums(call.op->name) && (!self || !sums_alike(*self, element_count(*self->shape)))) return {};
  if ((call.op->name == "var" || call.op->name == "std") && element_count(*self->shape) < 2) return {};
  if (call.op->name == "layer_norm" && (!self || self->shape->back() < 4)) return {};
  Usable usable{operands->dtype, {}};
  auto all = definitions_of(call);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (operands->most > all[i]->most || (all[i]->positive && !operands->positive)) continue;
    if (all[i]->no_grads && operands->grads) continue;
    usable.numbers.push_back(i);
  }
  return usable;
}

Usable usable_composites(const Parsed& parsed, const Facts& facts, const OperatorCall& call) {
  if (!rounding_stays_small(parsed, facts, *call.statement)) return {};
  auto all = composites_of(parsed, call);
  Usable usable;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto operands = find_operands(facts, *call.statement, all[i].tensors);
    // Operators may take numbers where the composite takes tensors alone.
    if (!are_tensors(facts, *call.statement, all[i].tensors)) continue;
    if (!operands || is_half(operands->dtype) || operands->most > all[i].most || (all[i].no_grads && operands->grads))
      continue;
    usable.numbers.push_back(i);
  }
  return usable;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// The lines and the value of a definition, `text`, whose parameters are replaced but for "$1" and "$2".
std::string value_of(std::string text, Rewrite& rewrite, Lines& lines) {
  for (std::string_view mark : {"$1", "$2"})
    if (text.find(mark) != std::string::npos) text = replaced(text, mark, rewrite.name("e"));
  for (std::size_t at = text.find(" ;; "); at != std::string::npos; at = text.find(" ;; ")) {
    lines.push_back({text.substr(0, at)});
    text = text.substr(at + 4);
  }
  return text;
}

/// The lines and the value of the definition with the operands of the call.
std::string written_out(const Definition& definition, const OperatorCall& call, Dtype dtype, Rewrite& rewrite,
                        Lines& lines) {
  bool half = is_half(dtype);
  std::string text = replaced(std::string(definition.text), "$torch", call.torch);
  // Longer names are replaced first: `$input` is no prefix of another name, but `$dim` is one of `$dim0`.
  std::vector<std::string_view> parameters = call.op->parameters;
  std::sort(parameters.begin(), parameters.end(), [](auto a, auto b) { return a.size() > b.size(); });
  for (std::string_view parameter : parameters) {
    Node operand = call.operand(parameter);
    if (!operand) continue;
    std::string by(operand.text());
    if (!is_simple(operand)) {
      by = rewrite.name("x");
      lines.push_back({fmt::format("{} = {}", by, operand.text())});
    }
    if (half && operand.is("identifier") && parameter != "dim") {
      by = rewrite.name("x");
      lines.push_back({fmt::format("{} = {}.float()", by, operand.text())});
    }
    text = replaced(text, fmt::format("${}", parameter), by);
  }
  text = value_of(std::move(text), rewrite, lines);
  Node around = call.node.parent();
  bool alone = call.target || around.is("argument_list") || around.is("expression_list") || around.is("tuple") ||
               around.is("list") || around.is("return_statement") || around.is("parenthesized_expression");
  if (half || !alone) text = fmt::format("({})", text);
  if (half) text += fmt::format(".to({}.{})", call.torch, dtype_name(dtype));
  return text;
}

Usable usable_norms(const Parsed& parsed, const Facts& facts, const NormCall& norm) {
  const Statement& statement = *norm.call.statement;
  const auto operands = find_operands(facts, statement, {norm.input});
  const auto self = expression_facts(facts, statement, norm.input);
  if (!operands || !self || !has_weight_of_one_axis(facts, norm) || operands->dtype != Dtype::kFloat32 ||
      self->shape->empty() || self->shape->back() < 4 || !rounding_stays_small(parsed, facts, statement))
    return {};
  Usable usable{operands->dtype, {}};
  const auto all = definitions_of_layer_norm();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (operands->most <= all[i]->most) usable.numbers.push_back(i);
  return usable;
}

std::string norm_written_out(const Definition& definition, const NormCall& norm, Rewrite& rewrite, Lines& lines) {
  std::string input(norm.input.text());
  if (!is_simple(norm.input)) {
    input = rewrite.name("x");
    lines.push_back({fmt::format("{} = {}", input, norm.input.text())});
  }
  std::string text = replaced(std::string(definition.text), "$torch", norm.call.torch);
  text = replaced(text, "$input", input);
  text = replaced(text, "$weight", norm.module + ".weight");
  text = replaced(text, "$bias", norm.module + ".bias");
  return fmt::format("({})", value_of(text, rewrite, lines));
}

class ResolveComposite final : public Mutation {
 public:
  ResolveComposite()
      : Mutation({"resolve_composite", "A", Exactness::kRounding, true, "jitprobe",
                  "decompositions and pattern matchers: operators that a compiler merges or splits by itself"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id)) continue;
      for (const NormCall& norm : norm_calls(parsed, statement))
        if (!usable_norms(parsed, facts, norm).numbers.empty()) found.push_back({statement.id, norm.call.path});
      for (const OperatorCall& call : operator_calls(parsed, statement)) {
        if (resolvable(call) && !usable_definitions(parsed, facts, call).numbers.empty())
          found.push_back({statement.id, call.path});
        if (!composites_of(parsed, call).empty() && !usable_composites(parsed, facts, call).numbers.empty())
          found.push_back({statement.id, "back" + call.path});
      }
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    if (site.path.starts_with(kModulePath)) return resolve_norm(parsed, facts, site, choices, step_number);
    bool back = site.path.starts_with("back");
    auto call = operator_call_at(parsed, {site.statement, back ? site.path.substr(4) : site.path});
    if (!call || (!back && !resolvable(*call))) return {};
    const Usable usable = choices.note(
        [&] { return back ? usable_composites(parsed, facts, *call) : usable_definitions(parsed, facts, *call); });
    if (usable.numbers.empty()) return {};
    const std::size_t at = choices.pick(usable.numbers);
    Rewrite rewrite(parsed, step_number);
    if (back) {
      auto all = composites_of(parsed, *call);
      if (at >= all.size() || std::any_of(all[at].tensors.begin(), all[at].tensors.end(), is_number)) return {};
      rewrite.replace(call->node, all[at].text);
      return rewrite.edits();
    }
    auto all = definitions_of(*call);
    if (at >= all.size()) return {};
    Lines lines;
    std::string text = written_out(*all[at], *call, usable.dtype, rewrite, lines);
    if (!lines.empty()) rewrite.before(*call->statement, lines);
    rewrite.replace(call->node, text);
    return rewrite.edits();
  }

 private:
  static EditSet resolve_norm(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                              int step_number) {
    const Statement& statement = *parsed.find(site.statement);
    if (uses_introspection(parsed)) return {};
    for (const NormCall& norm : norm_calls(parsed, statement)) {
      if (norm.call.path != site.path) continue;
      const Usable usable = choices.note([&] { return usable_norms(parsed, facts, norm); });
      const auto all = definitions_of_layer_norm();
      const std::size_t at = usable.numbers.empty() ? all.size() : choices.pick(usable.numbers);
      if (at >= all.size()) return {};
      Rewrite rewrite(parsed, step_number);
      Lines lines;
      const std::string text = norm_written_out(*all[at], norm, rewrite, lines);
      if (!lines.empty()) rewrite.before(statement, lines);
      rewrite.replace(norm.call.node, text);
      return rewrite.edits();
    }
    return {};
  }

  static bool resolvable(const OperatorCall& call) {
    return !definitions_of(call).empty() && call.comes_first() &&
           std::all_of(call.operands.begin(), call.operands.end(), [](const GivenArgument& operand) {
             return is_simple(operand.node) || is_known_expression(operand.node);
           });
  }
};

const Register<Mutation, ResolveComposite> registered;

}  // namespace
}  // namespace jp::mutate::resolve_composite_mutation
