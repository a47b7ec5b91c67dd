// Basic indexing and its relatives: views of a part. `v0[1:, ::2, None]`, select, narrow, diagonal.
#include <fmt/format.h>

#include <algorithm>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"getitem", "select", "narrow", "diagonal", "unfold"};
constexpr std::string_view kGetitem[] = {"$0[$1]"};
constexpr std::string_view kSelect[] = {"torch.select($0, $1, $2)", "$0.select($1, $2)"};
constexpr std::string_view kNarrow[] = {"torch.narrow($0, $1, $2, $3)", "$0.narrow($1, $2, $3)"};
constexpr std::string_view kDiagonal[] = {"torch.diagonal($0)", "$0.diagonal()"};
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
        return draw_getitem(draft);
      case 1:
        return draw_select(draft);
      case 2:
        return draw_narrow(draft);
      case 3:
        return draw_diagonal(draft);
      default:
        return draw_unfold(draft);
    }
  }

 private:
  static void record(Draft& draft, Call call, const Value& x, const Part& part) {
    draft.record(std::move(call), view_of(x, part.shape, part.strides), {.saves = Saves::kNothing});
  }

  // One item of the subscript and what it makes of the dimension.
  static std::string draw_item(Draft& draft, const Value& x, int dim, Part& part) {
    std::int64_t size = x.shape[dim];
    std::int64_t stride = stride_of(x, dim);
    std::uint64_t kind = draft.choices().below(6);
    if (kind == 0 && size > 0) return fmt::format("{}", draft.between(-size, size - 1));
    if (kind <= 2) {
      part.add(size, stride);
      return ":";
    }
    std::int64_t start = draft.between(0, std::min<std::int64_t>(2, size));
    std::int64_t stop = draft.flip() ? size : draft.between(start, size);
    std::int64_t step = draft.choices().chance(1, 3) ? draft.between(2, 3) : 1;
    part.add((stop - start + step - 1) / step, stride * step);
    std::string text = start > 0 ? fmt::format("{}:", start) : ":";
    if (stop < size) text += fmt::format("{}", draft.flip() ? stop - size : stop);
    if (step > 1) text += fmt::format(":{}", step);
    return text;
  }

  static void draw_getitem(Draft& draft) {
    Value x = draft.input({.shape = ShapeWant::any(1)});
    int rank = x.shape.size();
    auto items = static_cast<int>(draft.between(1, rank));
    bool from_back = items < rank && draft.choices().chance(1, 4);
    Part part;
    std::string text;
    if (from_back) {
      text = "...";
      for (int dim = 0; dim < rank - items; ++dim) part.add(x.shape[dim], stride_of(x, dim));
    }
    for (int i = 0; i < items; ++i) {
      if (!text.empty()) text += ", ";
      text += draw_item(draft, x, from_back ? rank - items + i : i, part);
    }
    if (rank < kMaxRank && !from_back && draft.choices().chance(1, 8)) {
      text += ", None";
      part.add(1, 0);
    }
    if (!from_back)
      for (int dim = items; dim < rank; ++dim) part.add(x.shape[dim], stride_of(x, dim));
    record(draft, {.op = "getitem", .forms = kGetitem, .arguments = {Ref{x.id}, text}}, x, part);
  }

  static void draw_select(Draft& draft) {
    Value x = draft.input({.shape = ShapeWant::any(1, kMaxRank, 1)});
    Dim dim = draft.dim(x.shape.size());
    std::int64_t at = draft.between(-x.shape[dim.at], x.shape[dim.at] - 1);
    Part part{x.shape, x.strides};
    part.shape.erase(dim.at);
    if (x.strides_known) part.strides.erase(dim.at);
    record(draft, {.op = "select", .forms = kSelect, .arguments = {Ref{x.id}, dim.written, at}}, x, part);
  }

  static void draw_narrow(Draft& draft) {
    Value x = draft.input({.shape = ShapeWant::any(1)});
    Dim dim = draft.dim(x.shape.size());
    std::int64_t size = x.shape[dim.at];
    std::int64_t start = draft.between(0, size);
    std::int64_t length = draft.between(std::min<std::int64_t>(1, size - start), size - start);
    Part part{x.shape, x.strides};
    part.shape[dim.at] = length;
    record(draft, {.op = "narrow", .forms = kNarrow, .arguments = {Ref{x.id}, dim.written, start, length}}, x, part);
  }

  static void draw_diagonal(Draft& draft) {
    Value x = draft.input({.shape = ShapeWant::any(2)});
    Part part;
    for (int i = 2; i < x.shape.size(); ++i) part.add(x.shape[i], stride_of(x, i));
    part.add(std::min(x.shape[0], x.shape[1]), stride_of(x, 0) + stride_of(x, 1));
    record(draft, {.op = "diagonal", .forms = kDiagonal, .arguments = {Ref{x.id}}}, x, part);
  }

  // Windows along a dimension, which overlap where they are wider than their step.
  static void draw_unfold(Draft& draft) {
    Value x = draft.input({.shape = ShapeWant::any(1, kMaxRank - 1, 1).upto(kMaxElements / 3)});
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
}  // namespace jp::seedgen
