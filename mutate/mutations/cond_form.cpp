// A range of statements becomes a branch of torch's conditional operator:
//
//     v3 = v2 + v1                 def f7(v2, v1):
//                                      v3 = v2 + v1
//                                      return v3
//                                  def g7(v2, v1):
//                                      return torch.zeros_like(f7(v2, v1))
//                                  v3 = torch.ops.higher_order.cond((v2 == v2).any() | (v2 != v2).any(), f7, g7, (v2,
//                                  v1))
//
// The operator is called directly, so that eager runs the branch; torch.cond would compile itself. The range is pure,
// and its results share memory with nothing. Where something requires gradients, which eager's backward of the operator
// would trace by the compiler, the operator runs without them and its result is written over the range's own
// (values.h). The condition holds for every tensor with elements, or on this input (value_tests.h), or is a
// constant; when it is negated, the branches are swapped. The result is unchanged bit for bit. Site path: as in
// statement_ranges.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/facts/value_tests.h"
#include "mutate/outline/values.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::cond_form_mutation {
namespace {

/// A condition, and whether it holds.
struct Condition {
  std::string text;
  bool holds = true;
};

/// Draws a comparison that holds for every element, including NaN.
std::string always(const std::string& name, Choices& choices) {
  switch (choices.below(3)) {
    case 0:
      return fmt::format("({0} == {0}).any() | ({0} != {0}).any()", name);
    case 1:
      return fmt::format("({0} == {0}).logical_or({0} != {0}).all()", name);
    default:
      return fmt::format("(({0} == {0}) ^ ({0} != {0})).all()", name);
  }
}

Condition draw_condition(const Values& values, const std::string& test, const std::string& torch, Choices& choices) {
  std::vector<const Value*> filled;
  for (const Value& value : values.arguments) {
    bool empty = std::find(value.shape.begin(), value.shape.end(), 0) != value.shape.end();
    if (value.tensor && !empty) filled.push_back(&value);
  }
  bool holds = choices.chance(2, 3);
  std::uint64_t form = choices.below(6);
  if (form == 0) return {fmt::format("{}.tensor({})", torch, holds ? "True" : "False"), holds};
  if (form == 1 && !test.empty()) return {holds ? test : fmt::format("not ({})", test), holds};
  if (form == 2 || filled.empty()) {
    const std::string name = values.tensor_arguments().front();
    return {fmt::format("{}.dim() {} {}", name, holds ? "<" : ">=", 64), holds};
  }
  std::string text = always(choices.pick(filled)->name, choices);
  return {holds ? text : fmt::format("~({})", text), holds};
}

/// Draws the result of the branch that is not taken: other values of the same type.
std::string draw_other(const std::string& torch, const std::string& result, Choices& choices) {
  switch (choices.below(3)) {
    case 0:
      return fmt::format("{}.zeros_like({})", torch, result);
    case 1:
      return fmt::format("{}.ones_like({})", torch, result);
    default:
      return fmt::format("{}.clone()", result);
  }
}

class CondForm final : public ValuesMutation {
 public:
  CondForm()
      : ValuesMutation({"cond_form", "C", Exactness::kBitwise, true, "jitprobe",
                        "both branches of a conditional in one graph: captured operands, results that must agree"}) {}

 private:
  bool takes_varying() const override { return true; }
  bool allows(const Parsed& parsed, const BodySignature& signature, const Values& values) const override {
    return fits_control_flow(parsed, signature, values);
  }

  std::optional<Body> pack_with(Packing& packing, const Values& values) const override {
    auto& [parsed, facts, signature, rewrite, choices] = packing;
    const std::string test = choices.note_drawn([&](Choices& inner) {
      return draw_test(packing.parsed, packing.facts, packing.signature.first(), true, inner);
    });
    if (!names_readable(parsed, signature.first(), test)) return std::nullopt;

    const std::string torch = packing.torch();
    const std::vector<std::string> results = signature.outputs();
    std::string taken = rewrite.name("f");
    std::string other = rewrite.name("g");
    Condition condition = draw_condition(values, test, torch, choices);
    // A draw decides that no tensor is an operand and all are captured.
    std::vector<std::string> operands;
    if (!choices.chance(1, 4)) operands = values.tensor_arguments();
    for (const auto& name : values.tensor_arguments())
      if (operands.empty() && signature.writes(name)) operands = values.tensor_arguments();
    std::string given = joined(operands);

    Lines more = {{fmt::format("def {}({}):", other, given)}};
    std::string call = fmt::format("{}({})", taken, given);
    std::vector<std::string> made;
    for (std::size_t i = 0; i < results.size(); ++i)
      made.push_back(draw_other(torch, results.size() == 1 ? call : results[i], choices));
    if (results.size() > 1) more.push_back({fmt::format("{} = {}", fmt::join(results, ", "), call), 1});
    more.push_back({fmt::format("return {}", fmt::join(made, ", ")), 1});
    return control_flow_body(
        packing, values, taken, operands, more,
        fmt::format("{}.ops.higher_order.cond({}, {}, {}, {})", torch, condition.text, condition.holds ? taken : other,
                    condition.holds ? other : taken, tuple_text(operands)));
  }
};

const Register<Mutation, CondForm> registered;

}  // namespace
}  // namespace jp::mutate::cond_form_mutation
