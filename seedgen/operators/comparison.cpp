// Comparisons and logic: results are bool, operands exact or clear of one another, of 0 for logic.
#include "seedgen/bases/binary.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::comparison_operators {
namespace {

Dtype boolean(Dtype) { return Dtype::kBool; }
std::optional<Interval> truth(Dtype, Interval, Interval) { return Interval{0, 1}; }

std::optional<Interval> complex_truth(const ComplexBound&, const ComplexBound&) { return Interval{0, 1}; }

struct Row {
  std::string_view name;
  std::string_view infix;
  bool logical;
  bool ordered = true;
};

constexpr Row kRows[] = {
    {"eq", "$0 == $1", false, false}, {"ne", "$0 != $1", false, false}, {"lt", "$0 < $1", false},
    {"le", "$0 <= $1", false},        {"gt", "$0 > $1", false},         {"ge", "$0 >= $1", false},
    {"logical_and", "", true},        {"logical_or", "", true},         {"logical_xor", "", true},
};

// Few floats are equal, and few are 0.
bool is_whole(const Value& value) { return is_integral(value.dtype); }

constexpr BinaryRule kCompare = {
    .image = truth, .result = boolean, .discontinuous = true, .steps = Steps::kMeeting, .preferred_meeting = overlap};
constexpr BinaryRule kSame = {.image = truth,
                              .result = boolean,
                              .discontinuous = true,
                              .steps = Steps::kMeeting,
                              .preferred_first = is_whole,
                              .preferred_second = is_whole,
                              .preferred_meeting = overlap,
                              .complex = complex_truth};
constexpr BinaryRule kLogic = {.image = truth,
                               .result = boolean,
                               .discontinuous = true,
                               .steps = Steps::kZero,
                               .preferred_first = some_zeros,
                               .preferred_second = some_zeros,
                               .number_second = false,
                               .complex = complex_truth};

constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)"};

class Comparison final : public Operator {
 public:
  std::string_view name() const override { return "comparison"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    BinaryDraw drawn = draw_binary(draft, row.logical ? kLogic : row.ordered ? kCompare : kSame);
    record_or_out(
        draft, {.op = row.name, .forms = kForms, .infix = row.infix, .arguments = {drawn.a.argument, drawn.b.argument}},
        drawn.result, {.saves = Saves::kNothing, .differentiable = false, .decided = drawn.decided});
  }
};

const Register<Operator, Comparison> registered;

}  // namespace
}  // namespace jp::seedgen::comparison_operators
