// Variances and standard deviations, alone or together with their means.
#include <fmt/format.h>

#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::moments_operators {
namespace {

constexpr std::string_view kNames[] = {"var", "std", "var_mean", "std_mean"};
constexpr std::string_view kFunction[] = {"torch.#($0)"};
constexpr std::string_view kFunctionSome[] = {"torch.#($0, $1)"};

// What is subtracted from the number of elements in the divisor.
struct Correction {
  std::string text;
  double number = 1;
};

Correction draw_correction(Draft& draft) {
  switch (draft.choices().below(5)) {
    case 0:
      return {"correction=0", 0};
    case 1:
      return {"correction=0.5", 0.5};
    case 2:
      return {"unbiased=False", 0};
    case 3:
      return {"correction=1", 1};
    default:
      return {"", 1};
  }
}

class Moments final : public Operator {
 public:
  std::string_view name() const override { return "moments"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    bool roots = member % 2 == 1;
    bool means = member >= 2;
    Want want{.dtypes = kFloats | kComplex, .shape = ShapeWant::any(1, kMaxRank, 2)};
    want.fits = [roots](const Value& value) {
      Dtype dtype = real_dtype(value.dtype);
      return inside(spread(value, roots, 1, 2), range_of(dtype)) &&
             inside(rounded(value.interval, dtype, terms_of(value)), range_of(dtype));
    };
    Value x = draft.input(want);
    Correction correction = draw_correction(draft);
    bool biased = correction.text.starts_with("unbiased");
    OverDims reduction = draw_over_dims(draft, x.shape, {.takes_none = !biased, .named_keep = true});
    const bool dimless = reduction.text.empty();
    if (!correction.text.empty()) reduction.add(correction.text);
    auto n = static_cast<double>(reduction.count);
    std::vector<Value> results = {
        fresh_unknown(real_dtype(x.dtype), reduction.shape, spread(x, roots, correction.number, n))};
    if (means) results.push_back(fresh_unknown(x.dtype, reduction.shape, rounded(x.interval, x.dtype, n)));
    Call call{.op = kNames[member], .forms = over_forms(reduction), .arguments = {Ref{x.id}}};
    if (means) call.forms = reduction.text.empty() ? Forms(kFunction) : Forms(kFunctionSome);
    if (!reduction.text.empty()) call.add(reduction.text);
    const Traits traits = {.exactness = Exactness::kLoose};
    // `out=` requires dimensions.
    if (means || dimless) return draft.record(std::move(call), std::move(results), traits);
    record_or_out(draft, std::move(call), results[0], traits);
  }

 private:
  static double terms_of(const Value& x) { return static_cast<double>(element_count(x.shape)); }

  // The squared deviations of n numbers in an interval sum to at most n (high - low)^2 / 4; for complex ones, to as
  // much for each part. The quotient is largest for the smallest n, which is 2.
  static Interval spread(const Value& x, bool roots, double correction, double n) {
    double width = x.interval.high - x.interval.low;
    double most = width * width / 4 * n / (n - correction) * (is_complex(x.dtype) ? 2 : 1);
    return rounded({0, roots ? std::sqrt(most) : most}, real_dtype(x.dtype), terms_of(x));
  }
};

const Register<Operator, Moments> registered;

}  // namespace
}  // namespace jp::seedgen::moments_operators
