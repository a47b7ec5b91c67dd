// The four operations, with numbers on either side.
#include "seedgen/bases/binary.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::arithmetic_operators {
namespace {

std::optional<Interval> sum(Dtype, Interval a, Interval b) { return a + b; }
std::optional<Interval> difference(Dtype, Interval a, Interval b) { return a - b; }
std::optional<Interval> product(Dtype, Interval a, Interval b) { return a * b; }
std::optional<Interval> complex_sum(const ComplexBound& a, const ComplexBound& b) { return a.parts + b.parts; }
std::optional<Interval> complex_difference(const ComplexBound& a, const ComplexBound& b) { return a.parts - b.parts; }
std::optional<Interval> complex_times(const ComplexBound& a, const ComplexBound& b) { return disc(a.most * b.most); }

// 0.0625 keeps quotients, and their gradients, within 16 and 256 times the dividend.
constexpr double kLeastDivisor = 0.0625;

std::optional<Interval> ratio(Dtype, Interval a, Interval b) {
  if (b.low < kLeastDivisor && b.high > -kLeastDivisor) return std::nullopt;
  return quotient(a, b);
}
std::optional<Interval> complex_ratio(const ComplexBound& a, const ComplexBound& b) {
  if (b.least < kLeastDivisor) return std::nullopt;
  return disc(a.most / b.least);
}

struct Row {
  std::string_view name;
  BinaryRule rule;
  std::string_view infix;
  Saves saves;
};

const Row kRules[] = {
    {"add", {.image = sum, .number_first = true, .complex = complex_sum}, "$0 + $1", Saves::kNothing},
    {"sub",
     {.dtypes = kNumbers, .image = difference, .number_first = true, .complex = complex_difference},
     "$0 - $1",
     Saves::kNothing},
    {"mul", {.image = product, .neutral = 1, .number_first = true, .complex = complex_times}, "$0 * $1", Saves::kAll},
    {"div",
     {.image = ratio,
      .away = kLeastDivisor,
      .neutral = 1,
      .result = to_floating,
      .number_first = true,
      .complex = complex_ratio},
     "$0 / $1",
     Saves::kAll},
};

constexpr std::string_view kScaled[] = {"torch.#($0, $1, alpha=$2)", "$0.#($1, alpha=$2)"};
constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)"};

class Arithmetic final : public Operator {
 public:
  std::string_view name() const override { return "arithmetic"; }
  std::vector<std::string_view> members() const override { return names_of(kRules); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRules[member];
    BinaryDraw drawn = draw_binary(draft, row.rule);
    bool parts = is_complex(drawn.result.dtype) && row.saves == Saves::kAll;
    Traits traits = {.exactness = parts ? Exactness::kLoose : Exactness::kRounded, .saves = row.saves};
    Forms forms = drawn.number_first ? Forms() : Forms(kForms);
    const bool scales = member < 2 && !drawn.number_first && kPolicy.scaled.drawn(draft.choices());
    if (scales) {
      if (std::optional<Alpha> alpha = draw_alpha(draft, drawn, member == 0 ? 1 : -1)) {
        if (!alpha->exact) traits.exactness = Exactness::kLoose;
        drawn.result.interval = alpha->image;
        Call call{.op = row.name, .forms = kScaled};
        for (const Argument& argument : {drawn.a.argument, drawn.b.argument, alpha->number}) call.add(argument);
        return record_or_out(draft, std::move(call), drawn.result, traits);
      }
    }
    record_or_out(
        draft, {.op = row.name, .forms = forms, .infix = row.infix, .arguments = {drawn.a.argument, drawn.b.argument}},
        drawn.result, traits);
  }
};

const Register<Operator, Arithmetic> registered;

}  // namespace
}  // namespace jp::seedgen::arithmetic_operators
