// Several tensors joined or combined: stacks by name, block diagonals, products and grids of vectors.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::combine_operators {
namespace {

constexpr std::string_view kNames[] = {"hstack",         "vstack",       "dstack",   "column_stack",      "block_diag",
                                       "cartesian_prod", "combinations", "meshgrid", "broadcast_tensors", "atleast_1d",
                                       "atleast_2d",     "atleast_3d"};
constexpr std::string_view kList[] = {"torch.#($0)", "torch.#(($*0,))"};
constexpr std::string_view kItems[] = {"torch.#($*0)"};
constexpr std::string_view kGrid[] = {"torch.meshgrid($*0, indexing=$1)", "torch.meshgrid($0, indexing=$1)"};
constexpr std::string_view kChoose[] = {"torch.combinations($0, $1, with_replacement=$2)",
                                        "torch.combinations($0, r=$1, with_replacement=$2)"};
constexpr std::string_view kOne[] = {"torch.#($0)"};

constexpr std::int64_t kMaxPart = 512;

// Both intervals after promotion, which rounds if it changes a dtype.
Interval joined(Interval a, Dtype of_a, Interval b, Dtype of_b) {
  Dtype common = promote(of_a, of_b);
  return hull_of_parts(of_a, of_a == common ? a : rounded(a, common), of_b, of_b == common ? b : rounded(b, common));
}

// The parts so far, promoted.
struct Parts {
  std::vector<Ref> refs;
  std::vector<Value> values;
  Dtype dtype = Dtype::kFloat32;
  Interval image;

  void add(const Value& value) {
    image = values.empty() ? value.interval : joined(image, dtype, value.interval, value.dtype);
    dtype = values.empty() ? value.dtype : promote(dtype, value.dtype);
    values.push_back(value);
    refs.push_back({value.id});
  }
};

class Combine final : public Operator {
 public:
  std::string_view name() const override { return "combine"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    if (member <= 3) return draw_stack(draft, member);
    switch (member) {
      case 4:
        return draw_blocks(draft);
      case 5:
        return draw_product(draft);
      case 6:
        return draw_combinations(draft);
      case 7:
        return draw_meshgrid(draft);
      case 8:
        return draw_broadcast(draft);
      default:
        return draw_at_least(draft, member);
    }
  }

 private:
  static Value draw_part(Draft& draft, const Parts& parts, const ShapeWant& shape) {
    Want want{.dtypes = kEveryDtype, .shape = shape, .likely = parts.dtype};
    if (!parts.values.empty())
      want.fits = [&](const Value& value) {
        Dtype common = promote(parts.dtype, value.dtype);
        return inside(joined(parts.image, parts.dtype, value.interval, value.dtype), range_of(common));
      };
    return draft.input(want);
  }

  static void record(Draft& draft, Call call, const Parts& parts, const Shape& shape) {
    Value result = fresh_unknown(parts.dtype, shape, parts.image);
    Traits traits{.exactness = Exactness::kRounded, .saves = Saves::kNothing};
    // Rounded only if a dtype was promoted.
    if (call.op == "block_diag") return draft.record(std::move(call), result, traits);
    record_joined(draft, std::move(call), result, traits);
  }

  // The shape that counts for a part: dstack and the like add dimensions first.
  static Shape lifted(const Shape& shape, std::size_t member) {
    Shape made = shape;
    if (member == 0 && made.empty()) made = {1};
    if (member == 1 && made.size() < 2) made = made.empty() ? Shape{1, 1} : Shape{1, made[0]};
    if (member == 2 && made.size() < 3)
      made = made.empty() ? Shape{1, 1, 1} : made.size() == 1 ? Shape{1, made[0], 1} : Shape{made[0], made[1], 1};
    if (member == 3 && made.size() < 2) made = made.empty() ? Shape{1, 1} : Shape{made[0], 1};
    return made;
  }

  static int joined_dim(const Shape& lifted, std::size_t member) {
    return member == 1 ? 0 : member == 2 ? 2 : lifted.size() == 1 ? 0 : 1;
  }

  static void draw_stack(Draft& draft, std::size_t member) {
    Parts parts;
    parts.add(draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any().upto(kMaxPart)}));
    const Shape& first = parts.values[0].shape;
    Shape shape = lifted(first, member);
    int dim = joined_dim(shape, member);
    // If the first part has that dimension itself, the others may have different sizes.
    Shape pattern = first;
    if (pattern.size() == shape.size()) pattern[dim] = -1;
    for (std::int64_t i = draft.between(0, 2); i > 0; --i) {
      Value next = draw_part(draft, parts, ShapeWant::pattern(pattern).upto(kMaxPart));
      shape[dim] += lifted(next.shape, member)[dim];
      parts.add(next);
    }
    record(draft, {.op = kNames[member], .forms = kList, .arguments = {parts.refs}}, parts, shape);
  }

  static void draw_blocks(Draft& draft) {
    Parts parts;
    Shape shape = {0, 0};
    for (std::int64_t i = draft.between(1, 3); i > 0; --i) {
      // All of one dtype: 0-d parts would count less in a promotion.
      Want want{.dtypes = kEveryDtype, .shape = draw_block_shape(draft)};
      if (!parts.values.empty()) want.dtypes = {parts.dtype};
      Value part = draft.input(want);
      const Shape& sizes = part.shape;
      shape[0] += sizes.size() == 2 ? sizes[0] : 1;
      shape[1] += sizes.empty() ? 1 : sizes.back();
      parts.add(part);
    }
    parts.image = hull(parts.image, {0, 0});
    record(draft, {.op = "block_diag", .forms = kItems, .arguments = {parts.refs}}, parts, shape);
  }

  static ShapeWant draw_block_shape(Draft& draft) {
    Shape pattern;
    for (std::int64_t i = draft.between(0, 2); i > 0; --i) pattern.push_back(-1);
    return ShapeWant::pattern(pattern, 0, 17);
  }

  // One, two or three vectors of one dtype.
  static Parts draw_vectors(Draft& draft, std::int64_t count, std::int64_t most) {
    Parts parts;
    for (std::int64_t i = 0; i < count; ++i) {
      Want want{.dtypes = kEveryDtype, .shape = ShapeWant::pattern({-1}, 1, most)};
      if (i > 0) want.dtypes = {parts.dtype};
      parts.add(draft.input(want));
    }
    return parts;
  }

  static void draw_product(Draft& draft) {
    std::int64_t count = draft.between(2, 3);
    Parts parts = draw_vectors(draft, count, 9);
    std::int64_t rows = 1;
    for (const Value& value : parts.values) rows *= value.shape[0];
    draft.record({.op = "cartesian_prod", .forms = kItems, .arguments = {parts.refs}},
                 fresh_unknown(parts.dtype, {rows, count}, parts.image), {.saves = Saves::kNothing});
  }

  static void draw_combinations(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::pattern({-1}, 1, 9)});
    std::int64_t chosen = draft.between(1, 3);
    bool again = draft.flip();
    // k of n things: with replacement, of n + k - 1.
    std::int64_t things = x.shape[0] + (again ? chosen - 1 : 0);
    std::int64_t rows = 1;
    for (std::int64_t i = 0; i < chosen; ++i) rows = rows * std::max<std::int64_t>(things - i, 0) / (i + 1);
    draft.record({.op = "combinations", .forms = kChoose, .arguments = {Ref{x.id}, chosen, again}},
                 fresh_unknown(x.dtype, {rows, chosen}, x.interval), {});
  }

  // Expanded views: several views of one vector if it is given twice.
  static void draw_meshgrid(Draft& draft) {
    std::int64_t count = draft.between(2, 3);
    draft.beside_nobody();
    Parts parts = draw_vectors(draft, count, 9);
    bool swaps = draft.flip();
    Shape shape;
    for (const Value& value : parts.values) shape.push_back(value.shape[0]);
    if (swaps) std::swap(shape[0], shape[1]);
    std::vector<Value> grids;
    for (const Value& value : parts.values) {
      Value grid = view_of(value, shape);
      grid.overlaps_itself = true;
      grids.push_back(grid);
    }
    draft.record(
        {.op = "meshgrid", .forms = kGrid, .arguments = {parts.refs, std::string(swaps ? "\"xy\"" : "\"ij\"")}},
        std::move(grids), {.saves = Saves::kNothing, .itemwise = true});
  }

  static void draw_broadcast(Draft& draft) {
    Parts parts;
    draft.beside_nobody();
    parts.add(draft.input({.dtypes = kEveryDtype}));
    Value second = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::broadcasting(parts.values[0].shape)});
    parts.add(second);
    Shape shape = *broadcast(parts.values[0].shape, second.shape);
    std::vector<Value> results;
    for (const Value& value : parts.values) {
      Value view = view_of(value, shape);
      if (value.shape == shape) view = view_of(value, shape, value.strides);
      view.overlaps_itself = value.overlaps_itself || element_count(shape) > element_count(value.shape);
      results.push_back(view);
    }
    draft.record({.op = "broadcast_tensors", .forms = kItems, .arguments = {parts.refs}}, std::move(results),
                 {.saves = Saves::kNothing, .itemwise = true});
  }

  // A view with more dimensions, or the tensor itself.
  static void draw_at_least(Draft& draft, std::size_t member) {
    Value x = draft.input({.dtypes = kEveryDtype});
    Shape shape = lifted(x.shape, member == 9 ? 0 : member == 10 ? 1 : 2);
    Value result = shape == x.shape ? view_of(x, shape, x.strides) : view_of(x, shape);
    draft.record({.op = kNames[member], .forms = kOne, .arguments = {Ref{x.id}}}, result, {.saves = Saves::kNothing});
  }
};

const Register<Operator, Combine> registered;

}  // namespace
}  // namespace jp::seedgen::combine_operators
