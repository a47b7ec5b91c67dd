// Indexing by tensors: every index lies inside its dimension, live integers included.
#include <algorithm>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"index_select", "gather",         "take_along_dim", "take",
                                       "embedding",    "getitem_tensor", "index_add",      "scatter_add"};
constexpr std::string_view kDimIndex[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)"};
constexpr std::string_view kAlong[] = {"torch.take_along_dim($0, $2, dim=$1)", "$0.take_along_dim($2, dim=$1)"};
constexpr std::string_view kTake[] = {"torch.take($0, $1)", "$0.take($1)"};
constexpr std::string_view kEmbedding[] = {"torch.nn.functional.embedding($1, $0)"};
constexpr std::string_view kGetitem[] = {"$0[$1]"};
constexpr std::string_view kAdd[] = {"torch.#($0, $1, $2, $3)", "$0.#($1, $2, $3)"};

constexpr DtypeSet kIndex = {Dtype::kInt64};
constexpr std::int64_t kMaxSource = 512;

Want want_index(const ShapeWant& shape, std::int64_t size, bool negative = false) {
  Interval within = {negative ? -static_cast<double>(size) : 0, static_cast<double>(size) - 1};
  return {.dtypes = kIndex, .shape = shape, .within = within};
}

class Index final : public Operator {
 public:
  std::string_view name() const override { return "index"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_index_select(draft);
      case 1:
      case 2:
        return draw_gather(draft, member);
      case 3:
        return draw_take(draft);
      case 4:
        return draw_rows(draft, "embedding", kEmbedding, ShapeWant::any(2, 2, 1), kFloats);
      case 5:
        return draw_rows(draft, "getitem_tensor", kGetitem, ShapeWant::any(1, 4, 1), kAnyDtype);
      case 6:
        return draw_index_add(draft);
      default:
        return draw_scatter_add(draft);
    }
  }

 private:
  static Value draw_source(Draft& draft, const ShapeWant& shape, DtypeSet dtypes = kAnyDtype) {
    return draft.input({.dtypes = dtypes, .shape = shape});
  }

  static Shape draw_vector(Draft& draft) { return {draw_size(draft.choices(), 0, 8)}; }

  static void draw_index_select(Draft& draft) {
    Value x = draw_source(draft, ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource));
    Dim dim = draft.dim(x.shape.size());
    Shape length = draw_vector(draft);
    Value index = draft.input(want_index(ShapeWant::exactly(length), x.shape[dim.at]));
    Shape shape = x.shape;
    shape[dim.at] = length[0];
    draft.record({.op = "index_select", .forms = kDimIndex, .arguments = {Ref{x.id}, dim.written, Ref{index.id}}},
                 fresh_unknown(x.dtype, shape, x.interval), {});
  }

  // An index of the source's rank; smaller in the other dimensions for gather, which need not cover them.
  static Shape draw_index_shape(Draft& draft, const Shape& source, int dim, bool smaller) {
    Shape shape = source;
    std::int64_t elements = 1;
    for (int i = 0; i < shape.size(); ++i) {
      std::int64_t most = std::max<std::int64_t>(1, 64 / elements);
      if (i == dim)
        shape[i] = draft.between(1, std::min<std::int64_t>(most, 5));
      else if (smaller)
        shape[i] = draft.between(1, std::min(most, shape[i]));
      elements *= shape[i];
    }
    return shape;
  }

  static void draw_gather(Draft& draft, std::size_t member) {
    bool gathers = member == 1;
    Value x = draw_source(draft, ShapeWant::any(1, kMaxRank, 1).upto(64));
    Dim dim = draft.dim(x.shape.size());
    Shape shape = draw_index_shape(draft, x.shape, dim.at, gathers);
    Want want = want_index(ShapeWant::exactly(shape), x.shape[dim.at]);
    Value index = draft.input(want);
    draft.record({.op = kNames[member],
                  .forms = gathers ? Forms(kDimIndex) : Forms(kAlong),
                  .arguments = {Ref{x.id}, dim.written, Ref{index.id}}},
                 fresh_unknown(x.dtype, shape, x.interval), {});
  }

  static void draw_take(Draft& draft) {
    Value x = draw_source(draft, ShapeWant::any(0, kMaxRank, 1).upto(kMaxSource));
    Value index = draft.input(want_small_index(draft, numel(x.shape), 3));
    draft.record({.op = "take", .forms = kTake, .arguments = {Ref{x.id}, Ref{index.id}}},
                 fresh_unknown(x.dtype, index.shape, x.interval), {});
  }

  // An index of up to `most_rank` small dimensions, possibly counting from the back.
  static Want want_small_index(Draft& draft, std::int64_t size, int most_rank) {
    Shape shape;
    for (std::int64_t i = draft.between(1, most_rank); i > 0; --i) shape.push_back(draft.between(1, 4));
    return want_index(ShapeWant::exactly(shape), size, true);
  }

  // Rows of the first dimension: its place is taken by the index's dimensions.
  static void draw_rows(Draft& draft, std::string_view op, Forms forms, const ShapeWant& shapes, DtypeSet dtypes) {
    Value x = draw_source(draft, shapes.upto(kMaxSource), dtypes);
    Want want = want_small_index(draft, x.shape[0], kMaxRank + 1 - x.shape.size() > 2 ? 2 : 1);
    if (op == "embedding") want.within.low = 0;
    Value index = draft.input(want);
    Shape shape = index.shape;
    for (int i = 1; i < x.shape.size(); ++i) shape.push_back(x.shape[i]);
    draft.record({.op = op, .forms = forms, .arguments = {Ref{x.id}, Ref{index.id}}},
                 fresh_unknown(x.dtype, shape, x.interval), {});
  }

  // Any element may get all of the additions.
  static Interval added(const Value& x, Interval source, std::int64_t most) {
    auto n = static_cast<double>(most);
    return rounded(x.interval + sum_of(source, n, false), x.dtype, n + 1);
  }

  static Value draw_addends(Draft& draft, const Value& x, const Shape& shape, std::int64_t most) {
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(shape)};
    want.fits = [&](const Value& source) {
      return source.interval == Interval{0, 0} || inside(added(x, source.interval, most), range_of(x.dtype));
    };
    return draft.input(want);
  }

  static void record_addition(Draft& draft, Call call, const Value& x, const Value& source, std::int64_t most) {
    Interval image = source.interval == Interval{0, 0} ? x.interval : added(x, source.interval, most);
    draft.record(std::move(call), fresh_unknown(x.dtype, x.shape, image), {.exactness = Exactness::kLoose});
  }

  static void draw_index_add(Draft& draft) {
    Value x = draw_source(draft, ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource), kNumbers);
    Dim dim = draft.dim(x.shape.size());
    Shape length = {draft.between(1, 4)};
    Value index = draft.input(want_index(ShapeWant::exactly(length), x.shape[dim.at]));
    Shape shape = x.shape;
    shape[dim.at] = length[0];
    Value source = draw_addends(draft, x, shape, length[0]);
    record_addition(
        draft, {.op = "index_add", .forms = kAdd, .arguments = {Ref{x.id}, dim.written, Ref{index.id}, Ref{source.id}}},
        x, source, length[0]);
  }

  static void draw_scatter_add(Draft& draft) {
    Value x = draw_source(draft, ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource), kNumbers);
    Dim dim = draft.dim(x.shape.size());
    Shape shape = draw_index_shape(draft, x.shape, dim.at, true);
    Want want = want_index(ShapeWant::exactly(shape), x.shape[dim.at]);
    Value index = draft.input(want);
    Value source = draw_addends(draft, x, shape, shape[dim.at]);
    record_addition(
        draft,
        {.op = "scatter_add", .forms = kAdd, .arguments = {Ref{x.id}, dim.written, Ref{index.id}, Ref{source.id}}}, x,
        source, shape[dim.at]);
  }
};

const Register<Operator, Index> registered;

}  // namespace
}  // namespace jp::seedgen
