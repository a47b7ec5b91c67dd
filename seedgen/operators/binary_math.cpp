// Functions of two arguments: extremes, powers, angles.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/binary.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"
#include "seedgen/types/powers.h"

namespace jp::seedgen::binary_math_operators {
namespace {

std::optional<Interval> larger(Dtype, Interval a, Interval b) {
  return Interval{std::max(a.low, b.low), std::max(a.high, b.high)};
}
std::optional<Interval> smaller(Dtype, Interval a, Interval b) {
  return Interval{std::min(a.low, b.low), std::min(a.high, b.high)};
}
std::optional<Interval> distance(Dtype, Interval a, Interval b) {
  return Interval{0, std::hypot(largest(a), largest(b))};
}
std::optional<Interval> angle(Dtype, Interval, Interval) { return Interval{-1.6, 1.6}; }
std::optional<Interval> signed_like(Dtype, Interval a, Interval) { return Interval{-largest(a), largest(a)}; }
// log(e^a + e^b) is at most log(2) above the larger one.
std::optional<Interval> log_sum(Dtype type, Interval a, Interval b) {
  Interval most = *larger(type, a, b);
  return Interval{most.low, most.high + 0.6931471805599453};
}
std::optional<Interval> log_product(Dtype, Interval a, Interval b) {
  if (b.low < 0.0625) return std::nullopt;
  return a * Interval{std::log(b.low), std::log(b.high)};
}

struct Row {
  std::string_view name;
  BinaryRule rule;
  std::string_view infix;
  Exactness exactness = Exactness::kLoose;
};

const Row kRows[] = {
    {"maximum", {.image = larger, .preferred_meeting = overlap, .number_second = false}, "", Exactness::kSame},
    {"minimum", {.image = smaller, .preferred_meeting = overlap, .number_second = false}, "", Exactness::kSame},
    {"fmax", {.image = larger, .preferred_meeting = overlap, .number_second = false}, "", Exactness::kSame},
    {"fmin", {.image = smaller, .preferred_meeting = overlap, .number_second = false}, "", Exactness::kSame},
    {"hypot", {.dtypes = kFloats, .image = distance, .number_second = false}, ""},
    {"atan2",
     {.dtypes = kAnyDtype,
      .image = angle,
      .second = {kLeastBase, 1e15},
      .neutral = 1,
      .result = to_floating,
      .plain_behind_bools = true,
      .number_second = false},
     ""},
    {"copysign",
     {.image = signed_like, .neutral = 1, .result = to_floating, .discontinuous = true},
     "",
     Exactness::kSame},
    {"logaddexp", {.dtypes = kFloats, .image = log_sum, .number_second = false}, ""},
    {"xlogy",
     {.image = log_product, .second = {kLeastBase, 1e9}, .neutral = 1, .result = to_floating, .number_first = true},
     ""},
    {"pow",
     {.dtypes = kNumbers,
      .image = power,
      .second = {-3, 3},
      .neutral = 1,
      .gradients_from = kLeastBase,
      .number_first = true,
      .complex = complex_power},
     "$0 ** $1"},
};

constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kFunction[] = {"torch.#($0, $1)"};
constexpr std::string_view kLargest[] = {"torch.#($0, $1)", "$0.#($1)", "torch.max($0, $1)", "$0.max($1)"};
constexpr std::string_view kSmallest[] = {"torch.#($0, $1)", "$0.#($1)", "torch.min($0, $1)", "$0.min($1)"};

class BinaryMath final : public Operator {
 public:
  std::string_view name() const override { return "binary_math"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    BinaryDraw drawn = draw_binary(draft, row.rule);
    Forms forms = row.name == "logaddexp" || drawn.number_first ? Forms(kFunction) : Forms(kForms);
    if (row.name == "maximum") forms = kLargest;
    if (row.name == "minimum") forms = kSmallest;
    record_or_out(
        draft, {.op = row.name, .forms = forms, .infix = row.infix, .arguments = {drawn.a.argument, drawn.b.argument}},
        drawn.result, {.exactness = row.exactness});
  }
};

const Register<Operator, BinaryMath> registered;

}  // namespace
}  // namespace jp::seedgen::binary_math_operators
