// Floats taken apart (frexp), and numbers replacing NaN and infinities (nan_to_num), which don't occur here.
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::float_parts_operators {
namespace {

constexpr std::string_view kNames[] = {"frexp", "nan_to_num", "nan_to_num_"};
constexpr std::string_view kFrexp[] = {"torch.frexp($0)", "$0.frexp()"};
constexpr std::string_view kPlain[] = {"torch.nan_to_num($0)", "$0.nan_to_num()"};
constexpr std::string_view kNumbersGiven[] = {"torch.nan_to_num($0, nan=$1, posinf=$2, neginf=$3)",
                                              "torch.nan_to_num($0, $1, $2, $3)", "$0.nan_to_num($1, $2, $3)"};
constexpr std::string_view kNumbersInPlace[] = {"$0.nan_to_num_($1, $2, $3)",
                                                "torch.nan_to_num_($0, nan=$1, posinf=$2, neginf=$3)"};
constexpr std::string_view kInPlace[] = {"$0.nan_to_num_()", "torch.nan_to_num_($0)"};

class FloatParts final : public Operator {
 public:
  std::string_view name() const override { return "float_parts"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    if (member == 0) return draw_frexp(draft);
    Value x = draft.input({.written = member == 2});
    Call call{.op = kNames[member], .forms = member == 2 ? Forms(kInPlace) : Forms(kPlain), .arguments = {Ref{x.id}}};
    if (draft.flip()) {
      call.forms = member == 2 ? Forms(kNumbersInPlace) : Forms(kNumbersGiven);
      for (double number : {0.5, 4.0, -4.0}) call.add(number);
    }
    if (member == 2) return draft.record_write(std::move(call), x, x.interval, {});
    record_or_out(draft, std::move(call), elementwise(x.dtype, x.interval, {&x}), {});
  }

 private:
  // x = mantissa * 2^exponent with a mantissa of 0.5 to 1; the exponent is discontinuous.
  static void draw_frexp(Draft& draft) {
    Value x = draft.input({.dtypes = kFloats, .exact = true});
    double most = largest(x.interval);
    double high = most > 0 ? std::ceil(std::log2(most)) + 2 : 1;
    Interval mantissa = {x.interval.low < 0 ? -1.0 : 0.0, x.interval.high > 0 ? 1.0 : 0.0};
    // The least exponents are those of the smallest numbers of each dtype.
    Interval exponent = {-1100, std::max(high, 0.0)};
    record_or_outs(draft, {.op = "frexp", .forms = kFrexp, .arguments = {Ref{x.id}}},
                   {elementwise(x.dtype, mantissa, {&x}), elementwise(Dtype::kInt32, exponent, {&x})}, {});
  }
};

const Register<Operator, FloatParts> registered;

}  // namespace
}  // namespace jp::seedgen::float_parts_operators
