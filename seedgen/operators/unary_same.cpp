// Elementwise operators that keep the dtype: signs, squares, roundings. Discontinuous ones take exact inputs,
// and others that lie clear of their steps.
// Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/unary.h"
#include "seedgen/bases/writes.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::unary_same_operators {
namespace {

double floor_of(double x) { return std::floor(x); }
double ceil_of(double x) { return std::ceil(x); }
double trunc_of(double x) { return std::trunc(x); }
double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
double relu_of(double x) { return std::max(x, 0.0); }
Interval negated(Interval x) { return -x; }
Interval squared(Interval x) { return magnitude(x) * magnitude(x); }
Interval within_one(Interval) { return {-1, 1}; }
Interval complex_square(Interval x) { return complex_product(x, x); }
// For complex numbers with such parts.
Interval lengths(Interval x) { return scaled(magnitude(x), 1.4142135623730951); }
Interval round_image(Interval x) { return {std::floor(x.low), std::ceil(x.high)}; }
Interval frac_image(Interval x) { return {x.low < 0 ? -1.0 : 0.0, x.high > 0 ? 1.0 : 0.0}; }

UnaryRule of_signs(UnaryRule rule) {
  rule.preferred = both_signs;
  return rounding(rule, clear_of_zero);
}

// The gradient of a real sgn is a tensor that can't be written to, and backward of aminmax adds to the one of its
// minimum.
bool takes_zero_tensor(const Value& value) { return is_complex(value.dtype) || value.input || !value.requires_grad; }

UnaryRule of_sgn(UnaryRule rule) {
  rule.live = takes_zero_tensor;
  return of_signs(rule);
}

UnaryRule of_fractions(UnaryRule rule) {
  rule.preferred = has_fractions;
  return rule;
}

struct Row : UnaryRule {
  std::string_view infix;
};

constexpr auto kSame = Exactness::kSame;
constexpr auto kNothing = Saves::kNothing;

const Row kRules[] = {
    {to_real(with_complex({"abs", magnitude, kEverything, kNumbers, kSame, false}, lengths, kEverything)), "abs($0)"},
    {with_complex({"neg", negated, kEverything, kNumbers, kSame, false, kNothing}, negated, kEverything, kSame), "-$0"},
    {with_complex({"clone", identity, kEverything, kAnyDtype, kSame, false, kNothing}, identity, kEverything, kSame),
     ""},
    {{"relu", rising<relu_of>, kEverything, kNumbers, kSame, false}, "torch.nn.functional.relu($0)"},
    {with_complex({"square", squared, kEverything, kNumbers, Exactness::kRounded, false}, complex_square), "$0 ** 2"},
    {of_signs({"sign", rising<sign_of>, kEverything, kAnyDtype, kSame, false, kNothing, true}), ""},
    {of_sgn(
         with_complex({"sgn", rising<sign_of>, kEverything, kAnyDtype, kSame, false, Saves::kAll, true}, within_one)),
     ""},
    {rounding({"floor", rising<floor_of>, kEverything, kNumbers, kSame, false, kNothing, true}, clear_of_integers), ""},
    {rounding({"ceil", rising<ceil_of>, kEverything, kNumbers, kSame, false, kNothing, true}, clear_of_integers), ""},
    {rounding({"trunc", rising<trunc_of>, kEverything, kNumbers, kSame, false, kNothing, true}, clear_of_integers), ""},
    {rounding({"round", round_image, kEverything, kNumbers, kSame, false, kNothing, true}, clear_of_halves), ""},
    {of_fractions({"frac", frac_image, kEverything, kFloats, kSame, false, kNothing, true}), ""},
};

constexpr std::string_view kForms[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kContiguous[] = {"torch.clone($0, memory_format=torch.contiguous_format)",
                                            "$0.clone(memory_format=torch.contiguous_format)"};
constexpr std::string_view kPreserved[] = {"torch.clone($0, memory_format=torch.preserve_format)",
                                           "$0.clone(memory_format=torch.preserve_format)"};
constexpr std::string_view kChannelsLast[] = {"torch.clone($0, memory_format=torch.channels_last)",
                                              "$0.clone(memory_format=torch.channels_last)"};
constexpr std::string_view kDecimals[] = {"torch.#($0, decimals=$1)", "$0.#(decimals=$1)"};
constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};

/// Of torch's format channels_last: the second axis lies innermost.
Shape channels_last_strides(const Shape& shape) {
  Shape strides = shape;
  std::int64_t stride = 1;
  const auto place = [&](std::size_t axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  };
  place(1);
  for (std::size_t axis = shape.size() - 1; axis > 1; --axis) place(axis);
  place(0);
  return strides;
}

class UnarySame final : public Operator {
 public:
  std::string_view name() const override { return "unary_same"; }
  std::vector<std::string_view> members() const override { return names_of(kRules); }
  void draw(Draft& draft, std::size_t member) const override {
    if (kRules[member].name == "clone" && kPolicy.memory_format.drawn(draft.choices())) return draw_clone(draft);
    if (kRules[member].name == "round" && draft.choices().chance(1, 5)) return draw_decimals(draft);
    if (kRules[member].name == "square" && draft.choices().chance(1, 16)) return draw_square(draft);
    draw_unary(draft, kRules[member], kForms, kRules[member].infix);
  }

 private:
  // In a layout that is said: what reads it later meets other strides. Of five axes pixel_shuffle takes no such layout.
  static void draw_clone(Draft& draft) {
    struct Format {
      Forms forms;
      int rank = 0;  // that it is for; 0: any
    };
    static constexpr Format kFormats[] = {{kContiguous}, {kPreserved}, {kChannelsLast, 4}};
    const std::size_t format = draft.choices().below(std::size(kFormats));
    const int rank = kFormats[format].rank;
    Value x = draft.input({.dtypes = kEveryDtype, .shape = rank ? ShapeWant::any(rank, rank) : ShapeWant::any()});
    Value result = elementwise(x.dtype, x.interval, {&x});
    if (format != 1) {
      result.strides = rank ? channels_last_strides(x.shape) : contiguous_strides(x.shape);
      result.strides_known = true;
    }
    draft.record({.op = "clone", .forms = kFormats[format].forms, .arguments = {Ref{x.id}}}, result,
                 {.exactness = kSame, .saves = kNothing});
  }

  // Of bools, which are integers then.
  static void draw_square(Draft& draft) {
    Value x = draft.input({.dtypes = kBools});
    record_or_out(draft, {.op = "square", .forms = kForms, .arguments = {Ref{x.id}}},
                  elementwise(Dtype::kInt64, x.interval, {&x}), {});
  }

  // To so many places behind the point. Half precision is left out, in which compilers keep additional digits.
  static void draw_decimals(Draft& draft) {
    const std::int64_t places = draft.between(-1, 2);
    const double unit = std::pow(10, -static_cast<double>(places));
    Want want{.dtypes = kWide, .within = {-1e6, 1e6}, .exact = true};
    want.preferred = takes_steps;
    Value x = draft.input(want);
    const Interval image = rounded(x.interval + Interval{-unit, unit}, x.dtype, 4);
    record_or_out(draft, {.op = "round", .forms = kDecimals, .arguments = {Ref{x.id}, places}},
                  elementwise(x.dtype, image, {&x}), {.exactness = Exactness::kLoose, .saves = Saves::kNothing});
  }
};

const Register<Operator, UnarySame> registered;

}  // namespace
}  // namespace jp::seedgen::unary_same_operators
