// Values put at positions that a tensor names: index_add, index_copy, index_fill, index_reduce, index_put, put, each as
// a new tensor, in place, or with `out=`. If the last of several writes would win, positions are different.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/indices.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/subscript.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::index_write_operators {
namespace {

constexpr std::string_view kNames[] = {"index_add", "index_copy", "index_fill", "index_reduce", "index_put", "put"};
constexpr std::string_view kNew[] = {"torch.#($0, $1, $2, $3)", "$0.#($1, $2, $3)"};
constexpr std::string_view kInPlace[] = {"$0.#_($1, $2, $3)"};
constexpr std::string_view kScaled[] = {"torch.#($0, $1, $2, $3, alpha=$4)", "$0.#($1, $2, $3, alpha=$4)"};
constexpr std::string_view kScaledInPlace[] = {"$0.#_($1, $2, $3, alpha=$4)"};
constexpr std::string_view kReduce[] = {"torch.#($0, $1, $2, $3, $4, include_self=$5)",
                                        "$0.#($1, $2, $3, reduce=$4, include_self=$5)"};
constexpr std::string_view kReduceInPlace[] = {"$0.#_($1, $2, $3, $4, include_self=$5)"};
constexpr std::string_view kPut[] = {"torch.#($0, $1, $2, $3)", "$0.#($1, $2, accumulate=$3)"};
constexpr std::string_view kPutInPlace[] = {"$0.#_($1, $2, $3)", "$0.#_($1, $2, accumulate=$3)"};
constexpr std::string_view kIndexPut[] = {"torch.#($0, ($2,), $1, $3)", "$0.#([$2], $1, accumulate=$3)"};
constexpr std::string_view kIndexPutInPlace[] = {"$0.#_(($2,), $1, $3)", "torch.#_($0, [$2], $1, accumulate=$3)"};

constexpr std::int64_t kMaxSource = 512;
constexpr DtypeSet kWide = kIntegers | DtypeSet{Dtype::kFloat32, Dtype::kFloat64};

// The elements of a target to which up to `most` of the source's may be added.
Interval added(const Value& x, Interval source, std::int64_t most) {
  if (source == Interval{0, 0}) return x.interval;
  // The sum of bools is whether one of them is true.
  if (x.dtype == Dtype::kBool) return {0, 1};
  auto n = static_cast<double>(most);
  return rounded(x.interval + sum_of(source, n, false), x.dtype, n + 1);
}

Value draw_addends(Draft& draft, const Value& x, bool writes, const Shape& shape, std::int64_t most, double scale = 1) {
  Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(shape)};
  want.fits = [&](const Value& source) {
    return inside(added(x, scaled(source.interval, scale), most), range_of(x.dtype)) &&
           inside(scaled(source.interval, scale), range_of(x.dtype));
  };
  if (writes) draft.beside(want, x);
  return draft.input(want);
}

// An index as an argument, and how many positions it names.
struct Positions {
  Argument index;
  std::int64_t count;
};

// Along a dimension of `size`, at most four: a live index of any positions, or, if they must differ, of one.
Positions draw_positions(Draft& draft, const Value& x, bool writes, std::int64_t size, bool distinct, DtypeSet dtypes) {
  std::int64_t count = draft.between(1, distinct ? std::min<std::int64_t>(4, size) : 4);
  if (distinct && count > 1) return {draw_distinct_text(draft, size, count), count};
  Want want = want_index(ShapeWant::exactly({count}), size, false, dtypes);
  if (writes) draft.beside(want, x);
  return {Ref{draft.input(want).id}, count};
}

class IndexWrite final : public Operator {
 public:
  std::string_view name() const override { return "index_write"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    bool writes = draft.flip();
    switch (member) {
      case 0:
        return draw_add(draft, writes);
      case 1:
      case 2:
        return draw_replace(draft, writes, member);
      case 3:
        return draw_reduce(draft, writes);
      case 4:
        return draw_index_put(draft, writes);
      default:
        return draw_put(draft, writes);
    }
  }

 private:
  static Value draw_target(Draft& draft, bool writes, DtypeSet dtypes) {
    return draft.input({.dtypes = dtypes, .shape = ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource), .written = writes});
  }

  static void record(Draft& draft, bool writes, Call call, const Value& x, Interval image, Traits traits) {
    record_either(draft, writes, std::move(call), x, fresh_unknown(x.dtype, x.shape, image), traits);
  }
  static void record_or_out(Draft& draft, bool writes, Call call, const Value& x, Interval image, Traits traits) {
    if (writes) return draft.record_write(std::move(call), x, image, traits);
    seedgen::record_or_out(draft, std::move(call), fresh_unknown(x.dtype, x.shape, image), traits);
  }

  static void draw_add(Draft& draft, bool writes) {
    Value x = draw_target(draft, writes, kEveryDtype);
    Dim dim = draft.dim(x.shape.size());
    Positions positions = draw_positions(draft, x, writes, x.shape[dim.at], false, kAnyIndex);
    Shape shape = x.shape;
    shape[dim.at] = positions.count;
    bool scales = x.dtype != Dtype::kBool && draft.flip();
    double alpha = scales ? static_cast<double>(draft.between(x.dtype == Dtype::kUInt8 ? 0 : -2, 3)) : 1;
    if (scales && !is_integral(x.dtype)) alpha /= 2;
    Value source = draw_addends(draft, x, writes, shape, positions.count, alpha);
    Call call{
        .op = "index_add",
        .forms = writes ? (scales ? Forms(kScaledInPlace) : Forms(kInPlace)) : (scales ? Forms(kScaled) : Forms(kNew)),
        .arguments = {Ref{x.id}, dim.written, positions.index, Ref{source.id}}};
    if (scales) call.add(python_number(x.dtype, alpha));
    record_or_out(draft, writes, std::move(call), x, added(x, scaled(source.interval, alpha), positions.count),
                  {.exactness = Exactness::kLoose});
  }

  // index_copy and index_fill.
  static void draw_replace(Draft& draft, bool writes, std::size_t member) {
    bool copies = member == 1;
    Value x = draw_target(draft, writes, kEveryDtype);
    Dim dim = draft.dim(x.shape.size());
    Positions positions = draw_positions(draft, x, writes, x.shape[dim.at], copies, kLongIndex);
    Shape shape = x.shape;
    shape[dim.at] = positions.count;
    Source source =
        draw_source(draft, x, writes, {.shape = ShapeWant::exactly(copies ? shape : Shape{}), .numbers = !copies});
    auto record_it = copies ? record_or_out : record;
    record_it(draft, writes,
              {.op = kNames[member],
               .forms = writes ? Forms(kInPlace) : Forms(kNew),
               .arguments = {Ref{x.id}, dim.written, positions.index, source.argument}},
              x, hull(x.interval, source.interval), {});
  }

  // Integers, whose mean rounds down, and floats. A product is kept from growing by factors within 1.
  static void draw_reduce(Draft& draft, bool writes) {
    constexpr std::string_view kKinds[] = {"\"prod\"", "\"mean\"", "\"amax\"", "\"amin\""};
    std::uint64_t kind = draft.choices().below(4);
    // Eager has no product of single float16 elements. The derivative requires an index of int64.
    Value x = draw_target(draft, writes, kind == 0 ? kNumbers & kWide : kNumbers);
    Dim dim = draft.dim(x.shape.size());
    Positions positions = draw_positions(draft, x, writes, x.shape[dim.at], false, kLongIndex);
    Shape shape = x.shape;
    shape[dim.at] = positions.count;
    Value source = kind == 0   ? draw_factors(draft, x, writes, shape)
                   : kind == 1 ? draw_addends(draft, x, writes, shape, positions.count)
                               : draw_same(draft, x, writes, shape);
    bool includes = draft.flip();
    Interval image = hull(x.interval, source.interval);
    if (kind == 0) {
      double most = std::max(largest(x.interval), 1.0);
      Interval kept = {std::min(x.interval.low, 0.0), std::max(x.interval.high, 1.0)};
      image = source.interval.low >= 0 ? kept : Interval{-most, most};
    }
    bool computes = kind <= 1;
    record_or_out(
        draft, writes,
        {.op = "index_reduce",
         .forms = writes ? Forms(kReduceInPlace) : Forms(kReduce),
         .arguments = {Ref{x.id}, dim.written, positions.index, Ref{source.id}, std::string(kKinds[kind]), includes}},
        x, computes ? rounded(image, x.dtype, 8) : image,
        {.exactness = computes ? Exactness::kLoose : Exactness::kSame});
  }

  static Value draw_same(Draft& draft, const Value& x, bool writes, const Shape& shape) {
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(shape)};
    if (writes) draft.beside(want, x);
    return draft.input(want);
  }

  static Value draw_factors(Draft& draft, const Value& x, bool writes, const Shape& shape) {
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(shape), .within = {-1, 1}, .plain = true};
    // The least integer has no negative.
    if (!inside(-x.interval, range_of(x.dtype))) want.within = {0, 1};
    if (x.dtype == Dtype::kUInt8) want.within = {0, 1};
    if (writes) draft.beside(want, x);
    return draft.input(want);
  }

  // The leading dimensions by index tensors.
  static void draw_index_put(Draft& draft, bool writes) {
    bool accumulates = draft.flip();
    Value x = draw_target(draft, writes, accumulates ? kNumbers | kComplex : kEveryDtype);
    Subscript subscript = draw_subscript(draft, x, Items::kIndices, 4, writes);
    std::int64_t most = 16;
    Call call{
        .op = "index_put", .forms = writes ? Forms(kIndexPutInPlace) : Forms(kIndexPut), .arguments = {Ref{x.id}}};
    auto fill = [&](const Value& source) {
      call.add(Ref{source.id});
      call.add(subscript.text);
      call.add(accumulates);
      for (Ref tensor : subscript.tensors) call.add(tensor);
    };
    if (accumulates) {
      Value source = draw_addends(draft, x, writes, subscript.shape, most);
      fill(source);
      return record(draft, writes, std::move(call), x, added(x, source.interval, most),
                    {.exactness = Exactness::kLoose});
    }
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::into(subscript.shape)};
    if (!subscript.distinct) want.shape = ShapeWant::exactly({});
    if (writes) draft.beside(want, x);
    Value source = draft.input(want);
    fill(source);
    record(draft, writes, std::move(call), x, hull(x.interval, source.interval), {});
  }

  // Positions of the flattened tensor.
  static void draw_put(Draft& draft, bool writes) {
    bool accumulates = draft.flip();
    Value x = draw_target(draft, writes, accumulates ? kNumbers | kComplex : kEveryDtype);
    Positions positions = draw_positions(draft, x, writes, element_count(x.shape), !accumulates, kLongIndex);
    Shape shape = {positions.count};
    Value source =
        accumulates ? draw_addends(draft, x, writes, shape, positions.count) : draw_same(draft, x, writes, shape);
    Interval image = accumulates ? added(x, source.interval, positions.count) : hull(x.interval, source.interval);
    record(draft, writes,
           {.op = "put",
            .forms = writes ? Forms(kPutInPlace) : Forms(kPut),
            .arguments = {Ref{x.id}, positions.index, Ref{source.id}, accumulates}},
           x, image, {.exactness = accumulates ? Exactness::kLoose : Exactness::kSame});
  }
};

const Register<Operator, IndexWrite> registered;

}  // namespace
}  // namespace jp::seedgen::index_write_operators
