// Elements chosen by a mask: filled, scattered into, or selected if the number of True is known.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::masked_operators {
namespace {

constexpr std::string_view kNames[] = {"masked_fill", "masked_scatter", "masked_select"};
constexpr std::string_view kForms[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)"};
constexpr std::string_view kSelect[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kInPlace[] = {"$0.#_($1, $2)"};

constexpr std::int64_t kMaxSource = 512;

class Masked final : public Operator {
 public:
  std::string_view name() const override { return "masked"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_fill(draft);
      case 1:
        return draw_scatter(draft);
      default:
        return draw_select(draft);
    }
  }

 private:
  static Value draw_mask(Draft& draft, const Value& x, bool writes) {
    Want want{.dtypes = kBools, .shape = writes ? ShapeWant::into(x.shape) : ShapeWant::broadcasting(x.shape)};
    want.settles = true;
    if (writes) draft.beside(want, x);
    return draft.input(want);
  }

  static void draw_fill(Draft& draft) {
    bool writes = draft.choices().chance(1, 3);
    Value x = draft.input({.dtypes = kEveryDtype, .written = writes});
    Value mask = draw_mask(draft, x, writes);
    Source source = draw_source(draft, x, writes, {.shape = ShapeWant::exactly({})});
    Value result = elementwise(x.dtype, hull(x.interval, source.interval), {&x, &mask});
    result.strides_known = false;
    record_either(draft, writes,
                  {.op = "masked_fill",
                   .forms = writes ? Forms(kInPlace) : Forms(kForms),
                   .arguments = {Ref{x.id}, Ref{mask.id}, source.argument}},
                  x, result, {});
  }

  // At least as many source elements as there are positions: the True ones take the first of them.
  static void draw_scatter(Draft& draft) {
    bool writes = draft.flip();
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any().upto(kMaxSource), .written = writes});
    Value mask = draw_mask(draft, x, writes);
    Shape shape = *broadcast(x.shape, mask.shape);
    Shape places = draft.flip() ? shape : Shape{element_count(shape) + draft.between(0, 2)};
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(places)};
    if (writes) draft.beside(want, x);
    Value source = draft.input(want);
    record_either(draft, writes,
                  {.op = "masked_scatter",
                   .forms = writes ? Forms(kInPlace) : Forms(kForms),
                   .arguments = {Ref{x.id}, Ref{mask.id}, Ref{source.id}}},
                  x, fresh_unknown(x.dtype, shape, hull(x.interval, source.interval)), {});
  }

  // The mask is computed from the sizes alone: a stripe of the last dimension, or a triangle of the last two.
  static void draw_select(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1)});
    std::int64_t columns = x.shape.back();
    std::int64_t rows = x.shape.size() > 1 ? x.shape[x.shape.size() - 2] : 1;
    std::string mask;
    std::int64_t count = 0;
    std::int64_t each = columns;
    if (x.shape.size() > 1 && draft.flip()) {
      std::int64_t diagonal = draft.between(-1, 2);
      mask = fmt::format("torch.ones({}, {}, dtype=torch.bool).tril({})", rows, columns, diagonal);
      for (std::int64_t row = 0; row < rows; ++row) count += std::clamp<std::int64_t>(row + diagonal + 1, 0, columns);
      each = rows * columns;
    } else {
      std::int64_t edge = draft.between(0, std::min<std::int64_t>(columns, 6));
      mask = fmt::format("torch.arange({}) < {}", columns, edge);
      count = edge;
    }
    std::int64_t repeats = each == 0 ? 0 : element_count(x.shape) / each;
    record_or_out(draft, {.op = "masked_select", .forms = kSelect, .arguments = {Ref{x.id}, mask}},
                  fresh_unknown(x.dtype, {count * repeats}, x.interval), {});
  }
};

const Register<Operator, Masked> registered;

}  // namespace
}  // namespace jp::seedgen::masked_operators
