// The elements of views as new tensors: the _copy family.
// Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/strided.h"
#include "seedgen/bases/writes.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::copy_operators {
namespace {

constexpr std::string_view kNames[] = {
    "view_copy",      "expand_copy", "permute_copy",   "slice_copy",    "select_copy", "squeeze_copy",
    "unsqueeze_copy", "t_copy",      "transpose_copy", "diagonal_copy", "unfold_copy", "as_strided_copy",
    "detach_copy",    "alias_copy",  "narrow_copy",    "split_copy",    "unbind_copy"};
constexpr std::string_view kNone[] = {"torch.#($0)"};
constexpr std::string_view kOne[] = {"torch.#($0, $1)"};
constexpr std::string_view kDim[] = {"torch.#($0, $1)", "torch.#($0, dim=$1)"};
constexpr std::string_view kTwo[] = {"torch.#($0, $1, $2)"};
constexpr std::string_view kStrided[] = {"torch.#($0, $1, $2)",
                                         "torch.#($0, $1, $2, storage_offset=$0.storage_offset())"};
constexpr std::string_view kDims[] = {"torch.#($0, $1, $2)", "torch.#($0, dim0=$1, dim1=$2)"};
constexpr std::string_view kThree[] = {"torch.#($0, $1, $2, $3)"};
constexpr std::string_view kSlice[] = {"torch.#($0, $1, $2, $3, $4)", "torch.#($0, dim=$1, start=$2, end=$3, step=$4)"};
constexpr std::string_view kDiagonal[] = {"torch.#($0, offset=$1, dim1=$2, dim2=$3)"};

class Copy final : public Operator {
 public:
  std::string_view name() const override { return "copy"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    using Drawn = void (*)(Draft&, Call);
    constexpr Drawn kDraws[] = {draw_view,      draw_expand, draw_permute,   draw_slice,    draw_select, draw_squeeze,
                                draw_unsqueeze, draw_t,      draw_transpose, draw_diagonal, draw_unfold, draw_strided,
                                draw_same,      draw_same,   draw_narrow,    draw_split,    draw_unbind};
    static_assert(std::size(kDraws) == std::size(kNames));
    kDraws[member](draft, {.op = kNames[member], .forms = kNone});
  }

 private:
  static Value draw_input(Draft& draft, Call& call, const ShapeWant& shape) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = shape});
    call.add(Ref{x.id});
    return x;
  }

  static void record(Draft& draft, Call call, const Value& x, const Shape& shape) {
    Value result = fresh_unknown(x.dtype, shape, x.interval);
    // Eager's narrow_copy writes beyond the gaps of a strided `out=`.
    if (call.op == "narrow_copy") return draft.record(std::move(call), result, {.saves = Saves::kNothing});
    record_or_out(draft, std::move(call), result, {.saves = Saves::kNothing});
  }

  // One dimension split in two, or two merged: an arbitrary shape would need a layout that allows it.
  static void draw_view(Draft& draft, Call call) {
    Want want{.dtypes = kEveryDtype};
    want.live = [](const Value& value) { return is_contiguous(value); };
    Value x = draft.input(want);
    Shape shape = x.shape;
    if (is_contiguous(x)) {
      if (shape.size() >= 2 && draft.flip()) {
        shape[0] *= shape[1];
        shape.erase(1);
      } else if (shape.size() < kMaxRank) {
        shape.insert(static_cast<int>(draft.between(0, shape.size())), 1);
      }
    }
    call.forms = kOne;
    call.add(Ref{x.id});
    call.add(shape);
    record(draft, std::move(call), x, shape);
  }

  static void draw_expand(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any().upto(512));
    Shape shape = x.shape;
    std::int64_t room = 12;
    for (std::int64_t& size : shape) {
      if (size != 1) continue;
      size = draft.between(1, std::min<std::int64_t>(room, 4));
      room /= size;
    }
    if (shape.empty() || (shape.size() < kMaxRank && kPolicy.one_dimension_more.drawn(draft.choices())))
      shape.insert(0, draft.between(1, std::min<std::int64_t>(room, 3)));
    call.forms = kOne;
    call.add(shape);
    record(draft, std::move(call), x, shape);
  }

  static void draw_permute(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any(1));
    Ints written;
    Shape shape;
    for (Dim dim : draft.dims(x.shape.size(), x.shape.size())) {
      written.push_back(dim.written);
      shape.push_back(x.shape[dim.at]);
    }
    call.forms = kOne;
    call.add(written);
    record(draft, std::move(call), x, shape);
  }

  static void draw_slice(Draft& draft, Call call) {
    // Torch has no derivative for complex numbers.
    const bool complex = draft.choices().chance(1, 8);
    Value x = draft.input({.dtypes = complex ? kComplex : kAnyDtype, .shape = ShapeWant::any(1), .plain = complex});
    call.add(Ref{x.id});
    Dim dim = draft.dim(x.shape.size());
    std::int64_t size = x.shape[dim.at];
    std::int64_t start = draft.between(0, size);
    std::int64_t end = draft.between(start, size);
    std::int64_t step = draft.between(1, 3);
    Shape shape = x.shape;
    shape[dim.at] = (end - start + step - 1) / step;
    call.forms = kSlice;
    call.add(dim.written);
    call.add(start < size && draft.flip() ? start - size : start);
    call.add(end == size ? size + draft.between(0, 2) : end);
    call.add(step);
    record(draft, std::move(call), x, shape);
  }

  static void draw_select(Draft& draft, Call call) {
    const bool empty = kPolicy.empty_part.drawn(draft.choices());
    // Torch has no derivative for complex numbers.
    const bool complex = draft.choices().chance(1, 8);
    Value x = draft.input({.dtypes = complex ? kComplex : kAnyDtype,
                           .shape = empty ? draw_beside_empty(draft) : ShapeWant::any(1, kMaxRank, 1),
                           .plain = complex});
    call.add(Ref{x.id});
    Dim dim = empty ? draw_filled_dim(draft, x.shape) : draft.dim(x.shape.size());
    Shape shape = x.shape;
    shape.erase(dim.at);
    call.forms = kTwo;
    call.add(dim.written);
    call.add(draft.between(-x.shape[dim.at], x.shape[dim.at] - 1));
    record(draft, std::move(call), x, shape);
  }

  static void draw_squeeze(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any());
    Shape shape = x.shape;
    if (shape.empty() || draft.flip()) {
      for (int dim = shape.size() - 1; dim >= 0; --dim)
        if (shape[dim] == 1) shape.erase(dim);
    } else {
      Dim dim = draft.dim(shape.size());
      if (shape[dim.at] == 1) shape.erase(dim.at);
      call.forms = kDim;
      call.add(dim.written);
    }
    record(draft, std::move(call), x, shape);
  }

  static void draw_unsqueeze(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any(0, kMaxRank - 1));
    Dim dim = draft.dim(x.shape.size() + 1);
    Shape shape = x.shape;
    shape.insert(dim.at, 1);
    call.forms = kDim;
    call.add(dim.written);
    record(draft, std::move(call), x, shape);
  }

  static void draw_t(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any(0, 2));
    Shape shape = x.shape;
    if (shape.size() == 2) std::swap(shape[0], shape[1]);
    record(draft, std::move(call), x, shape);
  }

  static void draw_transpose(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any(1));
    Dim first = draft.dim(x.shape.size());
    Dim second = draft.dim(x.shape.size());
    Shape shape = x.shape;
    std::swap(shape[first.at], shape[second.at]);
    call.forms = kDims;
    call.add(first.written);
    call.add(second.written);
    record(draft, std::move(call), x, shape);
  }

  static void draw_diagonal(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any(2));
    Diagonal diagonal = draw_diagonal_of(draft, x.shape);
    call.forms = kDiagonal;
    call.add(diagonal.offset);
    call.add(diagonal.first.written);
    call.add(diagonal.second.written);
    record(draft, std::move(call), x, diagonal.shape);
  }

  static void draw_unfold(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any(1, kMaxRank - 1, 1).upto(kMaxElements / 3));
    Dim dim = draft.dim(x.shape.size());
    std::int64_t width = draft.between(1, std::min<std::int64_t>(3, x.shape[dim.at]));
    std::int64_t step = draft.between(1, 3);
    Shape shape = x.shape;
    shape[dim.at] = (x.shape[dim.at] - width) / step + 1;
    shape.push_back(width);
    call.forms = kThree;
    call.add(dim.written);
    call.add(width);
    call.add(step);
    record(draft, std::move(call), x, shape);
  }

  static void draw_strided(Draft& draft, Call call) {
    Value x = draft.input(want_for_strided());
    Strided part{.shape = {1}, .strides = {1}};
    if (is_dense(x)) part = draw_strided_of(draft, x, draft.flip());
    call.forms = kStrided;
    call.add(Ref{x.id});
    call.add(part.shape);
    call.add(part.strides);
    record(draft, std::move(call), x, part.shape);
  }

  // Autograd has no derivative of detach_copy.
  static void draw_same(Draft& draft, Call call) {
    Value x = draft.input({.dtypes = kEveryDtype, .plain = call.op == "detach_copy"});
    call.add(Ref{x.id});
    record(draft, std::move(call), x, x.shape);
  }

  static void draw_narrow(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any(1));
    Dim dim = draft.dim(x.shape.size());
    std::int64_t size = x.shape[dim.at];
    std::int64_t start = draft.between(0, size);
    Shape shape = x.shape;
    shape[dim.at] = draft.between(0, size - start);
    call.forms = kThree;
    call.add(dim.written);
    call.add(start);
    call.add(shape[dim.at]);
    record(draft, std::move(call), x, shape);
  }

  static void draw_split(Draft& draft, Call call) {
    Value x = draw_input(draft, call, ShapeWant::any(1, kMaxRank, 2));
    Dim dim = draft.dim(x.shape.size());
    std::int64_t size = x.shape[dim.at];
    std::int64_t count = std::min(size, draft.between(2, 4));
    std::int64_t part = (size + count - 1) / count;
    std::vector<Value> parts;
    for (std::int64_t left = size; left > 0; left -= part) {
      Shape shape = x.shape;
      shape[dim.at] = std::min(part, left);
      parts.push_back(fresh_unknown(x.dtype, shape, x.interval));
    }
    call.forms = kTwo;
    call.add(part);
    call.add(dim.written);
    draft.record(std::move(call), std::move(parts), {.saves = Saves::kNothing});
  }

  static void draw_unbind(Draft& draft, Call call) {
    Shape pattern = {draft.between(2, 4)};
    for (std::int64_t i = draft.between(0, 3); i > 0; --i) pattern.push_back(-1);
    Value x = draw_input(draft, call, ShapeWant::pattern(pattern));
    Shape shape = x.shape;
    shape.erase(0);
    call.forms = kDim;
    call.add(draft.flip() ? std::int64_t{0} : std::int64_t{-x.shape.size()});
    draft.record(std::move(call),
                 std::vector<Value>(static_cast<std::size_t>(x.shape[0]), fresh_unknown(x.dtype, shape, x.interval)),
                 {.saves = Saves::kNothing});
  }
};

const Register<Operator, Copy> registered;

}  // namespace
}  // namespace jp::seedgen::copy_operators
