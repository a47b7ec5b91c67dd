// Unary operators that write their input: `v7 = v3.relu_()`; v7 is v3 under another name.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/unary.h"

namespace jp::seedgen::unary_in_place_operators {
namespace {

double relu_of(double x) { return std::max(x, 0.0); }
double exp_of(double x) { return std::exp(x); }
double tanh_of(double x) { return std::tanh(x); }
double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double sqrt_of(double x) { return std::sqrt(x); }
double floor_of(double x) { return std::floor(x); }
Interval negated(Interval x) { return -x; }
Interval squared(Interval x) { return magnitude(x) * magnitude(x); }
Interval zero(Interval) { return {0, 0}; }
Interval complex_square(Interval x) { return complex_product(x, x); }
Interval complex_exp(Interval x) { return disc(std::exp(x.high)); }
Interval complex_sine(Interval x) { return disc(std::cosh(largest(x))); }
Interval complex_tanh(Interval) { return disc(8); }
Interval complex_unit(Interval) { return disc(1); }
Interval complex_root(Interval x) { return {0, std::sqrt(1.5 * x.high)}; }

constexpr auto kSame = Exactness::kSame;
constexpr auto kLoose = Exactness::kLoose;

constexpr UnaryRule kRules[] = {
    {"relu_", rising<relu_of>, kEverything, kNumbers, kSame, false},
    with_complex({"neg_", negated, kEverything, kNumbers, kSame, false, Saves::kNothing}, negated, kEverything, kSame),
    {"abs_", magnitude, kEverything, kNumbers, kSame, false},
    with_complex({"square_", squared, kEverything, kNumbers, Exactness::kRounded, false}, complex_square),
    with_complex({"exp_", rising<exp_of>, {-20, 9}, kFloats}, complex_exp, {-20, 9}),
    with_complex({"tanh_", rising<tanh_of>, kEverything, kFloats}, complex_tanh, {-1.25, 1.25}),
    with_complex({"sigmoid_", rising<sigmoid_of>, kEverything, kFloats}, complex_unit, {-1.25, 1.25}),
    with_complex({"sqrt_", rising<sqrt_of>, {0.0625, 1e9}, kFloats, Exactness::kRounded}, complex_root, {0.0625, 1e9}),
    with_complex({"sin_", sine_image, {-100, 100}, kFloats}, complex_sine, {-9, 9}),
    rounding({"floor_", rising<floor_of>, kEverything, kNumbers, kSame, false, Saves::kNothing, true},
             clear_of_integers),
    with_complex({"zero_", zero, kEverything, kAnyDtype, kSame, false, Saves::kNothing}, zero, kEverything, kSame),
};

constexpr std::string_view kForms[] = {"$0.#()", "torch.#($0)"};

class UnaryInPlace final : public Operator {
 public:
  std::string_view name() const override { return "unary_in_place"; }
  std::vector<std::string_view> members() const override { return names_of(kRules); }
  bool constant(std::size_t member) const override { return kRules[member].name == "zero_"; }
  void draw(Draft& draft, std::size_t member) const override { draw_unary_in_place(draft, kRules[member], kForms); }
};

const Register<Operator, UnaryInPlace> registered;

}  // namespace
}  // namespace jp::seedgen::unary_in_place_operators
