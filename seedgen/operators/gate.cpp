// Gates and slopes with a dimension or a tensor as parameter.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::gate_operators {
namespace {

constexpr std::string_view kNames[] = {"glu", "prelu"};

class Gate final : public Operator {
 public:
  std::string_view name() const override { return "gate"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override { member == 0 ? draw_halves(draft) : draw_slopes(draft); }

 private:
  // One half of a dimension times the sigmoid of the other.
  static void draw_halves(Draft& draft) {
    Shape pattern = Ints::filled(static_cast<int>(draft.between(1, kMaxRank)), -1);
    Dim dim = draft.dim(pattern.size());
    pattern[dim.at] = 2 * draft.between(1, 5);
    Value x = draft.input({.dtypes = kFloats, .shape = ShapeWant::pattern(pattern)});
    Shape shape = x.shape;
    shape[dim.at] /= 2;
    CallWriter writer(kNames[0]);
    writer.give("input", x).give_if(dim.written != -1 || draft.flip(), "dim", dim.written);
    draft.record(writer.finish(), fresh_unknown(x.dtype, shape, rounded(hull(x.interval, {0, 0}), x.dtype, 4)),
                 {.exactness = Exactness::kLoose});
  }

  // A slope for all, or for each channel (the second dimension).
  static void draw_slopes(Draft& draft) {
    Value x = draft.input({.dtypes = kFloats, .shape = ShapeWant::any(1, kMaxRank, 1)});
    bool channels = x.shape.size() > 1 && draft.flip();
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly({channels ? x.shape[1] : 1})};
    want.fits = [&](const Value& slope) { return inside(sloped(x, slope), range_of(x.dtype)); };
    Value slope = draft.input(want);
    CallWriter writer(kNames[1], draft.flip() ? "torch.#" : "torch.nn.functional.#");
    writer.give("input", x).give("weight", slope);
    draft.record(writer.finish(), fresh_unknown(x.dtype, x.shape, sloped(x, slope)),
                 {.exactness = Exactness::kRounded});
  }

  static Interval sloped(const Value& x, const Value& slope) {
    if (x.interval.low >= 0) return x.interval;
    Interval below = {x.interval.low, std::min(x.interval.high, 0.0)};
    Interval image = rounded(below * slope.interval, x.dtype, 2);
    return x.interval.high > 0 ? hull(image, {0, x.interval.high}) : image;
  }
};

const Register<Operator, Gate> registered;

}  // namespace
}  // namespace jp::seedgen::gate_operators
