// Activations of torch.nn.functional, on floats, with their parameters and their in-place forms.
// Literal chances here were chosen, not measured.
#include <algorithm>
#include <array>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/unary.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::activation_operators {
namespace {

struct Settings {
  double first = 0;
  double second = 0;
  bool operator==(const Settings&) const = default;
};

struct Row {
  std::string_view name;
  Interval (*image)(Interval x, Settings settings);
  bool in_place = false;
  Exactness exactness = Exactness::kLoose;
  /// Discontinuous where an input passes a parameter's value.
  bool discontinuous = false;
  /// Its parameters by keyword, and their values; the first ones are the defaults.
  std::array<std::string_view, 2> names = {};
  std::array<Settings, 4> values = {};
  /// Integers that it takes besides floats, if all parameters are whole; their results are floats if `floating`.
  DtypeSet integers = {};
  bool floating = false;
  /// For complex numbers whose parts lie in `kTurns`; nullptr: not supported.
  Interval (*complex)(Interval x) = nullptr;
};

constexpr Interval kTurns = {-1.25, 1.25};
Interval complex_gated(Interval x) { return disc(2 * largest(x)); }
Interval complex_softsign(Interval) { return disc(1); }
Interval complex_shrunk(Interval x) { return x + disc(8); }

// For an increasing function: the ends of the interval.
template <double (*kFunction)(double, Settings)>
Interval rises(Interval x, Settings settings) {
  return {kFunction(x.low, settings), kFunction(x.high, settings)};
}

// gelu, silu, mish, hardswish: between 0 and x, and never below -0.4.
Interval gated(Interval x, Settings) { return {x.low < 0 ? std::max(x.low, -0.4) : 0.0, std::max(x.high, 0.0)}; }
double elu_of(double x, Settings s) { return x > 0 ? x : s.first * std::expm1(x); }
double celu_of(double x, Settings s) { return x > 0 ? x : s.first * std::expm1(x / s.first); }
double selu_of(double x, Settings) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); }
double leaky_of(double x, Settings s) { return x > 0 ? x : s.first * x; }
double rrelu_of(double x, Settings s) { return x > 0 ? x : (s.first + s.second) / 2 * x; }
double softplus_of(double x, Settings s) {
  return s.first * x > s.second ? x : std::log1p(std::exp(s.first * x)) / s.first;
}
double logsigmoid_of(double x, Settings) { return -softplus_of(-x, {1, 20}); }
double hardtanh_of(double x, Settings s) { return std::clamp(x, s.first, s.second); }
double relu6_of(double x, Settings) { return std::clamp(x, 0.0, 6.0); }
double relu_of(double x, Settings) { return std::max(x, 0.0); }
double hardsigmoid_of(double x, Settings) { return std::clamp(x / 6 + 0.5, 0.0, 1.0); }
double softsign_of(double x, Settings) { return x / (1 + std::abs(x)); }
double softshrink_of(double x, Settings s) { return x > s.first ? x - s.first : x < -s.first ? x + s.first : 0; }
double shrunk(double x, Settings) { return x - std::tanh(x); }
// A difference that cancels near 0.
Interval tanhshrink(Interval x, Settings s) { return hull(rises<shrunk>(x, s), {0, 0}); }
Interval hardshrink(Interval x, Settings) { return hull(x, {0, 0}); }
Interval threshold(Interval x, Settings s) { return hull(x, {s.second, s.second}); }

constexpr auto kSame = Exactness::kSame;
constexpr auto kRounded = Exactness::kRounded;
constexpr auto kLoose = Exactness::kLoose;
constexpr std::array<Settings, 4> kAlphas = {{{1, 0}, {0.5, 0}, {2, 0}, {1.25, 0}}};
constexpr std::array<Settings, 4> kLambdas = {{{0.5, 0}, {0.25, 0}, {1, 0}, {0, 0}}};

constexpr Row kRows[] = {
    {"gelu", gated},
    {"silu", gated, true, kLoose, false, {}, {}, {}, false, complex_gated},
    {"mish", gated, true},
    {"hardswish", gated, true},
    {"selu", rises<selu_of>, true},
    {"relu6", rises<relu6_of>, true, kSame, false, {}, {}, kIntegers},
    {"hardsigmoid", rises<hardsigmoid_of>, true},
    {"logsigmoid", rises<logsigmoid_of>},
    {"softsign", rises<softsign_of>, false, kLoose, false, {}, {}, kIntegers, true, complex_softsign},
    {"tanhshrink", tanhshrink, false, kLoose, false, {}, {}, kIntegers, true, complex_shrunk},
    {"relu_functional", rises<relu_of>, true, kSame},
    {"elu", rises<elu_of>, true, kLoose, false, {"alpha"}, kAlphas},
    {"celu", rises<celu_of>, true, kLoose, false, {"alpha"}, kAlphas},
    {"leaky_relu",
     rises<leaky_of>,
     true,
     kRounded,
     false,
     {"negative_slope"},
     {{{0.01, 0}, {0.2, 0}, {0.5, 0}, {1.5, 0}}}},
    {"rrelu",
     rises<rrelu_of>,
     true,
     kRounded,
     false,
     {"lower", "upper"},
     {{{0.125, 1.0 / 3}, {0.25, 0.5}, {0, 1}, {0.5, 0.5}}}},
    {"softplus",
     rises<softplus_of>,
     false,
     kLoose,
     false,
     {"beta", "threshold"},
     {{{1, 20}, {2, 20}, {0.5, 16}, {1, 24}}}},
    {"hardtanh",
     rises<hardtanh_of>,
     true,
     kSame,
     false,
     {"min_val", "max_val"},
     {{{-1, 1}, {-0.5, 2}, {0, 6}, {-2, -0.5}}},
     {Dtype::kInt8, Dtype::kInt16, Dtype::kInt32, Dtype::kInt64}},
    {"threshold",
     threshold,
     true,
     kSame,
     true,
     {"threshold", "value"},
     {{{0, 0}, {0.5, -1}, {-1, 2}, {1, 0.25}}},
     kIntegers},
    {"hardshrink", hardshrink, false, kSame, true, {"lambd"}, kLambdas},
    {"softshrink", rises<softshrink_of>, false, kRounded, false, {"lambd"}, kLambdas},
};

class Activation final : public Operator {
 public:
  std::string_view name() const override { return "activation"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    bool has_settings = !row.names[0].empty();
    Settings settings = row.values[has_settings ? draft.choices().below(row.values.size()) : 0];
    bool writes = row.in_place && draft.choices().chance(1, 4);
    const bool whole = is_whole(settings.first) && is_whole(settings.second) && !(writes && row.floating);
    Want want{.dtypes = whole ? kFloats | row.integers : kFloats, .exact = row.discontinuous, .written = writes};
    // Torch has no derivative of all of them for complex numbers.
    if (row.complex && draft.choices().chance(1, 8)) {
      want.dtypes = kComplex;
      want.plain = true;
    }
    want.fits = [&](const Value& x) {
      if (is_complex(x.dtype) && !inside(x.interval, kTurns)) return false;
      if (x.dtype == Dtype::kUInt8 && (settings.first < 0 || settings.second < 0)) return false;
      return inside(image_of(row, settings, x), range_of(dtype_of(row, x.dtype)));
    };
    want.preferred = [&](const Value& x) {
      Interval image = image_of(row, settings, x);
      const double width = image.high - image.low;
      return width >= 0.01 && width * 8 >= x.interval.high - x.interval.low &&
             (!row.discontinuous || (takes_steps(x) && both_signs(x)));
    };
    Value x = draft.input(want);
    bool functional = row.name == "relu_functional";
    std::string_view callee = functional ? "torch.nn.functional.relu" : "torch.nn.functional.#";
    if (row.name == "hardshrink") callee = "torch.nn.functional.hardshrink";
    CallWriter writer(row.name, callee);
    writer.give("input", x);
    write_settings(draft, row, settings, writer);
    if (writes) writer.keyword("inplace", true);
    Interval image = image_of(row, settings, x);
    Traits traits = {.exactness = row.exactness};
    if (writes) return draft.record_write(writer.finish(), x, image, traits);
    Value result = elementwise(dtype_of(row, x.dtype), image, {&x});
    if (row.name != "hardshrink") return draft.record(writer.finish(), result, traits);
    record_or_out(draft, writer.finish(), result, traits);
  }

 private:
  static bool is_whole(double number) { return number == std::floor(number); }
  static Dtype dtype_of(const Row& row, Dtype dtype) { return row.floating ? to_floating(dtype) : dtype; }

  static Interval image_of(const Row& row, Settings settings, const Value& x) {
    Interval image = is_complex(x.dtype) ? row.complex(x.interval) : row.image(x.interval, settings);
    return row.exactness == kSame ? image : rounded(image, dtype_of(row, x.dtype), 2);
  }

  static void write_settings(Draft& draft, const Row& row, Settings settings, CallWriter& writer) {
    if (row.name == "gelu") {
      if (draft.flip()) writer.keyword("approximate", quoted(draft.choices().chance(1, 4) ? "none" : "tanh"));
    }
    // Threshold has no default parameters.
    bool needed = row.discontinuous && !row.names[1].empty();
    const Settings& usual = row.values[0];
    if (!row.names[0].empty())
      writer.give_if(needed || settings.first != usual.first || draft.flip(), row.names[0], settings.first);
    if (!row.names[1].empty())
      writer.give_if(needed || settings.second != usual.second || draft.flip(), row.names[1], settings.second);
  }
};

const Register<Operator, Activation> registered;

}  // namespace
}  // namespace jp::seedgen::activation_operators
