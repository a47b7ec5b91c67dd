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

#include "mutate/outline/values.h"
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
bool refuses_gradients(const BodySignature& signature) {
  for (const Node node : nodes_of(signature.first(), signature.last())) {
    if (const Operation made = operation(node); made && made.symbol().starts_with("//")) return true;
    if (!node.is("identifier")) continue;
    for (const std::string_view word : {"cross_entropy", "nll_loss", "multi_margin_loss", "batch_norm", "instance_norm",
                                        "floor_divide", "heaviside", "igamma"})
      if (node.text().find(word) != std::string_view::npos) return true;
  }
  return false;
}

class FuncGradForm final : public ValuesMutation {
 public:
  FuncGradForm()
      : ValuesMutation({"func_grad_form", "C", Exactness::kBitwise, true, "jitprobe",
                        "derivatives inside a graph: nested wrapped tensors, auxiliary results, outer gradients"}) {}

 private:
  bool allows(const Parsed& parsed, const BodySignature& signature, const Values& values) const override {
    auto real = [](const Value& value) { return value.tensor && is_floating(value.dtype); };
    return values.all_fresh() && !values.any_complex() &&
           std::any_of(values.arguments.begin(), values.arguments.end(), real) && is_closed(parsed, signature) &&
           is_pure(parsed, signature) && !refuses_gradients(signature) && !rejects_transforms(parsed) &&
           !torch_name(parsed, signature.first()).empty() && keeps_numbers(signature, values);
  }

  std::optional<Body> pack_with(Packing& packing, const Values& values) const override {
    auto& [parsed, facts, signature, rewrite, choices] = packing;
    const std::string function = rewrite.name("f");
    const auto operands = ordered(values, choices);
    const std::string call = draw_call(packing.torch(), function, rewrite.name("a"), values, operands, choices);
    return function_body(signature, function, operands, {}, {}, call);
  }

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
};

const Register<Mutation, FuncGradForm> registered;

}  // namespace
}  // namespace jp::mutate::func_grad_form_mutation
