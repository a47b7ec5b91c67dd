// The same elements in another order, or some of them zeroed: flip, roll, rot90, triangles.
// Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::rearrange_operators {
namespace {

constexpr std::string_view kNames[] = {"flip", "roll", "rot90", "tril", "triu", "fliplr", "flipud"};
constexpr std::string_view kFlip[] = {"torch.flip($0, $1)", "$0.flip($*1)", "$0.flip($1)"};
constexpr std::string_view kRoll[] = {"torch.roll($0, $1, $2)", "$0.roll($1, $2)"};
constexpr std::string_view kRollFlat[] = {"torch.roll($0, $1)", "$0.roll($1)"};
constexpr std::string_view kRot90[] = {"torch.rot90($0, $1, $2)", "$0.rot90($1, dims=$2)", "$0.rot90(k=$1, dims=$2)"};
constexpr std::string_view kOne[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kTriangle[] = {"torch.#($0, $1)", "$0.#($1)"};

class Rearrange final : public Operator {
 public:
  std::string_view name() const override { return "rearrange"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(member < 2 || member == 6 ? 1 : 2)});
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
        draw_roll(draft, call, x.shape.size());
        break;
      case 2: {
        std::int64_t turns = draft.between(-2, 5);
        std::vector<Dim> plane = draft.dims(x.shape.size(), 2);
        if (turns % 2 != 0) std::swap(result.shape[plane[0].at], result.shape[plane[1].at]);
        call.forms = kRot90;
        call.add(turns);
        call.add(Ints{plane[0].written, plane[1].written});
        break;
      }
      case 5:
      case 6:
        call.forms = kOne;
        break;
      default:
        call.add(draw_diagonal(draft, x.shape));
        result.interval = hull(x.interval, {0, 0});
    }
    // Only tril and triu have `out=`; for four dimensions or more eager fills it wrongly if its layout differs.
    if ((member == 3 || member == 4) && x.shape.size() < 4)
      return record_or_out(draft, std::move(call), result, {.saves = Saves::kNothing});
    draft.record(std::move(call), result, {.saves = Saves::kNothing});
  }

 private:
  // Mostly one with an element on either side of it, if there is one.
  static std::int64_t draw_diagonal(Draft& draft, const Shape& shape) {
    const std::int64_t drawn = draft.between(-3, 3);
    if (draft.choices().chance(1, 16)) return drawn;
    const std::int64_t rows = shape[shape.size() - 2];
    return std::clamp<std::int64_t>(drawn, std::min<std::int64_t>(1 - rows, 0),
                                    std::max<std::int64_t>(shape.back() - 1, 0));
  }

  // The flattened elements, or one dimension, or several, one of which may occur twice.
  static void draw_roll(Draft& draft, Call& call, int rank) {
    call.forms = kRoll;
    switch (draft.choices().below(3)) {
      case 0:
        call.forms = kRollFlat;
        return call.add(draft.between(-3, 9));
      case 1:
        call.add(draft.between(-3, 9));
        return call.add(draft.dim(rank).written);
      default:
        break;
    }
    Ints shifts;
    Ints dims;
    for (std::int64_t i = draft.between(1, 3); i > 0; --i) {
      shifts.push_back(draft.between(-3, 9));
      dims.push_back(draft.dim(rank).written);
    }
    call.add(shifts);
    call.add(dims);
  }
};

const Register<Operator, Rearrange> registered;

}  // namespace
}  // namespace jp::seedgen::rearrange_operators
