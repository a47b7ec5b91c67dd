// Garbage that vanishes on this input is added to a live result, right after the statement that binds it:
//
//     v3 = torch.relu(v2)          v3 = torch.relu(v2)
//                                  v3 = v3 + (v0 * v2) * (v0[1, 2] - 0.25)
//
// The zero is a value minus its profiled constant, or a size minus itself; or `where` and `masked_fill` exclude the
// garbage under a condition that is false on this input. The result is unchanged except for rounding. Zeros that hold
// on every input are in zero_garbage.cpp. As there, a statement's reads are sites too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mutate/engine/notes.h"
#include "mutate/facts/live.h"
#include "mutate/material/any_shape.h"
#include "mutate/material/garbage.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate::zero_garbage_here_mutation {
namespace {

/// Draws a tensor that is false on this input, with a margin.
std::optional<BoundedExpression> draw_false(const Point& point, const LiveTensor& target, Choices& choices) {
  std::vector<LiveTensor> found;
  for (const LiveTensor& one : point.live) {
    Dtype dtype = *one.facts->dtype;
    bool fits = is_floating(dtype) || dtype == Dtype::kInt32 || dtype == Dtype::kInt64;
    if (fits && bounded(*one.facts, 1e4)) found.push_back(one);
  }
  if (found.empty()) return std::nullopt;
  const LiveTensor& one = choices.pick(found);
  double away = std::ceil(1 + 0.25 * magnitude(*one.facts));
  bool above = choices.chance(1, 2);
  auto text = [&](const std::string& left, double low, double high) {
    return above ? fmt::format("{} > {}", left, static_cast<std::int64_t>(std::ceil(high + away)))
                 : fmt::format("{} < {}", left, static_cast<std::int64_t>(std::floor(low - away)));
  };
  if (one.facts->shape == target.facts->shape && choices.chance(1, 2))
    return BoundedExpression{text(one.name, lowest(*one.facts), highest(*one.facts)), {one.name}, 0};
  auto element = draw_element(one, choices);
  if (!element) return std::nullopt;
  return BoundedExpression{text(element->text, element->value, element->value), {one.name}, 0};
}

std::optional<BoundedExpression> draw_choice(const Point& point, const LiveTensor& target, Choices& choices) {
  auto garbage = draw_garbage(point, target, choices);
  auto test = draw_false(point, target, choices);
  if (!garbage || !test) return std::nullopt;
  garbage->names.insert(test->names.begin(), test->names.end());
  // masked_fill gives a dense result, whatever the layout of its operand.
  bool dense = is_row_major(*target.facts->shape, *target.facts->strides);
  switch (choices.below(dense ? 3 : 2)) {
    case 0:
      garbage->text =
          fmt::format("{0}.where({0}.logical_not({1}), {2}, {3})", point.torch, test->text, target.name, garbage->text);
      break;
    case 1:
      garbage->text = fmt::format("{}.where({}, {}, {})", point.torch, test->text, garbage->text, target.name);
      break;
    default:
      garbage->text = fmt::format("{}.masked_fill({}, 7)", target.name, test->text);
  }
  return garbage;
}

class ZeroGarbageHere final : public GarbageMutation {
 public:
  ZeroGarbageHere()
      : GarbageMutation(
            {"zero_garbage_here", "D", Exactness::kRounding, true, "MT-DLComp",
             "masks and zeros that let garbage through: wrong predication, values mistaken for constants"}) {}

 private:
  std::optional<Changed> draw(const Point& point, const LiveTensor& target, Choices& choices) const override {
    const bool added = !choices.chance(1, 3);
    auto made = added ? draw_product(point, target, draw_zero_here, choices) : draw_choice(point, target, choices);
    return made ? std::optional(Changed{std::move(*made), added}) : std::nullopt;
  }
  Changed draw_any_shape(const std::string& torch, const LiveTensor& target, Choices& choices) const override {
    const bool added = !choices.chance(1, 3);
    return {added ? product_here(torch, target, choices) : choice_here(torch, target, choices), added};
  }
};

const Register<Mutation, ZeroGarbageHere> registered;

}  // namespace
}  // namespace jp::mutate::zero_garbage_here_mutation
