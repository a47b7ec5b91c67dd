// Casts. A float is cast to an integer or bool only if it is exact and in range; a cast to its own dtype returns the
// input itself.
#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/operator.h"

namespace jp::seedgen::cast_operators {
namespace {

struct Row {
  std::string_view name;
  std::optional<Dtype> target;  // none: drawn
};

constexpr Row kRows[] = {{"to", std::nullopt},           {"float", Dtype::kFloat32},     {"double", Dtype::kFloat64},
                         {"half", Dtype::kFloat16},      {"bfloat16", Dtype::kBFloat16}, {"long", Dtype::kInt64},
                         {"int", Dtype::kInt32},         {"short", Dtype::kInt16},       {"char", Dtype::kInt8},
                         {"byte", Dtype::kUInt8},        {"bool", Dtype::kBool},         {"cfloat", Dtype::kComplex64},
                         {"cdouble", Dtype::kComplex128}};

constexpr std::array<Dtype, 12> kTargets = {Dtype::kFloat32, Dtype::kFloat64, Dtype::kFloat16,   Dtype::kBFloat16,
                                            Dtype::kInt64,   Dtype::kInt32,   Dtype::kInt16,     Dtype::kInt8,
                                            Dtype::kUInt8,   Dtype::kBool,    Dtype::kComplex64, Dtype::kComplex128};

constexpr std::string_view kTo[] = {"$0.to($1)", "$0.to(dtype=$1)", "$0.type($1)"};
constexpr std::string_view kToCopied[] = {"$0.to($1, copy=True)", "$0.to(dtype=$1, copy=True)"};
constexpr std::string_view kToOther[] = {"$0.to(torch.zeros((), dtype=$1))"};
constexpr std::string_view kMethod[] = {"$0.#()"};

class Cast final : public Operator {
 public:
  std::string_view name() const override { return "cast"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Dtype target = row.target ? *row.target : kTargets[draft.choices().below(kTargets.size())];
    bool to_bool = target == Dtype::kBool;
    // The imaginary part is never dropped by a cast.
    Want want{.dtypes = is_complex(target) ? kEveryDtype : kAnyDtype};
    if (!to_bool) want.within = range_of(target);
    want.fits = [&](const Value& value) {
      if (value.dtype == target) return true;
      if (has_gradients(target)) return inside(rounded(value.interval, target), range_of(target));
      return value.exact || is_integral(value.dtype);
    };
    // Few floats are 0, and most have only few different whole parts.
    want.preferred = [&](const Value& value) {
      if (to_bool) return value.dtype == Dtype::kBool || some_zeros(value);
      return !is_integral(target) || is_integral(value.dtype) || takes_steps(value);
    };
    want.discontinuous = true;
    Value x = draft.input(want);
    Interval image = to_bool ? Interval{0, 1} : x.interval;
    if (is_integral(target) && !to_bool) image = {std::trunc(x.interval.low), std::trunc(x.interval.high)};
    if (is_complex(target) && !is_complex(x.dtype)) image = hull(image, {0, 0});
    if (has_gradients(target) && x.dtype != target) image = rounded(image, target);
    Value result = elementwise(target, image, {&x});
    result.whole = !has_fractions(x);
    if (x.dtype == target) result = view_of(x, x.shape, x.strides);
    Call call{.op = row.name, .forms = kMethod, .arguments = {Ref{x.id}}};
    if (!row.target) {
      const std::uint64_t kind = draft.choices().below(8);
      call.forms = kind == 0 ? Forms(kToCopied) : kind == 1 ? Forms(kToOther) : Forms(kTo);
      call.add(target);
      if (kind == 0) result = elementwise(target, image, {&x});
    }
    draft.record(std::move(call), result, {.exactness = Exactness::kRounded, .saves = Saves::kNothing});
  }
};

const Register<Operator, Cast> registered;

}  // namespace
}  // namespace jp::seedgen::cast_operators
