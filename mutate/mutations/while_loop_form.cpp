// A range of statements becomes the body of torch's while_loop operator, which repeats the same computation:
//
//     v3 = v2 + v1                 def f7(v2, v1):
//                                      v3 = v2 + v1
//                                      return v3
//                                  start7 = (torch.tensor(0), torch.zeros((2, 3), dtype=torch.float32))
//                                  v3 = torch.ops.higher_order.while_loop(
//                                      lambda i7, c7, v2, v1: i7 < 2, lambda i7, c7, v2, v1: (i7 + 1, f7(v2, v1)),
//                                      start7, (v2, v1))[1]
//
// The operator is called directly, so that eager runs the loop; torch.while_loop would compile itself. The range is
// pure, its results are contiguous, share memory with nothing and have sizes that facts know. Where something requires
// gradients, the operator runs without them and its result is written over the range's own (values.h). The result is
// unchanged bit for bit. Site path: as in statement_ranges.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/outline/values.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::while_loop_form_mutation {
namespace {

std::string start_value(const std::string& torch, const Value& value, Choices& choices) {
  return fmt::format("{}.{}({}, dtype={}.{})", torch, choices.chance(2, 3) ? "zeros" : "ones", tuple_text(value.shape),
                     torch, dtype_name(value.dtype));
}

class WhileLoopForm final : public ValuesMutation {
 public:
  WhileLoopForm()
      : ValuesMutation(
            {"while_loop_form", "C", Exactness::kBitwise, true, "jitprobe",
             "loops inside a graph: carried values, captured values, state passed from one iteration to the next"}) {}

 private:
  bool takes_varying() const override { return true; }
  bool allows(const Parsed& parsed, const BodySignature& signature, const Values& values) const override {
    return fits_control_flow(parsed, signature, values) &&
           std::all_of(values.results.begin(), values.results.end(),
                       [](const Value& value) { return value.contiguous; });
  }

  std::optional<Body> pack_with(Packing& packing, const Values& values) const override {
    auto& [parsed, facts, signature, rewrite, choices] = packing;
    std::string torch = packing.torch();
    std::string function = rewrite.name("f");
    std::string counter = rewrite.name("i");
    std::string first = rewrite.name("start");

    std::vector<std::string> operands = values.tensor_arguments();
    auto bound = [&](const std::string& name) { return packing.signature.writes(name); };
    bool handed = choices.chance(2, 3) || std::any_of(operands.begin(), operands.end(), bound);
    if (!handed) operands.clear();
    std::vector<std::string> parameters = {counter};
    std::vector<std::string> start = {torch + ".tensor(0)"};
    std::string given = joined(operands);
    for (const Value& value : values.results) {
      parameters.push_back(rewrite.name("c"));
      // Its size may differ between visits.
      start.push_back(values.any_gradient() ? fmt::format("{}.zeros_like({}({}))", torch, function, given)
                                            : start_value(torch, value, choices));
    }
    add(parameters, operands);
    std::string call = fmt::format("{}{}({})", values.results.size() > 1 ? "*" : "", function, given);
    std::string head = fmt::format("lambda {}", fmt::join(parameters, ", "));
    std::string loop = fmt::format("{}.ops.higher_order.while_loop({}: {} < {}, {}: ({} + 1, {}), {}, {})[1{}]", torch,
                                   head, counter, choices.between(1, 3), head, counter, call, first,
                                   tuple_text(operands), values.results.size() > 1 ? ":" : "");
    return control_flow_body(packing, values, function, operands,
                             {{fmt::format("{} = ({})", first, fmt::join(start, ", "))}}, loop);
  }
};

const Register<Mutation, WhileLoopForm> registered;

}  // namespace
}  // namespace jp::mutate::while_loop_form_mutation
