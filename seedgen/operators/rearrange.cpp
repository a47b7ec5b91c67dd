// The same elements in another order, or some of them zeroed: flip, roll, rot90, triangles.
#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"flip", "roll", "rot90", "tril", "triu"};
constexpr std::string_view kFlip[] = {"torch.flip($0, $1)", "$0.flip($*1)", "$0.flip($1)"};
constexpr std::string_view kRoll[] = {"torch.roll($0, $1, $2)", "$0.roll($1, $2)"};
constexpr std::string_view kRollFlat[] = {"torch.roll($0, $1)", "$0.roll($1)"};
constexpr std::string_view kRot90[] = {"torch.rot90($0, $1, (0, 1))", "$0.rot90($1, (0, 1))"};
constexpr std::string_view kTriangle[] = {"torch.#($0, $1)", "$0.#($1)"};

class Rearrange final : public Operator {
 public:
  std::string_view name() const override { return "rearrange"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(member < 2 ? 1 : 2)});
    Value result = fresh_unknown(x.dtype, x.shape, x.interval);
    Call call{.op = kNames[member], .forms = kTriangle, .arguments = {Ref{x.id}}};
    switch (member) {
      case 0: {
        Ints dims;
        for (Dim dim : draft.dims(x.shape.size(), 1)) dims.push_back(dim.written);
        call.forms = kFlip;
        call.add(dims);
        break;
      }
      case 1:
        call.forms = kRollFlat;
        call.add(draft.between(-3, 3));
        if (draft.flip()) break;
        call.forms = kRoll;
        call.add(draft.dim(x.shape.size()).written);
        break;
      case 2: {
        std::int64_t turns = draft.between(-1, 3);
        if (turns % 2 != 0) std::swap(result.shape[0], result.shape[1]);
        call.forms = kRot90;
        call.add(turns);
        break;
      }
      default:
        call.add(draft.between(-2, 2));
        result.interval = hull(x.interval, {0, 0});
    }
    draft.record(std::move(call), result, {.saves = Saves::kNothing});
  }
};

const Register<Operator, Rearrange> registered;

}  // namespace
}  // namespace jp::seedgen
