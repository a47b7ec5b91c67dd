// Elementwise operators of three tensors of one dtype.
#include "seedgen/operator.h"
#include "seedgen/writes.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"addcmul", "addcdiv", "lerp"};
constexpr double kLeastDivisor = 0.0625;

Interval combine(std::size_t member, Interval x, Interval y, Interval z) {
  switch (member) {
    case 0:
      return x + y * z;
    case 1:
      return x + quotient(y, z);
    default:
      return hull(x, y);  // weights from 0 to 1
  }
}

constexpr std::string_view kForms[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)"};

class Ternary final : public Operator {
 public:
  std::string_view name() const override { return "ternary"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    DtypeSet dtypes = member == 0 ? kNumbers : kFloats;
    Value x = draft.input({.dtypes = dtypes, .fits = [](const Value& v) {
                             return in_range(v.dtype, v.interval, {0, 0});
                           }});
    DtypeSet same = {x.dtype};
    Want second{.dtypes = same, .shape = ShapeWant::broadcasting(x.shape)};
    // Room for the third operand at its neutral: 0, or 1 where it divides or weighs.
    double neutral = member == 0 ? 0 : 1;
    second.fits = [&](const Value& y) { return fits(member, x, y.interval, {neutral, neutral}); };
    Value y = draft.input(second);
    Shape shape = *broadcast(x.shape, y.shape);
    Want third{.dtypes = same, .shape = ShapeWant::broadcasting(shape), .neutral = neutral};
    if (member == 1) third.within = {kLeastDivisor, 1e9};
    if (member == 2) third.within = {0, 1};
    third.fits = [&](const Value& z) { return fits(member, x, y.interval, z.interval); };
    Value z = draft.input(third);
    Interval image = rounded(combine(member, x.interval, y.interval, z.interval), x.dtype, 4);
    record_or_out(draft, {.op = kNames[member], .forms = kForms, .arguments = {Ref{x.id}, Ref{y.id}, Ref{z.id}}},
                  elementwise(x.dtype, image, {&x, &y, &z}), {.exactness = Exactness::kLoose});
  }

 private:
  static bool in_range(Dtype dtype, Interval x, Interval more) {
    return inside(rounded(x + more, dtype, 4), range_of(dtype));
  }
  static bool fits(std::size_t member, const Value& x, Interval y, Interval z) {
    if (member == 1 && z.low < kLeastDivisor) return false;
    return inside(rounded(combine(member, x.interval, y, z), x.dtype, 4), range_of(x.dtype));
  }
};

const Register<Operator, Ternary> registered;

}  // namespace
}  // namespace jp::seedgen
