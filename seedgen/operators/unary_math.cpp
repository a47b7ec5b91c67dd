// Functions of real numbers: integers become float32. Domains keep clear of poles and of arguments so large that one
// rounding decides the result.
#include <algorithm>

#include "core/operators.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/unary.h"

namespace jp::seedgen::unary_math_operators {
namespace {

constexpr double kLeast = 0.0625;

double exp_of(double x) { return std::exp(x); }
double exp2_of(double x) { return std::exp2(x); }
double expm1_of(double x) { return std::expm1(x); }
double log_of(double x) { return std::log(x); }
double log2_of(double x) { return std::log2(x); }
double log10_of(double x) { return std::log10(x); }
double log1p_of(double x) { return std::log1p(x); }
double sqrt_of(double x) { return std::sqrt(x); }
double rsqrt_of(double x) { return 1 / std::sqrt(x); }
double tan_of(double x) { return std::tan(x); }
double tanh_of(double x) { return std::tanh(x); }
double sinh_of(double x) { return std::sinh(x); }
double asin_of(double x) { return std::asin(x); }
double acos_of(double x) { return std::acos(x); }
double atan_of(double x) { return std::atan(x); }
double asinh_of(double x) { return std::asinh(x); }
double atanh_of(double x) { return std::atanh(x); }
double acosh_of(double x) { return std::acosh(x); }
double erfc_of(double x) { return std::erfc(x); }
double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double cosh_of(double x) { return std::cosh(x); }
Interval cosh_image(Interval x) { return rising<cosh_of>(magnitude(x)); }
Interval reciprocal_image(Interval x) { return quotient({1, 1}, x); }

// For complex numbers with both parts in x. Domains stay on one side of every branch cut.
double outermost(Interval x) { return 1.4142135623730951 * largest(x); }
Interval complex_exp(Interval x) { return disc(std::exp(x.high)); }
Interval complex_exp2(Interval x) { return disc(std::exp2(x.high)); }
Interval complex_expm1(Interval x) { return disc(std::exp(x.high) + 1); }
Interval complex_log(Interval x) { return {std::min(std::log(x.low), 0.0), std::log(outermost(x)) + 3}; }
Interval complex_log2(Interval x) { return {std::min(std::log2(x.low), 0.0), std::log2(outermost(x) + 1) + 3}; }
Interval complex_log1p(Interval x) { return {0, std::log(outermost(x) + 1) + 3}; }
Interval complex_root(Interval x) { return {0, std::sqrt(outermost(x))}; }
Interval complex_rsqrt(Interval x) { return disc(1 / std::sqrt(x.low)); }
Interval complex_reciprocal(Interval x) { return disc(1 / x.low); }
Interval complex_wave(Interval x) { return disc(std::cosh(largest(x))); }
Interval complex_tangent(Interval) { return disc(8); }
Interval complex_arc(Interval) { return disc(4); }
Interval complex_unit(Interval) { return disc(1); }

constexpr UnaryRule kRules[] = {
    with_complex({"exp", rising<exp_of>, {-20, 9}}, complex_exp, {-20, 9}),
    with_complex({"exp2", rising<exp2_of>, {-20, 12}}, complex_exp2, {-20, 12}),
    with_complex({"expm1", rising<expm1_of>, {-20, 9}}, complex_expm1, {-20, 9}),
    with_complex({"log", rising<log_of>, {kLeast, 1e9}}, complex_log, {kLeast, 1e9}),
    with_complex({"log2", rising<log2_of>, {kLeast, 1e9}}, complex_log2, {kLeast, 1e9}),
    with_complex({"log10", rising<log10_of>, {kLeast, 1e9}}, complex_log, {kLeast, 1e9}),
    with_complex({"log1p", rising<log1p_of>, {-0.875, 1e9}}, complex_log1p, {0, 1e9}),
    with_complex({"sqrt", rising<sqrt_of>, {kLeast, 1e9}, kAnyDtype, Exactness::kRounded}, complex_root, {kLeast, 1e9}),
    with_complex({"rsqrt", falling<rsqrt_of>, {kLeast, 1e9}}, complex_rsqrt, {kLeast, 1e9}),
    with_complex({"sin", sine_image, {-100, 100}}, complex_wave, {-9, 9}),
    with_complex({"cos", cosine_image, {-100, 100}}, complex_wave, {-9, 9}),
    with_complex({"tan", rising<tan_of>, {-1.25, 1.25}}, complex_tangent, {-1.25, 1.25}),
    with_complex({"asin", rising<asin_of>, {-0.9375, 0.9375}}, complex_arc, {-0.9375, 0.9375}),
    with_complex({"acos", falling<acos_of>, {-0.9375, 0.9375}}, complex_arc, {-0.9375, 0.9375}),
    with_complex({"atan", rising<atan_of>}, complex_arc, {0.25, 8}),
    with_complex({"sinh", rising<sinh_of>, {-9, 9}}, complex_wave, {-9, 9}),
    with_complex({"cosh", cosh_image, {-9, 9}}, complex_wave, {-9, 9}),
    with_complex({"tanh", rising<tanh_of>}, complex_tangent, {-1.25, 1.25}),
    with_complex({"asinh", rising<asinh_of>}, complex_arc, {0.5, 8}),
    with_complex({"acosh", rising<acosh_of>, {1.0625, 1e9}}, complex_arc, {1.0625, 8}),
    with_complex({"atanh", rising<atanh_of>, {-0.9375, 0.9375}}, complex_arc, {-0.9375, 0.9375}),
    {"erf", erf_image},
    {"erfc", falling<erfc_of>},
    with_complex({"sigmoid", rising<sigmoid_of>}, complex_unit, {-1.25, 1.25}),
    with_complex({"reciprocal", reciprocal_image, {kLeast, 1e9}, kAnyDtype, Exactness::kRounded}, complex_reciprocal,
                 {kLeast, 1e9}),
};

constexpr std::string_view kForms[] = {"torch.#($0)", "$0.#()"};

// The in-place forms that unary_in_place does not have.
const std::vector<UnaryRule>& rules_in_place() {
  static const std::vector<UnaryRule> rules = [] {
    std::vector<UnaryRule> missing;
    for (const UnaryRule& rule : kRules)
      if (rule.name != "exp" && rule.name != "sqrt" && rule.name != "sin" && rule.name != "tanh" &&
          rule.name != "sigmoid")
        missing.push_back(rule);
    for (UnaryRule& rule : missing) {
      const OperatorFacts* op = find_operator(rule.name);
      rule.plain = rule.plain || (op && op->rejects_gradients_in_place);
    }
    return in_place(std::move(missing));
  }();
  return rules;
}

class UnaryMath final : public Operator {
 public:
  std::string_view name() const override { return "unary_math"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = names_of(kRules);
    for (const UnaryRule& rule : rules_in_place()) names.push_back(rule.name);
    return names;
  }
  void draw(Draft& draft, std::size_t member) const override {
    if (member < std::size(kRules)) return draw_unary(draft, kRules[member], kForms);
    draw_unary_in_place(draft, rules_in_place()[member - std::size(kRules)], kForms);
  }
};

const Register<Operator, UnaryMath> registered;

}  // namespace
}  // namespace jp::seedgen::unary_math_operators
