// Activations of torch.nn.functional, on floats.
#include <algorithm>

#include "seedgen/operator.h"
#include "seedgen/unary.h"

namespace jp::seedgen {
namespace {

// gelu, silu, mish, hardswish: between 0 and x, and never below -0.4.
Interval gated(Interval x) { return {x.low < 0 ? std::max(x.low, -0.4) : 0.0, std::max(x.high, 0.0)}; }
double elu_of(double x) { return x > 0 ? x : std::expm1(x); }
double selu_of(double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); }
double leaky_relu_of(double x) { return x > 0 ? x : 0.01 * x; }
double softplus_of(double x) { return x > 20 ? x : std::log1p(std::exp(x)); }
double logsigmoid_of(double x) { return -softplus_of(-x); }
double hardtanh_of(double x) { return std::clamp(x, -1.0, 1.0); }
double relu6_of(double x) { return std::clamp(x, 0.0, 6.0); }
double hardsigmoid_of(double x) { return std::clamp(x / 6 + 0.5, 0.0, 1.0); }
double softsign_of(double x) { return x / (1 + std::abs(x)); }
double shrunk(double x) { return x - std::tanh(x); }
// A difference that cancels near 0.
Interval tanhshrink_image(Interval x) { return hull(rising<shrunk>(x), {0, 0}); }

constexpr UnaryRule kRules[] = {
    {"gelu", gated, kEverything, kFloats},
    {"silu", gated, kEverything, kFloats},
    {"mish", gated, kEverything, kFloats},
    {"hardswish", gated, kEverything, kFloats},
    {"elu", rising<elu_of>, kEverything, kFloats},
    {"selu", rising<selu_of>, kEverything, kFloats},
    {"leaky_relu", rising<leaky_relu_of>, kEverything, kFloats, Exactness::kRounded},
    {"softplus", rising<softplus_of>, kEverything, kFloats},
    {"logsigmoid", rising<logsigmoid_of>, kEverything, kFloats},
    {"hardtanh", rising<hardtanh_of>, kEverything, kFloats, Exactness::kSame},
    {"relu6", rising<relu6_of>, kEverything, kFloats, Exactness::kSame},
    {"hardsigmoid", rising<hardsigmoid_of>, kEverything, kFloats},
    {"softsign", rising<softsign_of>, kEverything, kFloats},
    {"tanhshrink", tanhshrink_image, kEverything, kFloats},
};

constexpr std::string_view kForms[] = {"torch.nn.functional.#($0)"};

class Activation final : public Operator {
 public:
  std::string_view name() const override { return "activation"; }
  std::vector<std::string_view> members() const override { return names_of(kRules); }
  void draw(Draft& draft, std::size_t member) const override { draw_unary(draft, kRules[member], kForms); }
};

const Register<Operator, Activation> registered;

}  // namespace
}  // namespace jp::seedgen
