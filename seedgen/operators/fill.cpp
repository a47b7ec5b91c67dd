// Tensors of one number: new ones like another, and numbers written in place.
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::fill_operators {
namespace {

struct Row {
  std::string_view name;
  bool in_place;
};
constexpr Row kRows[] = {
    {"full_like", false}, {"zeros_like", false}, {"ones_like", false}, {"fill_", true}, {"masked_fill_", true}};

constexpr std::string_view kFull[] = {"torch.full_like($0, $1)"};
constexpr std::string_view kLike[] = {"torch.#($0)"};
constexpr std::string_view kLikeDtype[] = {"torch.#($0, dtype=$1)"};
constexpr std::string_view kLikeContiguous[] = {"torch.#($0, memory_format=torch.contiguous_format)"};
constexpr std::string_view kFill[] = {"$0.fill_($1)"};
constexpr Dtype kDtypes[] = {Dtype::kFloat32, Dtype::kFloat64, Dtype::kInt64,     Dtype::kInt16,
                             Dtype::kBool,    Dtype::kFloat16, Dtype::kComplex64, Dtype::kBFloat16};
constexpr std::string_view kMasked[] = {"$0.masked_fill_($1, $2)"};

class Fill final : public Operator {
 public:
  std::string_view name() const override { return "fill"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }
  bool constant(std::size_t member) const override { return kRows[member].name != "masked_fill_"; }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Value x = draft.input({.dtypes = kEveryDtype, .written = row.in_place, .metadata_only = member < 4});
    Call call{.op = row.name, .forms = kLike, .arguments = {Ref{x.id}}};
    double number = member == 1 ? 0 : member == 2 ? 1 : static_cast<double>(draft.between(0, 3));
    if (x.dtype == Dtype::kBool) number = std::min(number, 1.0);
    if (has_gradients(x.dtype) && (member == 0 || member > 2)) number /= 2;
    Interval image = of_number(x.dtype, number);
    if (member == 3 && kPolicy.in_place_number.drawn(draft.choices())) return draw_fill(draft, x);
    if ((member == 1 || member == 2) && kPolicy.other_dtype.drawn(draft.choices())) {
      const Dtype dtype = kDtypes[draft.choices().below(std::size(kDtypes))];
      call.forms = kLikeDtype;
      call.add(dtype);
      return draft.record(std::move(call), elementwise(dtype, of_number(dtype, number), {&x}),
                          {.saves = Saves::kNothing, .differentiable = false});
    }
    if ((member == 1 || member == 2) && kPolicy.memory_format.drawn(draft.choices())) {
      call.forms = kLikeContiguous;
      return draft.record(std::move(call), fresh(x.dtype, x.shape, image),
                          {.saves = Saves::kNothing, .differentiable = false});
    }
    if (member == 4) {
      Want want{.dtypes = kBools, .shape = ShapeWant::into(x.shape)};
      draft.beside(want, x);
      Value mask = draft.input(want);
      call.add(Ref{mask.id});
      image = hull(x.interval, image);
    }
    if (member == 0 || member > 2) call.add(python_number(x.dtype, number));
    if (member == 0) call.forms = kFull;
    if (member == 3) call.forms = kFill;
    if (member == 4) call.forms = kMasked;
    if (row.in_place) return draft.record_write(std::move(call), x, image, {});
    draft.record(std::move(call), elementwise(x.dtype, image, {&x}),
                 {.saves = Saves::kNothing, .differentiable = false});
  }

 private:
  // With the element of another tensor.
  static void draw_fill(Draft& draft, const Value& x) {
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly({})};
    draft.beside(want, x);
    const Value element = draft.input(want);
    draft.record_write({.op = "fill_", .forms = kFill, .arguments = {Ref{x.id}, Ref{element.id}}}, x, element.interval,
                       {});
  }
};

const Register<Operator, Fill> registered;

}  // namespace
}  // namespace jp::seedgen::fill_operators
