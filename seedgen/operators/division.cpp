// Divisions that round: they are discontinuous, so their operands are exact, and half precision is left out, in which
// compilers keep additional digits. The divisor is never 0, and never -1 if that would overflow.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/binary.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::division_operators {
namespace {

constexpr double kLeastDivisor = 0.25;
constexpr DtypeSet kSteady = kIntegers | DtypeSet{Dtype::kFloat32, Dtype::kFloat64};

bool may_divide(Dtype type, Interval a, Interval b) {
  if (b.low < kLeastDivisor && b.high > -kLeastDivisor) return false;
  return !is_integral(type) || a.low > range_of(type).low || !holds(b, -1);
}

std::optional<Interval> rounded_ratio(Dtype type, Interval a, Interval b) {
  if (!may_divide(type, a, b)) return std::nullopt;
  Interval ratio = quotient(a, b);
  return Interval{std::floor(ratio.low), std::ceil(ratio.high)};
}

// With the divisor's sign.
std::optional<Interval> modulo(Dtype type, Interval a, Interval b) {
  if (!may_divide(type, a, b)) return std::nullopt;
  return Interval{std::min(b.low, 0.0), std::max(b.high, 0.0)};
}

// With the dividend's sign.
std::optional<Interval> rest(Dtype type, Interval a, Interval b) {
  if (!may_divide(type, a, b)) return std::nullopt;
  double most = std::min(largest(a), largest(b));
  return Interval{a.low < 0 ? -most : 0, a.high > 0 ? most : 0};
}

struct Row {
  std::string_view name;
  BinaryRule rule;
  Forms forms;
  std::string_view infix;
  bool differentiable;
};

constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kFunction[] = {"torch.#($0, $1)"};
constexpr std::string_view kFloor[] = {"torch.div($0, $1, rounding_mode=\"floor\")",
                                       "$0.div($1, rounding_mode=\"floor\")"};
constexpr std::string_view kTrunc[] = {"torch.div($0, $1, rounding_mode=\"trunc\")",
                                       "$0.div($1, rounding_mode=\"trunc\")"};

constexpr BinaryRule rule(std::optional<Interval> (*image)(Dtype, Interval, Interval), bool number_first,
                          bool plain = false) {
  return {.dtypes = kSteady,
          .image = image,
          .away = kLeastDivisor,
          .neutral = 1,
          .discontinuous = true,
          .plain = plain,
          .number_first = number_first,
          .plain_behind_number = true};
}

const Row kRows[] = {
    {"floor_divide", rule(rounded_ratio, true, true), kForms, "$0 // $1", false},
    {"remainder", rule(modulo, true), kForms, "$0 % $1", true},
    {"fmod", rule(rest, false), kForms, "", true},
    {"div_floor", rule(rounded_ratio, false), kFloor, "", true},
    {"div_trunc", rule(rounded_ratio, false), kTrunc, "", true},
};

class Division final : public Operator {
 public:
  std::string_view name() const override { return "division"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    BinaryDraw drawn = draw_binary(draft, row.rule);
    Forms forms = !drawn.number_first ? row.forms : row.name == "remainder" ? Forms(kFunction) : Forms();
    Call call{.op = row.name, .forms = forms, .infix = row.infix, .arguments = {drawn.a.argument, drawn.b.argument}};
    const Traits traits = {.exactness = Exactness::kRounded, .differentiable = row.differentiable};
    // No `out=` behind a number.
    if (drawn.number_first) return draft.record(std::move(call), drawn.result, traits);
    record_or_out(draft, std::move(call), drawn.result, traits);
  }
};

const Register<Operator, Division> registered;

}  // namespace
}  // namespace jp::seedgen::division_operators
