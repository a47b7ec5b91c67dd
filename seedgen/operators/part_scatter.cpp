// A copy of a tensor with a part replaced: select_scatter, slice_scatter, diagonal_scatter, as_strided_scatter.
// Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/strided.h"
#include "seedgen/bases/writes.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::part_scatter_operators {
namespace {

constexpr std::string_view kNames[] = {"select_scatter", "slice_scatter", "diagonal_scatter", "as_strided_scatter"};
constexpr std::string_view kSelect[] = {"torch.#($0, $1, $2, $3)", "$0.#($1, dim=$2, index=$3)"};
constexpr std::string_view kSlice[] = {"torch.#($0, $1, $2, $3, $4, $5)",
                                       "$0.#($1, dim=$2, start=$3, end=$4, step=$5)"};
constexpr std::string_view kDiagonal[] = {"torch.#($0, $1, $2, $3, $4)", "$0.#($1, offset=$2, dim1=$3, dim2=$4)"};
constexpr std::string_view kStrided[] = {"torch.#($0, $1, $2, $3)", "$0.#($1, $2, $3)",
                                         "torch.#($0, $1, $2, $3, storage_offset=$0.storage_offset())"};
// Backward looks for the part at that offset in the gradient, which is a tensor of its own.
constexpr std::string_view kStridedDifferentiable[] = {"torch.#($0, $1, $2, $3)", "$0.#($1, $2, $3)"};

class PartScatter final : public Operator {
 public:
  std::string_view name() const override { return "part_scatter"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_select(draft);
      case 1:
        return draw_slice(draft);
      case 2:
        return draw_diagonal(draft);
      default:
        return draw_strided(draft);
    }
  }

 private:
  static Value draw_part(Draft& draft, const Value& x, const Shape& shape, bool plain = false) {
    return draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(shape), .plain = plain});
  }

  static void record(Draft& draft, Call call, const Value& x, const Value& part) {
    Value result = fresh_unknown(x.dtype, x.shape, hull(x.interval, part.interval));
    if (call.op != "slice_scatter") return draft.record(std::move(call), result, {.saves = Saves::kNothing});
    record_or_out(draft, std::move(call), result, {.saves = Saves::kNothing});
  }

  static void draw_select(Draft& draft) {
    const bool empty = kPolicy.empty_part.drawn(draft.choices());
    // Torch has no derivative for complex numbers.
    const bool complex = draft.choices().chance(1, 8);
    Value x = draft.input({.dtypes = complex ? kComplex : kAnyDtype,
                           .shape = empty ? draw_beside_empty(draft) : ShapeWant::any(1, kMaxRank, 1),
                           .plain = complex});
    Dim dim = empty ? draw_filled_dim(draft, x.shape) : draft.dim(x.shape.size());
    std::int64_t at = draft.between(-x.shape[dim.at], x.shape[dim.at] - 1);
    Shape shape = x.shape;
    shape.erase(dim.at);
    Value part = draw_part(draft, x, shape, complex);
    record(draft, {.op = "select_scatter", .forms = kSelect, .arguments = {Ref{x.id}, Ref{part.id}, dim.written, at}},
           x, part);
  }

  // Ends as slices take them: from either side, or out of range.
  static void draw_slice(Draft& draft) {
    // Torch has no derivative for complex numbers.
    const bool complex = draft.choices().chance(1, 8);
    Value x = draft.input({.dtypes = complex ? kComplex : kAnyDtype, .shape = ShapeWant::any(1), .plain = complex});
    Dim dim = draft.dim(x.shape.size());
    std::int64_t size = x.shape[dim.at];
    std::int64_t start = draft.between(0, size);
    std::int64_t end = draft.between(start, size);
    std::int64_t step = draft.between(1, 3);
    Shape shape = x.shape;
    shape[dim.at] = (end - start + step - 1) / step;
    Value part = draw_part(draft, x, shape, complex);
    std::int64_t written_start = start < size && draft.flip() ? start - size : start;
    std::int64_t written_end = end == size ? size + draft.between(0, 3) : draft.flip() ? end - size : end;
    record(draft,
           {.op = "slice_scatter",
            .forms = kSlice,
            .arguments = {Ref{x.id}, Ref{part.id}, dim.written, written_start, written_end, step}},
           x, part);
  }

  static void draw_diagonal(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(2)});
    Diagonal diagonal = draw_diagonal_of(draft, x.shape);
    Value part = draw_part(draft, x, diagonal.shape);
    record(draft,
           {.op = "diagonal_scatter",
            .forms = kDiagonal,
            .arguments = {Ref{x.id}, Ref{part.id}, diagonal.offset, diagonal.first.written, diagonal.second.written}},
           x, part);
  }

  static void draw_strided(Draft& draft) {
    // Autograd has a derivative for contiguous ones only.
    Want want = want_for_strided();
    want.plain = true;
    Value x = draft.input(want);
    Strided part_of{.shape = {1}, .strides = {1}};
    if (is_dense(x)) part_of = draw_strided_of(draft, x, false);
    Value part = draw_part(draft, x, part_of.shape);
    record(draft,
           {.op = "as_strided_scatter",
            .forms = part.requires_grad ? Forms(kStridedDifferentiable) : Forms(kStrided),
            .arguments = {Ref{x.id}, Ref{part.id}, part_of.shape, part_of.strides}},
           x, part);
  }
};

const Register<Operator, PartScatter> registered;

}  // namespace
}  // namespace jp::seedgen::part_scatter_operators
