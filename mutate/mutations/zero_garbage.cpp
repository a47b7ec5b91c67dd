// Garbage that is multiplied by a zero is added to a live result, right after the statement that binds it:
//
//     v3 = torch.relu(v2)          v3 = torch.relu(v2)
//                                  v3 = v3 + (v0 * v2) * torch.relu(-(v0[1, 2] - v3) ** 2)
//
// The zero holds on every input, exactly: relu of a negated square, relu of the same square written out less what
// rounding can make of it, relu of sines less a logarithm and of other expressions that are never positive, rarely
// `x - x`. Only finite, bounded elements are used. The result is unchanged except for signs of zeros. Zeros that hold
// only on this input are in zero_garbage_here.cpp. Where the name can't be bound again, the sum stands in the place of
// a read of a tensor: `return F.relu(y + …)`, `y = self.attention(x + …, mask)`.
#include "mutate/material/any_shape.h"
#include "mutate/material/garbage.h"

namespace jp::mutate::zero_garbage_mutation {
namespace {

class ZeroGarbage final : public GarbageMutation {
 public:
  ZeroGarbage()
      : GarbageMutation(
            {"zero_garbage", "D", Exactness::kRounding, true, "MT-DLComp",
             "algebra that must cancel: wrong folding, fusion that reorders, buffers that are reused too early"}) {}

 private:
  std::optional<Changed> draw(const Point& point, const LiveTensor& target, Choices& choices) const override {
    auto made = draw_product(point, target, draw_universal_zero, choices);
    return made ? std::optional(Changed{std::move(*made)}) : std::nullopt;
  }
  Changed draw_any_shape(const std::string& torch, const LiveTensor& target, Choices& choices) const override {
    return {universal_product(torch, target, choices)};
  }
};

const Register<Mutation, ZeroGarbage> registered;

}  // namespace
}  // namespace jp::mutate::zero_garbage_mutation
