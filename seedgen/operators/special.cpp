// Special functions of one variable. Domains keep clear of poles, and of arguments whose gradient is the difference of
// nearly equal numbers. Bounds are from the Digital Library of Mathematical Functions (dlmf.nist.gov).
// Literal chances here were chosen, not measured.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/unary.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::special_operators {
namespace {

constexpr double kLeast = 0.0625;
constexpr double kDegree = 0.017453292519943295;

// log gamma falls to -0.1215 at 1.4616 and rises from there.
Interval lgamma_image(Interval x) {
  auto at = [](double y) { return y < 1 ? -std::log(y) : y * std::log(y + 1); };
  return {-0.125, std::max(at(x.low), at(x.high)) + 0.125};
}
// log(x) - 1/x < digamma(x) < log(x).
Interval digamma_image(Interval x) { return {std::log(x.low) - 1 / x.low, std::log(x.high)}; }
double deg2rad_of(double x) { return x * kDegree; }
double rad2deg_of(double x) { return x / kDegree; }
// 0 to 1 from 0 on; 2 exp(x^2) - erfcx(-x) below.
Interval erfcx_image(Interval x) { return {0, x.low < 0 ? 2 * std::exp(x.low * x.low) : 1}; }
// For large x it is a small negative number, which the logarithm of a number near 1 has lost.
double log_ndtr_of(double x) {
  const double far = 0.5 * std::erfc(std::abs(x) * 0.7071067811865476);
  return x < 0 ? std::log(far) : std::log1p(-far);
}
// -x log(x) is at most 1/e.
Interval entr_image(Interval x) { return {std::min(0.0, -x.high * std::log(x.high)) - 0.2, 0.37}; }
double logit_of(double x) { return std::log(x / (1 - x)); }
Interval i0_image(Interval x) { return {1, std::cosh(largest(x))}; }
Interval i1_image(Interval x) {
  double most = std::cosh(largest(x));
  return {x.low < 0 ? -most : 0, x.high > 0 ? most : 0};
}
Interval unit(Interval) { return {0, 1}; }
Interval wave(Interval) { return {-1, 1}; }
Interval complex_sinc(Interval x) { return disc(std::cosh(3.15 * largest(x)) / (3.14 * x.low)); }
Interval three(Interval) { return {-3, 3}; }
Interval quarter(Interval) { return {-0.25, 0.25}; }
// The functions of the second kind and the decaying ones, from 0.25 on.
Interval up_to_five(Interval) { return {0, 5}; }
Interval decays(Interval) { return {-3, 1}; }
Interval bounded(Interval) { return {-2, 2}; }

struct Row : UnaryRule {
  bool method;
  bool in_place;
};

constexpr DtypeSet kWide = kIntegers | kBools | DtypeSet{Dtype::kFloat32, Dtype::kFloat64};

constexpr UnaryRule rough(std::string_view name, Interval (*image)(Interval), Interval domain) {
  return without_gradients({name, image, domain, kWide});
}

const Row kRows[] = {
    {{"lgamma", lgamma_image, {kLeast, 1000}}, true, true},
    {{"digamma", digamma_image, {0.125, 1000}}, true, true},
    {{"erfinv", bounded, {-0.9375, 0.9375}}, true, true},
    {with_complex({"sinc", wave, {0.25, 20}}, complex_sinc, {0.25, 1}), true, true},
    {{"i0", i0_image, {-9, 9}}, true, true},
    {{"logit", rising<logit_of>, {kLeast, 0.9375}}, true, true},
    {{"deg2rad", rising<deg2rad_of>}, true, true},
    {{"rad2deg", rising<rad2deg_of>}, true, true},
    {{"erfcx", erfcx_image, {-2, 1e9}, kWide}, false, false},
    {{"ndtr", unit}, false, false},
    {{"log_ndtr", rising<log_ndtr_of>, {-6, 100}, kWide}, false, false},
    {{"entr", entr_image, {kLeast, 1000}}, false, false},
    {{"i0e", unit, {-100, 100}}, false, false},
    {{"i1", i1_image, {-9, 9}, kWide}, false, false},
    {{"i1e", quarter, {-100, 100}, kWide}, false, false},
    {rough("bessel_j0", wave, {-30, 30}), false, false},
    {rough("bessel_j1", wave, {-30, 30}), false, false},
    {rough("bessel_y0", decays, {0.25, 30}), false, false},
    {rough("bessel_y1", decays, {0.25, 30}), false, false},
    {rough("modified_bessel_i0", i0_image, {-9, 9}), false, false},
    {rough("modified_bessel_i1", i1_image, {-9, 9}), false, false},
    {rough("modified_bessel_k0", up_to_five, {0.25, 30}), false, false},
    {rough("modified_bessel_k1", up_to_five, {0.25, 30}), false, false},
    {rough("scaled_modified_bessel_k0", up_to_five, {0.25, 100}), false, false},
    {rough("scaled_modified_bessel_k1", up_to_five, {0.25, 100}), false, false},
    {rough("spherical_bessel_j0", wave, {0.25, 30}), false, false},
    {rough("airy_ai", three, {-5, 5}), false, false},
};

// Torch has their derivatives for wider floats only.
constexpr DtypeSet kHalf = {Dtype::kFloat16, Dtype::kBFloat16};
const UnaryRule kHalves[] = {without_gradients({"i1", i1_image, {-9, 9}, kHalf}),
                             without_gradients({"i1e", quarter, {-100, 100}, kHalf})};

constexpr std::string_view kBoth[] = {"torch.#($0)", "torch.special.#($0)", "$0.#()"};
constexpr std::string_view kPlain[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kSpecial[] = {"torch.special.#($0)"};
constexpr std::string_view kInPlace[] = {"$0.#()"};
constexpr std::string_view kLogit[] = {"torch.logit($0, eps=$1)", "torch.logit($0, $1)", "$0.logit($1)",
                                       "torch.special.logit($0, eps=$1)"};
constexpr std::string_view kLogitInPlace[] = {"$0.logit_($1)", "$0.logit_(eps=$1)"};
constexpr std::string_view kPolygamma[] = {"torch.polygamma($1, $0)", "$0.polygamma($1)",
                                           "torch.special.polygamma($1, $0)"};
constexpr std::string_view kMulti[] = {"torch.special.multigammaln($0, $1)", "torch.mvlgamma($0, $1)",
                                       "$0.mvlgamma($1)"};

Forms forms_of(const Row& row) {
  if (!row.method) return kSpecial;
  bool elsewhere = row.name == "lgamma" || row.name == "deg2rad" || row.name == "rad2deg";
  return elsewhere ? Forms(kPlain) : Forms(kBoth);
}

const std::vector<UnaryRule>& rules_in_place() {
  static const std::vector<UnaryRule> rules = [] {
    std::vector<UnaryRule> some;
    for (const Row& row : kRows)
      if (row.in_place) some.push_back(row);
    return in_place(std::move(some));
  }();
  return rules;
}

class Special final : public Operator {
 public:
  std::string_view name() const override { return "special"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = names_of(kRows);
    for (const UnaryRule& rule : rules_in_place()) names.push_back(rule.name);
    names.insert(names.end(), {"logit_eps", "polygamma", "multigammaln"});
    return names;
  }

  void draw(Draft& draft, std::size_t member) const override {
    if (member < std::size(kRows) && draft.choices().chance(1, 8))
      for (const UnaryRule& half : kHalves)
        if (half.name == kRows[member].name) return draw_unary(draft, half, kSpecial);
    if (member < std::size(kRows)) return draw_unary(draft, kRows[member], forms_of(kRows[member]));
    member -= std::size(kRows);
    if (member < rules_in_place().size() && rules_in_place()[member].name == "logit_" && draft.choices().chance(1, 4))
      return draw_logit_in_place(draft);
    if (member < rules_in_place().size()) return draw_unary_in_place(draft, rules_in_place()[member], kInPlace);
    switch (member - rules_in_place().size()) {
      case 0:
        return draw_logit(draft);
      case 1:
        return draw_polygamma(draft);
      default:
        return draw_multigammaln(draft);
    }
  }

 private:
  // With `eps` any number is moved into the domain.
  static void draw_logit(Draft& draft) {
    double eps = static_cast<double>(draft.between(1, 8)) / 64;
    Want want;
    want.preferred = [eps](const Value& value) { return overlap(value.interval, {eps, 1 - eps}); };
    Value x = draft.input(want);
    Dtype dtype = to_floating(x.dtype);
    Interval clamped = clip(x.interval, {eps, 1 - eps});
    record(draft, {.op = "logit_eps", .forms = kLogit, .arguments = {Ref{x.id}, eps}}, x,
           rounded({logit_of(clamped.low), logit_of(clamped.high)}, dtype, 8));
  }

  static void draw_logit_in_place(Draft& draft) {
    const double eps = static_cast<double>(draft.between(1, 8)) / 64;
    Want want{.dtypes = kFloats, .written = true};
    want.preferred = [eps](const Value& value) { return overlap(value.interval, {eps, 1 - eps}); };
    Value x = draft.input(want);
    const Interval clamped = clip(x.interval, {eps, 1 - eps});
    draft.record_write({.op = "logit_", .forms = kLogitInPlace, .arguments = {Ref{x.id}, eps}}, x,
                       rounded({logit_of(clamped.low), logit_of(clamped.high)}, x.dtype, 8),
                       {.exactness = Exactness::kLoose});
  }

  // |polygamma(n, x)| <= n! (1 / x^(n + 1) + 1 / (n x^n)) for n >= 1, of the sign of (-1)^(n + 1).
  static void draw_polygamma(Draft& draft) {
    std::int64_t n = draft.between(0, 3);
    Value x = draft.input({.within = {0.5, 100}});
    Interval image = digamma_image(x.interval);
    if (n > 0) {
      double most = std::tgamma(static_cast<double>(n) + 1) *
                    (std::pow(x.interval.low, -n - 1) + std::pow(x.interval.low, -n) / static_cast<double>(n));
      image = n % 2 == 1 ? Interval{0, most} : Interval{-most, 0};
    }
    record(draft, {.op = "polygamma", .forms = kPolygamma, .arguments = {Ref{x.id}, n}}, x,
           rounded(image, to_floating(x.dtype), 8));
  }

  // p (p - 1) / 4 log(pi) and p values of log gamma between 1 and x.
  static void draw_multigammaln(Draft& draft) {
    std::int64_t p = draft.between(1, 3);
    Value x = draft.input({.dtypes = kNumbers, .within = {2, 100}, .neutral = 2});
    auto terms = static_cast<double>(p);
    Interval each = {-0.125, lgamma_image(x.interval).high};
    double more = terms * (terms - 1) / 4 * 1.1447298858494002;
    record(draft, {.op = "multigammaln", .forms = kMulti, .arguments = {Ref{x.id}, p}}, x,
           rounded(scaled(each, terms) + Interval{more, more}, to_floating(x.dtype), 8), false);
  }

  static void record(Draft& draft, Call call, const Value& x, Interval image, bool keeps_strides = true) {
    Value result = elementwise(to_floating(x.dtype), image, {&x});
    result.strides_known = result.strides_known && keeps_strides;
    record_or_out(draft, std::move(call), result, {.exactness = Exactness::kLoose});
  }
};

const Register<Operator, Special> registered;

}  // namespace
}  // namespace jp::seedgen::special_operators
