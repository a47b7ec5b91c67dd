// Functions of real numbers: integers become float32. Domains keep clear of poles and of arguments so large that one
// rounding decides the result.
#include <algorithm>

#include "seedgen/operator.h"
#include "seedgen/unary.h"

namespace jp::seedgen {
namespace {

constexpr double kLeast = 0.0625;

Interval within_one(Interval) { return {-1, 1}; }
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
double erf_of(double x) { return std::erf(x); }
double erfc_of(double x) { return std::erfc(x); }
double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double cosh_of(double x) { return std::cosh(x); }
Interval cosh_image(Interval x) { return rising<cosh_of>(magnitude(x)); }
Interval reciprocal_image(Interval x) { return quotient({1, 1}, x); }

constexpr UnaryRule kRules[] = {
    {"exp", rising<exp_of>, {-20, 9}},
    {"exp2", rising<exp2_of>, {-20, 12}},
    {"expm1", rising<expm1_of>, {-20, 9}},
    {"log", rising<log_of>, {kLeast, 1e9}},
    {"log2", rising<log2_of>, {kLeast, 1e9}},
    {"log10", rising<log10_of>, {kLeast, 1e9}},
    {"log1p", rising<log1p_of>, {-0.875, 1e9}},
    {"sqrt", rising<sqrt_of>, {kLeast, 1e9}, kAnyDtype, Exactness::kRounded},
    {"rsqrt", falling<rsqrt_of>, {kLeast, 1e9}},
    {"sin", within_one, {-100, 100}},
    {"cos", within_one, {-100, 100}},
    {"tan", rising<tan_of>, {-1.25, 1.25}},
    {"asin", rising<asin_of>, {-0.9375, 0.9375}},
    {"acos", falling<acos_of>, {-0.9375, 0.9375}},
    {"atan", rising<atan_of>},
    {"sinh", rising<sinh_of>, {-9, 9}},
    {"cosh", cosh_image, {-9, 9}},
    {"tanh", rising<tanh_of>},
    {"asinh", rising<asinh_of>},
    {"acosh", rising<acosh_of>, {1.0625, 1e9}},
    {"atanh", rising<atanh_of>, {-0.9375, 0.9375}},
    {"erf", rising<erf_of>},
    {"erfc", falling<erfc_of>},
    {"sigmoid", rising<sigmoid_of>},
    {"reciprocal", reciprocal_image, {kLeast, 1e9}, kAnyDtype, Exactness::kRounded},
};

constexpr std::string_view kForms[] = {"torch.#($0)", "$0.#()"};

class UnaryMath final : public Operator {
 public:
  std::string_view name() const override { return "unary_math"; }
  std::vector<std::string_view> members() const override { return names_of(kRules); }
  void draw(Draft& draft, std::size_t member) const override { draw_unary(draft, kRules[member], kForms); }
};

const Register<Operator, UnaryMath> registered;

}  // namespace
}  // namespace jp::seedgen
