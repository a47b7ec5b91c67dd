// Cumulative sums and products along one dimension, and softmax-like operators, whose results depend on it too.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::scan_operators {
namespace {

struct Row {
  std::string_view name;
  DtypeSet dtypes;
  /// Along a dimension of `n` elements.
  Interval (*image)(Interval x, double n);
  bool widens;  // integers become int64
  std::string_view function;
  Interval domain = kEverything;
  /// For complex elements; nullptr: not supported.
  Interval (*complex_image)(Interval x, double n) = nullptr;
  /// Has `dtype=`; whether integers need it, because there are results of floats only.
  enum class Casts : std::uint8_t { kNo, kAny, kToFloats } casts = Casts::kNo;
};

Interval sums(Interval x, double n) { return hull(x, sum_of(x, std::max(n, 1.0))); }
Interval products(Interval x, double n) {
  double most = std::pow(std::max(largest(x), 1.0), n);
  return x.low >= 0 ? Interval{0, most} : Interval{-most, most};
}
Interval complex_products(Interval x, double n) {
  return disc(std::pow(std::max(1.4142135623730951 * largest(x), 1.0), n));
}
Interval log_sums(Interval x, double n) { return {x.low, x.high + std::log(std::max(n, 1.0))}; }
Interval shares(Interval, double) { return {0, 1}; }
Interval log_shares(Interval x, double n) { return {x.low - x.high - std::log(std::max(n, 1.0)), 0}; }

constexpr std::string_view kSoftmax = "torch.nn.functional.softmax($0, dim=$1)";
constexpr std::string_view kLogSoftmax = "torch.nn.functional.log_softmax($0, dim=$1)";
constexpr std::string_view kSoftmin = "torch.nn.functional.softmin($0, dim=$1)";

const Row kRows[] = {
    {"cumsum", kAnyDtype, sums, true, "", kEverything, sums, Row::Casts::kAny},
    {"cumprod", kAnyDtype, products, true, "", kEverything, complex_products, Row::Casts::kAny},
    {"logcumsumexp", kFloats, log_sums, false, "", {-50, 50}},
    {"softmax", kAnyDtype, shares, false, kSoftmax, {-200, 200}, nullptr, Row::Casts::kToFloats},
    {"log_softmax", kAnyDtype, log_shares, false, kLogSoftmax, {-200, 200}, nullptr, Row::Casts::kToFloats},
    {"softmin", kNumbers, shares, false, kSoftmin, {-200, 200}, nullptr, Row::Casts::kToFloats},
};

constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)", "torch.#($0, dim=$1)", "$0.#(dim=$1)"};
constexpr std::string_view kCastForms[] = {"torch.#($0, $1, dtype=$2)", "$0.#($1, dtype=$2)",
                                           "torch.#($0, dim=$1, dtype=$2)", "$0.#(dim=$1, dtype=$2)"};
constexpr std::string_view kCastSoftmin[] = {"torch.nn.functional.softmin($0, dim=$1, dtype=$2)"};
constexpr std::string_view kCastFunctional[] = {"torch.nn.functional.#($0, dim=$1, dtype=$2)"};
constexpr Dtype kTargets[] = {Dtype::kFloat32, Dtype::kFloat64, Dtype::kFloat16,   Dtype::kBFloat16,  Dtype::kInt64,
                              Dtype::kInt32,   Dtype::kInt16,   Dtype::kComplex64, Dtype::kComplex128};

class Scan final : public Operator {
 public:
  std::string_view name() const override { return "scan"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Want want{.dtypes = row.complex_image ? row.dtypes | kComplex : row.dtypes,
              .shape = ShapeWant::any(1),
              .within = row.domain};
    want.fits = [&row](const Value& value) {
      std::int64_t longest = *std::max_element(value.shape.begin(), value.shape.end());
      const Dtype result = needs_cast(row, value.dtype) ? Dtype::kFloat32 : result_of(row, value.dtype);
      return inside(image_of(row, value, result, longest), range_of(result));
    };
    Value x = draft.input(want);
    Dim dim = draw_long_dim(draft, x.shape);
    const bool casts = needs_cast(row, x.dtype) || (row.casts != Row::Casts::kNo && draft.choices().chance(1, 4));
    const Dtype dtype = casts ? draw_target(draft, row, x, x.shape[dim.at]) : result_of(row, x.dtype);
    Call call{.op = row.name, .infix = row.function, .arguments = {Ref{x.id}, dim.written}};
    if (row.name != "softmin") call.forms = kForms;
    if (casts) {
      const bool functional = row.casts == Row::Casts::kToFloats && draft.flip();
      call.infix = "";
      call.forms = row.name == "softmin" ? Forms(kCastSoftmin)
                   : functional          ? Forms(kCastFunctional)
                                         : Forms(kCastForms);
      call.add(dtype);
    }
    record_or_out(draft, std::move(call), fresh_unknown(dtype, x.shape, image_of(row, x, dtype, x.shape[dim.at])),
                  {.exactness = Exactness::kLoose});
  }

 private:
  static bool needs_cast(const Row& row, Dtype dtype) {
    return row.casts == Row::Casts::kToFloats && is_integral(dtype);
  }
  static Dtype result_of(const Row& row, Dtype dtype) {
    return row.widens && is_integral(dtype) ? Dtype::kInt64 : dtype;
  }
  static Interval image_of(const Row& row, const Value& value, Dtype result, std::int64_t n) {
    auto terms = static_cast<double>(n);
    Interval x = value.interval;
    if (is_complex(result) && !is_complex(value.dtype)) x = hull(x, {0, 0});
    auto image = is_complex(result) ? row.complex_image : row.image;
    return rounded(image(x, terms), result, terms);
  }

  // Elements are cast first, and must survive that: floats to floats, and anything to complex numbers but real ones
  // with gradients, which never flow back from there.
  static Dtype draw_target(Draft& draft, const Row& row, const Value& x, std::int64_t n) {
    std::vector<Dtype> fitting;
    for (Dtype target : kTargets) {
      if (is_integral(target) && (row.casts == Row::Casts::kToFloats || !is_integral(x.dtype))) continue;
      if (is_complex(target) && (row.complex_image == nullptr || (x.requires_grad && !is_complex(x.dtype)))) continue;
      if (is_complex(x.dtype) && !is_complex(target)) continue;
      if (!inside(x.interval, range_of(target))) continue;
      if (inside(image_of(row, x, target, n), range_of(target))) fitting.push_back(target);
    }
    JP_CHECK(!fitting.empty(), "{} of {} fits no dtype", row.name, dtype_name(x.dtype));
    return draft.choices().pick(fitting);
  }
};

const Register<Operator, Scan> registered;

}  // namespace
}  // namespace jp::seedgen::scan_operators
