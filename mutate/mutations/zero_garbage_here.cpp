// Garbage that vanishes on this input is added to a live result, right after the statement that binds it:
//
//     v3 = torch.relu(v2)          v3 = torch.relu(v2)
//                                  v3 = v3 + (v0 * v2) * torch.relu((v2[1, 2] - 0.25).abs() - 0.015625)
//
// The zero compares live values with what the profile run saw: elements, whole tensors, sums, extremes. It is exact
// whatever rounds, because everything below a margin is zero: relu, a mask, a conversion to an integer, a bound. Or it
// is a size minus itself; or `where` and `masked_fill` exclude the garbage under a condition that is known on this
// input. The result is unchanged except for signs of zeros. Zeros that hold on every input are in zero_garbage.cpp. As
// there, a statement's reads are sites too.
#include <fmt/format.h>

#include "core/tensor_type.h"
#include "mutate/material/any_shape.h"
#include "mutate/material/garbage.h"
#include "mutate/material/profiled.h"

namespace jp::mutate::zero_garbage_here_mutation {
namespace {

/// Garbage, and a test that holds on this input or doesn't.
struct Tested {
  bool holds = false;
  BoundedExpression garbage;  // its names are those of the test too
  std::string test;
};

std::optional<Tested> draw_tested(const Point& point, const LiveTensor& target, Choices& choices) {
  const bool holds = choices.chance(1, 2);
  auto garbage = draw_garbage(point, target, choices);
  const auto test = draw_profiled_test(point, target, holds, choices);
  if (!garbage || !test) return std::nullopt;
  garbage->names.insert(test->names.begin(), test->names.end());
  return Tested{holds, *std::move(garbage), test->text};
}

/// The target where a test says so, garbage where it does not.
std::optional<BoundedExpression> draw_choice(const Point& point, const LiveTensor& target, Choices& choices) {
  auto drawn = draw_tested(point, target, choices);
  if (!drawn) return std::nullopt;
  auto& [holds, garbage, test] = *drawn;
  const std::string& kept = holds ? target.name : garbage.text;
  const std::string& other = holds ? garbage.text : target.name;
  // masked_fill gives a dense result, whatever the layout of its operand.
  if (!holds && is_row_major(*target.facts->shape, *target.facts->strides) && choices.chance(1, 3)) {
    garbage.text = fmt::format("{}.masked_fill({}, 7)", target.name, test);
    return garbage;
  }
  garbage.text = fmt::format("{}.where({}, {}, {})", point.torch, test, kept, other);
  return garbage;
}

/// Garbage that a mask replaces by zeros.
std::optional<BoundedExpression> draw_masked(const Point& point, const LiveTensor& target, Choices& choices) {
  auto drawn = draw_tested(point, target, choices);
  if (!drawn) return std::nullopt;
  auto& [holds, garbage, test] = *drawn;
  garbage.text = holds ? fmt::format("{}.where({}, 0, {})", point.torch, test, garbage.text)
                       : fmt::format("{}.where({}, {}, 0)", point.torch, test, garbage.text);
  return garbage;
}

/// A value compared with what the profile run saw; in one of eight draws, and where nothing can be compared, a size
/// minus itself.
std::optional<BoundedExpression> draw_zero_here(const Point& point, const LiveTensor& target, Choices& choices) {
  if (!choices.chance(1, 8))
    if (auto zero = draw_profiled_zero(point, target, choices)) return zero;
  auto size = draw_integer_zero(point, choices);
  if (size) size->text = fmt::format("({})", size->text);
  return size;
}

class ZeroGarbageHere final : public GarbageMutation {
 public:
  ZeroGarbageHere()
      : GarbageMutation({"zero_garbage_here", "D", Exactness::kRounding, true, "MT-DLComp",
                         "masks and zeros that let garbage through: wrong predication, values mistaken for constants",
                         "", true}) {}

 private:
  std::optional<Changed> draw(const Point& point, const LiveTensor& target, Choices& choices) const override {
    const std::uint64_t form = choices.below(6);
    auto made = form < 3   ? draw_product(point, target, draw_zero_here, choices)
                : form < 5 ? draw_masked(point, target, choices)
                           : draw_choice(point, target, choices);
    return made ? std::optional(Changed{std::move(*made), form < 5}) : std::nullopt;
  }
  Changed draw_any_shape(const std::string& torch, const LiveTensor& target, Choices& choices) const override {
    const bool added = !choices.chance(1, 3);
    return {added ? product_here(torch, target, choices) : choice_here(torch, target, choices), added};
  }
};

const Register<Mutation, ZeroGarbageHere> registered;

}  // namespace
}  // namespace jp::mutate::zero_garbage_here_mutation
