// Selection by a mask.
#include "seedgen/binary.h"
#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

std::optional<Interval> either(Dtype, Interval a, Interval b) { return hull(a, b); }

constexpr std::string_view kNames[] = {"where", "masked_fill"};
constexpr std::string_view kWhere[] = {"torch.where($0, $1, $2)"};
constexpr std::string_view kWhereMethod[] = {"torch.where($0, $1, $2)", "$1.where($0, $2)"};
constexpr std::string_view kFill[] = {"torch.masked_fill($0, $1, $2)", "$0.masked_fill($1, $2)"};

class Where final : public Operator {
 public:
  std::string_view name() const override { return "where"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override { member == 0 ? draw_where(draft) : draw_fill(draft); }

 private:
  static void draw_where(Draft& draft) {
    BinaryRule rule{.image = either, .number_first = true};
    BinaryDraw drawn = draw_binary(draft, rule);
    Value condition = draft.input({.dtypes = kBools, .shape = ShapeWant::broadcasting(drawn.result.shape)});
    Value result = elementwise(drawn.result.dtype, drawn.result.interval, {&drawn.result, &condition});
    Forms forms = drawn.number_first ? Forms(kWhere) : Forms(kWhereMethod);
    draft.record({.op = "where", .forms = forms, .arguments = {Ref{condition.id}, drawn.a.argument, drawn.b.argument}},
                 result, {});
  }

  static void draw_fill(Draft& draft) {
    Value x = draft.input({});
    Value mask = draft.input({.dtypes = kBools, .shape = ShapeWant::broadcasting(x.shape)});
    bool negative = x.dtype != Dtype::kBool && x.dtype != Dtype::kUInt8;
    double number = static_cast<double>(draft.between(negative ? -2 : 0, 1)) * (is_floating(x.dtype) ? 0.5 : 1);
    Value result = elementwise(x.dtype, hull(x.interval, {number, number}), {&x, &mask});
    result.strides_known = false;
    Call call{.op = "masked_fill", .forms = kFill, .arguments = {Ref{x.id}, Ref{mask.id}}};
    call.add(python_number(x.dtype, number));
    draft.record(std::move(call), result, {});
  }
};

const Register<Operator, Where> registered;

}  // namespace
}  // namespace jp::seedgen
