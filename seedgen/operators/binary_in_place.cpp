// Binary operators that write their first operand: `v7 = v3.add_(v5)`. The other operand never shares its memory.
// Literal chances here were chosen, not measured.
#include <cmath>

#include "seedgen/bases/binary.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"
#include "seedgen/types/powers.h"

namespace jp::seedgen::binary_in_place_operators {
namespace {

constexpr double kLeastDivisor = 0.0625;

std::optional<Interval> sum(Dtype, Interval a, Interval b) { return a + b; }
std::optional<Interval> difference(Dtype, Interval a, Interval b) { return a - b; }
std::optional<Interval> product(Dtype, Interval a, Interval b) { return a * b; }
std::optional<Interval> ratio(Dtype, Interval a, Interval b) {
  if (b.low < kLeastDivisor && b.high > -kLeastDivisor) return std::nullopt;
  return quotient(a, b);
}
std::optional<Interval> complex_sum(const ComplexBound& a, const ComplexBound& b) { return a.parts + b.parts; }
std::optional<Interval> complex_difference(const ComplexBound& a, const ComplexBound& b) { return a.parts - b.parts; }
std::optional<Interval> complex_times(const ComplexBound& a, const ComplexBound& b) { return disc(a.most * b.most); }
std::optional<Interval> complex_ratio(const ComplexBound& a, const ComplexBound& b) {
  if (b.least < kLeastDivisor) return std::nullopt;
  return disc(a.most / b.least);
}
std::optional<Interval> copied(Dtype, Interval, Interval b) { return b; }
std::optional<Interval> complex_copied(const ComplexBound&, const ComplexBound& b) { return b.parts; }

std::optional<Interval> truth(Dtype, Interval, Interval) { return Interval{0, 1}; }
std::optional<Interval> complex_truth(const ComplexBound&, const ComplexBound&) { return Interval{0, 1}; }

// Booleans are written as numbers of the target's dtype. Few floats are equal, and few are 0: then the boolean doesn't
// depend on their values.
bool is_whole(const Value& value) { return is_integral(value.dtype); }
constexpr BinaryRule kCompares = {
    .image = truth, .discontinuous = true, .plain = true, .preferred_meeting = overlap, .truths = true};
constexpr BinaryRule kEquals = {.image = truth,
                                .discontinuous = true,
                                .plain = true,
                                .preferred_first = is_whole,
                                .preferred_second = is_whole,
                                .preferred_meeting = overlap,
                                .truths = true,
                                .complex = complex_truth};
constexpr BinaryRule kLogic = {.image = truth,
                               .discontinuous = true,
                               .plain = true,
                               .preferred_first = some_zeros,
                               .preferred_second = some_zeros,
                               .truths = true,
                               .number_second = false,
                               .complex = complex_truth};

struct Row {
  std::string_view name;
  BinaryRule rule;
  Saves saves;
  Exactness exactness = Exactness::kRounded;
};

const Row kRows[] = {
    {"add_", {.image = sum, .complex = complex_sum}, Saves::kNothing},
    {"sub_", {.dtypes = kNumbers, .image = difference, .complex = complex_difference}, Saves::kNothing},
    {"mul_", {.image = product, .neutral = 1, .complex = complex_times}, Saves::kAll},
    {"div_",
     {.image = ratio, .away = kLeastDivisor, .neutral = 1, .result = to_floating, .complex = complex_ratio},
     Saves::kAll},
    {"eq_", kEquals, Saves::kNothing, Exactness::kSame},
    {"ne_", kEquals, Saves::kNothing, Exactness::kSame},
    {"lt_", kCompares, Saves::kNothing, Exactness::kSame},
    {"le_", kCompares, Saves::kNothing, Exactness::kSame},
    {"gt_", kCompares, Saves::kNothing, Exactness::kSame},
    {"ge_", kCompares, Saves::kNothing, Exactness::kSame},
    {"logical_and_", kLogic, Saves::kNothing, Exactness::kSame},
    {"logical_or_", kLogic, Saves::kNothing, Exactness::kSame},
    {"logical_xor_", kLogic, Saves::kNothing, Exactness::kSame},
    {"pow_",
     {.dtypes = kNumbers,
      .image = power,
      .second = {-3, 3},
      .neutral = 1,
      .gradients_from = kLeastBase,
      .complex = complex_power},
     Saves::kAll,
     Exactness::kLoose},
    {"copy_",
     {.image = copied, .overwrites = true, .number_second = false, .complex = complex_copied},
     Saves::kNothing},
};

// Divisions that round are discontinuous; half precision is left out, in which compilers keep additional digits.
std::optional<Interval> rounded_ratio(Dtype type, Interval a, Interval b) {
  if (b.low < 0.25 && b.high > -0.25) return std::nullopt;
  if (is_integral(type) && a.low <= range_of(type).low && holds(b, -1)) return std::nullopt;
  const Interval ratio = quotient(a, b);
  return Interval{std::floor(ratio.low), std::ceil(ratio.high)};
}
const BinaryRule kRoundedDivision = {.dtypes = kIntegers | DtypeSet{Dtype::kFloat32, Dtype::kFloat64},
                                     .image = rounded_ratio,
                                     .away = 0.25,
                                     .neutral = 1,
                                     .discontinuous = true};

constexpr std::string_view kRounding[] = {"$0.#($1, rounding_mode=$2)"};
constexpr std::string_view kScaled[] = {"$0.#($1, alpha=$2)"};
constexpr std::string_view kForms[] = {"$0.#($1)"};

class BinaryInPlace final : public Operator {
 public:
  std::string_view name() const override { return "binary_in_place"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    if (row.name == "div_" && draft.choices().chance(1, 4)) return draw_rounding(draft);
    // Nothing but what is copied remains.
    if (row.name == "copy_") draft.beside_nobody();
    BinaryDraw drawn = draw_binary_in_place(draft, row.rule);
    if (member < 2 && kPolicy.scaled.drawn(draft.choices())) {
      if (std::optional<Alpha> alpha = draw_alpha(draft, drawn, member == 0 ? 1 : -1)) {
        Call call{.op = row.name, .forms = kScaled};
        for (const Argument& argument : {drawn.a.argument, drawn.b.argument, alpha->number}) call.add(argument);
        return draft.record_write(std::move(call), drawn.a.value, alpha->image,
                                  {.exactness = alpha->exact ? row.exactness : Exactness::kLoose, .saves = row.saves});
      }
    }
    bool parts = is_complex(drawn.result.dtype) && row.saves == Saves::kAll;
    draft.record_write(
        {.op = row.name, .forms = kForms, .arguments = {drawn.a.argument, drawn.b.argument}}, drawn.a.value,
        drawn.result.interval,
        {.exactness = parts ? Exactness::kLoose : row.exactness, .saves = row.saves, .truths = row.rule.truths});
  }

 private:
  static void draw_rounding(Draft& draft) {
    const BinaryDraw drawn = draw_binary_in_place(draft, kRoundedDivision);
    const std::string mode = draft.flip() ? "\"floor\"" : "\"trunc\"";
    draft.record_write({.op = "div_", .forms = kRounding, .arguments = {drawn.a.argument, drawn.b.argument, mode}},
                       drawn.a.value, drawn.result.interval, {.exactness = Exactness::kSame, .saves = Saves::kAll});
  }
};

const Register<Operator, BinaryInPlace> registered;

}  // namespace
}  // namespace jp::seedgen::binary_in_place_operators
