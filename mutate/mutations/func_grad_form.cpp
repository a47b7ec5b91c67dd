// A range of statements is computed inside of a functional derivative, whose value is thrown away:
//
//     v3 = v2 + v1                 def f7(v2, v1):
//                                      v3 = v2 + v1
//                                      return v3
//                                  v3 = torch.func.grad(lambda *a7: (a7[0].sum(), f7(*a7)), has_aux=True)(v2, v1)[1]
//
// The results come out of torch.func.vjp or jvp as the function's own results, out of grad, grad_and_value or jacrev as
// auxiliary ones. The range is pure, and its results share memory with nothing. The result is unchanged bit for bit.
// Site path: as in statement_ranges.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mutate/outline/outline_values.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::func_grad_form_mutation {
namespace {

/// The file uses hooks on saved tensors, which transforms reject, or could observe that a transform returns a view.
bool rejects_transforms(const Parsed& parsed) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"checkpoint", "saved_tensors_hooks", "save_on_cpu", "detach_", "_is_view", "_base", "inference_mode"});
  return parsed.has_any<kWords>();
}

/// An operator in the range rejects or lacks gradients of an operand: class weights, running statistics, step
/// functions.
bool refuses_gradients(const Outline& outline) {
  for (const Node node : nodes_of(*outline.first, *outline.last)) {
    if (const Operation made = operation(node); made && made.symbol().starts_with("//")) return true;
    if (!node.is("identifier")) continue;
    for (const std::string_view word : {"cross_entropy", "nll_loss", "multi_margin_loss", "batch_norm", "instance_norm",
                                        "floor_divide", "heaviside", "igamma"})
      if (node.text().find(word) != std::string_view::npos) return true;
  }
  return false;
}

bool may_differentiate(const Parsed& parsed, const Outline& outline, const Values& values) {
  auto real = [](const Value& value) { return value.tensor && is_floating(value.dtype); };
  return values.all_fresh() && !values.any_complex() &&
         std::any_of(values.arguments.begin(), values.arguments.end(), real) && is_closed(parsed, outline) &&
         is_pure(parsed, outline) && !refuses_gradients(outline) && !rejects_transforms(parsed) &&
         !torch_name(parsed, *outline.first).empty() && keeps_numbers(parsed, outline, values);
}

class FuncGradForm final : public OutlineMutation {
 public:
  FuncGradForm()
      : OutlineMutation({"func_grad_form", "C", Exactness::kBitwise, true, "jitprobe",
                         "derivatives inside a graph: nested wrapped tensors, auxiliary results, outer gradients"}) {}

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto outline = find_outline(parsed, site);
    if (!outline) return {};
    auto values = draw_values(parsed, *outline, facts, choices);
    if (!values || !may_differentiate(parsed, *outline, *values)) return {};
    Rewrite rewrite(parsed, step_number);
    std::string function = rewrite.name("f");
    auto operands = ordered(*values, choices);
    std::string call =
        draw_call(torch_name(parsed, *outline->first), function, rewrite.name("a"), *values, operands, choices);
    put_outline(rewrite, *outline, function, operands, {}, {}, call);
    return rewrite.edits();
  }

 private:
  /// The tensors in a drawn order, beginning with one that may be differentiated.
  static std::vector<std::string> ordered(const Values& values, Choices& choices) {
    std::vector<std::string> real;
    for (const Value& value : values.arguments)
      if (value.tensor && is_floating(value.dtype)) real.push_back(value.name);
    std::vector<std::string> names = {choices.pick(real)};
    for (const auto& name : values.tensor_arguments())
      if (name != names.front()) names.push_back(name);
    return names;
  }

  static std::string draw_call(const std::string& torch, const std::string& function, const std::string& all,
                               const Values& values, const std::vector<std::string>& operands, Choices& choices) {
    std::string given = joined(operands);
    auto real = [](const Value& value) { return !value.tensor || is_floating(value.dtype); };
    bool smooth = std::all_of(values.results.begin(), values.results.end(), real);
    bool all_real = std::all_of(values.arguments.begin(), values.arguments.end(), real);
    // A tangent is written with the argument's layout, which is impossible if the argument overlaps itself.
    bool plain = std::all_of(values.arguments.begin(), values.arguments.end(),
                             [](const Value& value) { return !value.tensor || value.contiguous; });
    std::string aux = fmt::format("(lambda *{0}: ({0}[0].sum(), {1}(*{0})), has_aux=True)({2})", all, function, given);
    switch (choices.below(smooth && all_real ? (plain ? 7 : 5) : 3)) {
      case 0:
        return fmt::format("{}.func.grad{}[1]", torch, aux);
      case 1:
        return fmt::format("{}.func.grad_and_value{}[1][1]", torch, aux);
      case 2:
        return fmt::format("{}.func.jacrev{}[1]", torch, aux);
      case 3:
        return fmt::format("{}.func.vjp({}, {})[0]", torch, function, given);
      case 5:
      case 6: {
        std::vector<std::string> tangents;
        for (const auto& name : operands)
          tangents.push_back(fmt::format("{}.{}({})", torch, choices.chance(1, 2) ? "ones_like" : "zeros_like", name));
        return fmt::format("{}.func.jvp({}, {}, {})[0]", torch, function, tuple_text(operands), tuple_text(tangents));
      }
      default:
        return fmt::format("{}.func.vjp({}, {})[0]", torch, function, given);
    }
  }

 private:
  bool fits(const Parsed& parsed, const Facts& facts, const Outline& outline) const override {
    const auto values = known_values(parsed, outline, facts);
    return values && may_differentiate(parsed, outline, *values);
  }
};

const Register<Mutation, FuncGradForm> registered;

}  // namespace
}  // namespace jp::mutate::func_grad_form_mutation
