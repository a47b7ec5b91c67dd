// Elementwise operators of three tensors of one dtype, new and in place.
// Literal chances here were chosen, not measured.
#include <cmath>
#include <initializer_list>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::ternary_operators {
namespace {

constexpr std::string_view kNames[] = {"addcmul", "addcdiv", "lerp", "addcmul_", "addcdiv_", "lerp_"};
constexpr double kLeastDivisor = 0.0625;

// Of complex numbers with parts in these intervals; a weight's are from 0 to 1.
Interval combine_complex(std::size_t member, Interval x, Interval y, Interval z) {
  const auto most = [](Interval parts) { return 1.4142135623730951 * largest(parts); };
  switch (member) {
    case 0:
      return x + complex_product(y, z);
    case 1:
      return x + disc(most(y) / z.low);
    default:
      return x + disc(1.5 * (most(x) + most(y)));
  }
}

Interval combine(std::size_t member, Dtype dtype, Interval x, Interval y, Interval z) {
  if (is_complex(dtype)) return combine_complex(member, x, y, z);
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
constexpr std::string_view kWritten[] = {"$0.#($1, $2)"};
constexpr std::string_view kValue[] = {"torch.#($0, $1, $2, value=$3)", "$0.#($1, $2, value=$3)"};
constexpr std::string_view kWrittenValue[] = {"$0.#($1, $2, value=$3)"};

class Ternary final : public Operator {
 public:
  std::string_view name() const override { return "ternary"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    const bool writes = member > 2;
    const std::size_t kind = member % 3;
    Want first{.dtypes = kind == 0 ? kNumbers | kComplex : kFloats | kComplex, .written = writes};
    // Leaves room for the others at their neutral values: 0, or 1 for what divides or weighs. The bounds of complex
    // weights exceed the operand's own.
    const double neutral = kind == 0 ? 0 : 1;
    first.fits = [=](const Value& v) { return fits(kind, v, {0, 0}, {neutral, neutral}); };
    first.paired = true;
    Value x = draft.input(first);
    Want second = want_beside(draft, x, x.shape, writes);
    second.fits = [&](const Value& y) { return fits(kind, x, y.interval, {neutral, neutral}); };
    Value y = draft.input(second);
    Call call{.op = kNames[member], .forms = writes ? Forms(kWritten) : Forms(kForms)};
    call.add(Ref{x.id});
    call.add(Ref{y.id});
    if (kind == 2 && draft.choices().chance(1, 3)) {
      call.add(static_cast<double>(draft.between(0, 4)) / 4);
      return record(draft, std::move(call), x, rounded(hull(x.interval, y.interval), x.dtype, 4), {&x, &y});
    }
    Want third = want_beside(draft, x, writes ? x.shape : *broadcast(x.shape, y.shape), writes);
    third.neutral = neutral;
    if (kind == 1) third.within = {kLeastDivisor, 1e9};
    if (kind == 2) third.within = {0, 1};
    third.fits = [&](const Value& z) { return fits(kind, x, y.interval, z.interval); };
    Value z = draft.input(third);
    call.add(Ref{z.id});
    Interval scaled_y = y.interval;
    if (kind < 2 && draft.choices().chance(1, 3)) {
      const double value = draw_value(draft, kind, x, y.interval, z.interval);
      call.add(python_number(x.dtype, value));
      call.forms = writes ? Forms(kWrittenValue) : Forms(kValue);
      scaled_y = scaled(y.interval, value);
    }
    record(draft, std::move(call), x, rounded(combine(kind, x.dtype, x.interval, scaled_y, z.interval), x.dtype, 4),
           {&x, &y, &z});
  }

 private:
  static Want want_beside(Draft& draft, const Value& x, const Shape& shape, bool writes) {
    Want want{.dtypes = {x.dtype}, .shape = writes ? ShapeWant::into(shape) : ShapeWant::broadcasting(shape)};
    if (writes) draft.beside(want, x);
    return want;
  }

  // A factor of the second operand, with which the result stays in range as it does without.
  static double draw_value(Draft& draft, std::size_t kind, const Value& x, Interval y, Interval z) {
    std::vector<double> possible = {1};
    for (double value : {2.0, -1.0, 3.0, 0.5}) {
      const bool whole = value > 0 && value == std::floor(value);
      if (is_integral(x.dtype) && !whole && (value != -1 || x.dtype == Dtype::kUInt8)) continue;
      if (fits(kind, x, scaled(y, value), z)) possible.push_back(value);
    }
    return draft.choices().pick(possible);
  }

  static void record(Draft& draft, Call call, const Value& x, Interval image,
                     std::initializer_list<const Value*> operands) {
    const Traits traits = {.exactness = Exactness::kLoose};
    if (call.op.ends_with('_')) return draft.record_write(std::move(call), x, image, traits);
    record_or_out(draft, std::move(call), elementwise(x.dtype, image, operands), traits);
  }

  // The product or quotient alone stays in range too.
  static bool fits(std::size_t kind, const Value& x, Interval y, Interval z) {
    if (kind == 1 && z.low < kLeastDivisor) return false;
    if (kind < 2 && !inside(rounded(combine(kind, x.dtype, {0, 0}, y, z), x.dtype, 4), range_of(x.dtype))) return false;
    return inside(rounded(combine(kind, x.dtype, x.interval, y, z), x.dtype, 4), range_of(x.dtype));
  }
};

const Register<Operator, Ternary> registered;

}  // namespace
}  // namespace jp::seedgen::ternary_operators
