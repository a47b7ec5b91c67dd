// Binary operators that write their first operand: `v7 = v3.add_(v5)`. The other operand never shares its memory.
#include "seedgen/binary.h"
#include "seedgen/operator.h"

namespace jp::seedgen {
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
    {"copy_", {.image = copied, .number_second = false, .complex = complex_copied}, Saves::kNothing},
};

constexpr std::string_view kForms[] = {"$0.#($1)"};

class BinaryInPlace final : public Operator {
 public:
  std::string_view name() const override { return "binary_in_place"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    BinaryDraw drawn = draw_binary_in_place(draft, row.rule);
    bool parts = is_complex(drawn.result.dtype) && row.saves == Saves::kAll;
    draft.record_write({.op = row.name, .forms = kForms, .arguments = {drawn.a.argument, drawn.b.argument}},
                       drawn.a.value, drawn.result.interval,
                       {.exactness = parts ? Exactness::kLoose : row.exactness, .saves = row.saves});
  }
};

const Register<Operator, BinaryInPlace> registered;

}  // namespace
}  // namespace jp::seedgen
