// Relatives of basic indexing: views of a part. Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/strided.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::slice_operators {
namespace {

constexpr std::string_view kNames[] = {"select", "narrow", "diagonal", "unfold"};
constexpr std::string_view kSelect[] = {"torch.select($0, $1, $2)", "$0.select($1, $2)"};
constexpr std::string_view kNarrow[] = {"torch.narrow($0, $1, $2, $3)", "$0.narrow($1, $2, $3)",
                                        "torch.narrow($0, $1, torch.tensor($2), $3)"};
constexpr std::string_view kDiagonal[] = {"torch.diagonal($0)", "$0.diagonal()"};
constexpr std::string_view kDiagonalOf[] = {"torch.diagonal($0, $1, $2, $3)",
                                            "$0.diagonal(offset=$1, dim1=$2, dim2=$3)"};
constexpr std::string_view kUnfold[] = {"$0.unfold($1, $2, $3)"};

// The view built up dimension by dimension.
struct Part {
  Shape shape;
  Strides strides;
  void add(std::int64_t size, std::int64_t stride) {
    shape.push_back(size);
    strides.push_back(stride);
  }
};

std::int64_t stride_of(const Value& x, int dim) { return x.strides_known ? x.strides[dim] : 0; }

class Slice final : public Operator {
 public:
  std::string_view name() const override { return "slice"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_select(draft);
      case 1:
        return draw_narrow(draft);
      case 2:
        return draw_diagonal(draft);
      default:
        return draw_unfold(draft);
    }
  }

 private:
  static void record(Draft& draft, Call call, const Value& x, const Part& part) {
    draft.record(std::move(call), view_of(x, part.shape, part.strides), {.saves = Saves::kNothing});
  }

  static void draw_select(Draft& draft) {
    const bool empty = kPolicy.empty_part.drawn(draft.choices());
    Value x = draft.input(
        {.dtypes = kEveryDtype, .shape = empty ? draw_beside_empty(draft) : ShapeWant::any(1, kMaxRank, 1)});
    Dim dim = empty ? draw_filled_dim(draft, x.shape) : draft.dim(x.shape.size());
    std::int64_t at = draft.between(-x.shape[dim.at], x.shape[dim.at] - 1);
    Part part{x.shape, x.strides};
    part.shape.erase(dim.at);
    if (x.strides_known) part.strides.erase(dim.at);
    record(draft, {.op = "select", .forms = kSelect, .arguments = {Ref{x.id}, dim.written, at}}, x, part);
  }

  static void draw_narrow(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1)});
    Dim dim = draft.dim(x.shape.size());
    std::int64_t size = x.shape[dim.at];
    std::int64_t start = draft.between(0, size);
    const std::int64_t least = draft.choices().chance(1, 4) ? 0 : std::min<std::int64_t>(1, size - start);
    std::int64_t length = draft.between(least, size - start);
    const std::int64_t written = start < size && draft.flip() ? start - size : start;
    Part part{x.shape, x.strides};
    part.shape[dim.at] = length;
    record(draft, {.op = "narrow", .forms = kNarrow, .arguments = {Ref{x.id}, dim.written, written, length}}, x, part);
  }

  static void draw_diagonal(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(2)});
    bool plain = draft.choices().chance(1, 4);
    Diagonal diagonal{.second = {1, 1}};
    if (!plain) diagonal = draw_diagonal_of(draft, x.shape);
    Part part;
    for (int i = 0; i < x.shape.size(); ++i)
      if (i != diagonal.first.at && i != diagonal.second.at) part.add(x.shape[i], stride_of(x, i));
    std::int64_t length = plain ? std::min(x.shape[0], x.shape[1]) : diagonal.shape.back();
    part.add(length, stride_of(x, diagonal.first.at) + stride_of(x, diagonal.second.at));
    Call call{.op = "diagonal", .forms = plain ? Forms(kDiagonal) : Forms(kDiagonalOf), .arguments = {Ref{x.id}}};
    if (!plain) {
      call.add(diagonal.offset);
      call.add(diagonal.first.written);
      call.add(diagonal.second.written);
    }
    record(draft, std::move(call), x, part);
  }

  // Windows along a dimension, which overlap where they are wider than their step.
  static void draw_unfold(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1, kMaxRank - 1, 1).upto(kMaxElements / 3)});
    Dim dim = draft.dim(x.shape.size());
    std::int64_t width = draft.between(1, std::min<std::int64_t>(3, x.shape[dim.at]));
    std::int64_t step = draft.between(1, 3);
    Part part{x.shape, x.strides};
    part.shape[dim.at] = (x.shape[dim.at] - width) / step + 1;
    part.shape.push_back(width);
    if (x.strides_known) {
      part.strides.push_back(x.strides[dim.at]);
      part.strides[dim.at] *= step;
    }
    Value result = view_of(x, part.shape, part.strides);
    result.overlaps_itself = x.overlaps_itself || width > step;
    draft.record({.op = "unfold", .forms = kUnfold, .arguments = {Ref{x.id}, dim.written, width, step}}, result,
                 {.saves = Saves::kNothing});
  }
};

const Register<Operator, Slice> registered;

}  // namespace
}  // namespace jp::seedgen::slice_operators
