// Cumulative sums and products along one dimension, and softmax-like operators, whose results depend on it too.
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

const Row kRows[] = {
    {"cumsum", kAnyDtype, sums, true, "", kEverything, sums},
    {"cumprod", kAnyDtype, products, true, "", kEverything, complex_products},
    {"logcumsumexp", kFloats, log_sums, false, "", {-50, 50}},
    {"softmax", kFloats, shares, false, "torch.nn.functional.softmax($0, dim=$1)", {-200, 200}},
    {"log_softmax", kFloats, log_shares, false, "torch.nn.functional.log_softmax($0, dim=$1)", {-200, 200}},
    {"softmin", kFloats, shares, false, "torch.nn.functional.softmin($0, dim=$1)", {-200, 200}},
};

constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)", "torch.#($0, dim=$1)", "$0.#(dim=$1)"};

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
      return inside(image_of(row, value, longest), range_of(result_of(row, value.dtype)));
    };
    Value x = draft.input(want);
    Dim dim = draw_long_dim(draft, x.shape);
    Value result = fresh_unknown(result_of(row, x.dtype), x.shape, image_of(row, x, x.shape[dim.at]));
    Forms forms = row.name == "softmin" ? Forms() : Forms(kForms);
    record_or_out(draft, {.op = row.name, .forms = forms, .infix = row.function, .arguments = {Ref{x.id}, dim.written}},
                  result, {.exactness = Exactness::kLoose});
  }

 private:
  static Dtype result_of(const Row& row, Dtype dtype) {
    return row.widens && is_integral(dtype) ? Dtype::kInt64 : dtype;
  }
  static Interval image_of(const Row& row, const Value& value, std::int64_t n) {
    auto terms = static_cast<double>(n);
    auto image = is_complex(value.dtype) ? row.complex_image : row.image;
    return rounded(image(value.interval, terms), result_of(row, value.dtype), terms);
  }
};

const Register<Operator, Scan> registered;

}  // namespace
}  // namespace jp::seedgen::scan_operators
