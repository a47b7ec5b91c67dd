// Selection by a mask. Literal chances here were chosen, not measured.
#include "seedgen/bases/binary.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::where_operators {
namespace {

std::optional<Interval> either(Dtype, Interval a, Interval b) { return hull(a, b); }

std::optional<Interval> complex_either(const ComplexBound& a, const ComplexBound& b) { return hull(a.parts, b.parts); }

constexpr std::string_view kNames[] = {"where"};
constexpr std::string_view kWhere[] = {"torch.where($0, $1, $2)"};
constexpr std::string_view kWhereMethod[] = {"torch.where($0, $1, $2)", "$1.where($0, $2)"};

class Where final : public Operator {
 public:
  std::string_view name() const override { return "where"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t) const override {
    // Both operands are complex or none: torch's own backward fails for a real one combined with a complex one.
    bool complex = draft.choices().chance(1, 16);
    BinaryRule rule{.dtypes = complex ? kComplex : kAnyDtype, .image = either, .number_first = true};
    if (complex) rule.complex = complex_either;
    BinaryDraw drawn = draw_binary(draft, rule);
    Value condition =
        draft.input({.dtypes = kBools, .shape = ShapeWant::broadcasting(drawn.result.shape), .settles = true});
    Value result = elementwise(drawn.result.dtype, drawn.result.interval, {&drawn.result, &condition});
    Forms forms = drawn.number_first ? Forms(kWhere) : Forms(kWhereMethod);
    Call call{.op = "where", .forms = forms, .arguments = {Ref{condition.id}, drawn.a.argument, drawn.b.argument}};
    // `out=` goes with tensors only.
    if (drawn.a.value.id < 0 || drawn.b.value.id < 0) return draft.record(std::move(call), result, {});
    record_or_out(draft, std::move(call), result, {});
  }
};

const Register<Operator, Where> registered;

}  // namespace
}  // namespace jp::seedgen::where_operators
