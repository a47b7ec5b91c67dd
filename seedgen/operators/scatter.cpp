// scatter and its reductions: elements put where an index of the same rank says, along one dimension. Without a
// reduction the positions along it are different, or all get one number.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seedgen/bases/indices.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::scatter_operators {
namespace {

constexpr std::string_view kNames[] = {"scatter", "scatter_add", "scatter_reduce"};
constexpr std::string_view kNew[] = {"torch.#($0, $1, $2, $3)", "$0.#($1, $2, $3)"};
constexpr std::string_view kInPlace[] = {"$0.#_($1, $2, $3)"};
constexpr std::string_view kValue[] = {"torch.#($0, $1, $2, $3)", "$0.#($1, $2, value=$3)"};
constexpr std::string_view kValueInPlace[] = {"$0.#_($1, $2, $3)", "$0.#_($1, $2, value=$3)"};
constexpr std::string_view kReduced[] = {"torch.#($0, $1, $2, $3, reduce=$4)", "$0.#($1, $2, $3, reduce=$4)"};
constexpr std::string_view kReducedInPlace[] = {"$0.#_($1, $2, $3, reduce=$4)"};
constexpr std::string_view kReduce[] = {"torch.#($0, $1, $2, $3, $4, include_self=$5)",
                                        "$0.#($1, $2, $3, reduce=$4, include_self=$5)"};
constexpr std::string_view kReduceInPlace[] = {"$0.#_($1, $2, $3, $4, include_self=$5)"};

constexpr std::int64_t kMaxSource = 512;

// What a reduction of scatter_reduce requires of its operands.
enum class Kind : std::uint8_t { kSum, kProduct, kMean, kLargest, kSmallest };
constexpr std::string_view kKinds[] = {"\"sum\"", "\"prod\"", "\"mean\"", "\"amax\"", "\"amin\""};

Interval added(const Value& x, Interval source, std::int64_t most) {
  if (source == Interval{0, 0}) return x.interval;
  // The sum of bools is whether one of them is true.
  if (x.dtype == Dtype::kBool) return {0, 1};
  auto n = static_cast<double>(most);
  return rounded(x.interval + sum_of(source, n, false), x.dtype, n + 1);
}

Interval alone(const Value& x, Interval source, std::int64_t most) {
  if (x.dtype == Dtype::kBool) return {0, 1};
  auto n = static_cast<double>(most);
  return rounded(sum_of(source, n, false), x.dtype, n + 1);
}

// The index of one call.
struct Index {
  Argument argument;
  Shape shape;
  Dim dim;
};

class Scatter final : public Operator {
 public:
  std::string_view name() const override { return "scatter"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    bool writes = draft.flip();
    switch (member) {
      case 0:
        return draw_scatter(draft, writes);
      case 1:
        return draw_add(draft, writes);
      default:
        return draw_reduce(draft, writes);
    }
  }

 private:
  static Value draw_target(Draft& draft, bool writes, DtypeSet dtypes) {
    return draft.input({.dtypes = dtypes, .shape = ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource), .written = writes});
  }

  // Smaller than the target in the other dimensions; `distinct` along its own: a literal, or one position.
  static Index draw_index(Draft& draft, const Value& x, bool writes, bool distinct) {
    Index index{{}, x.shape, draft.dim(x.shape.size())};
    std::int64_t elements = 1;
    for (int i = 0; i < x.shape.size(); ++i) {
      // If positions may repeat, there may be any number of them.
      std::int64_t size = i == index.dim.at && !distinct ? 4 : x.shape[i];
      std::int64_t most = std::min(size, std::max<std::int64_t>(1, 64 / elements));
      bool whole = i != index.dim.at && most == size && draft.flip();
      index.shape[i] = whole ? most : draft.between(1, std::min<std::int64_t>(most, 4));
      elements *= index.shape[i];
    }
    std::int64_t count = index.shape[index.dim.at];
    if (distinct && count > 1) {
      index.argument = draw_literal(draft, index, x.shape[index.dim.at]);
      return index;
    }
    Want want = want_index(ShapeWant::exactly(index.shape), x.shape[index.dim.at], false, kAnyIndex);
    if (writes) draft.beside(want, x);
    index.argument = Ref{draft.input(want).id};
    return index;
  }

  // One list of positions, expanded over the other dimensions.
  static std::string draw_literal(Draft& draft, const Index& index, std::int64_t size) {
    std::string text = draw_distinct_text(draft, size, index.shape[index.dim.at]);
    if (index.shape.size() == 1) return text;
    Shape line = Ints::filled(index.shape.size(), 1);
    line[index.dim.at] = index.shape[index.dim.at];
    return fmt::format("{}.view({}).expand({})", text, sizes_text(line), sizes_text(index.shape));
  }

  // Of the index's shape; sometimes larger, for which autograd has no derivative.
  static Value draw_source_of(Draft& draft, const Value& x, bool writes, const Shape& shape, Want want) {
    want.dtypes = {x.dtype};
    Shape larger = shape;
    if (!x.requires_grad && draft.choices().chance(1, 8)) {
      ++larger[draft.dim(shape.size()).at];
      want.plain = true;
    }
    want.shape = ShapeWant::exactly(larger);
    if (writes) draft.beside(want, x);
    return draft.input(want);
  }

  static Value draw_addends(Draft& draft, const Value& x, bool writes, const Index& index, bool plain) {
    Want want;
    want.plain = plain;
    want.fits = [&](const Value& source) {
      std::int64_t most = index.shape[index.dim.at];
      return inside(added(x, source.interval, most), range_of(x.dtype)) &&
             inside(alone(x, source.interval, most), range_of(x.dtype)) &&
             inside(rounded(source.interval, x.dtype, 8), range_of(x.dtype));
    };
    return draw_source_of(draft, x, writes, index.shape, want);
  }

  static void record(Draft& draft, bool writes, Call call, const Value& x, Interval image, Exactness exactness) {
    if (writes) return draft.record_write(std::move(call), x, image, {.exactness = exactness});
    record_or_out(draft, std::move(call), fresh_unknown(x.dtype, x.shape, image), {.exactness = exactness});
  }

  static void draw_scatter(Draft& draft, bool writes) {
    std::uint64_t kind = draft.choices().below(5);
    if (kind >= 3) return draw_reducing_scatter(draft, writes, kind == 3);
    Value x = draw_target(draft, writes, kEveryDtype);
    bool number = kind == 0;
    Index index = draw_index(draft, x, writes, !number);
    Call call{.op = "scatter",
              .forms = number   ? (writes ? Forms(kValueInPlace) : Forms(kValue))
                       : writes ? Forms(kInPlace)
                                : Forms(kNew),
              .arguments = {Ref{x.id}, index.dim.written, index.argument}};
    Interval source;
    if (number) {
      double value = draw_small_number(draft, x.dtype);
      source = of_number(x.dtype, value);
      call.add(python_number(x.dtype, value));
    } else {
      Value value = draw_source_of(draft, x, writes, index.shape, {});
      source = value.interval;
      call.add(Ref{value.id});
    }
    record(draft, writes, std::move(call), x, hull(x.interval, source), Exactness::kSame);
  }

  // scatter(..., reduce="add" or "multiply"), which has no derivative for a tensor.
  static void draw_reducing_scatter(Draft& draft, bool writes, bool adds) {
    Want want{
        .dtypes = kNumbers, .shape = ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource), .written = writes, .plain = true};
    if (!adds) want.fits = may_round;
    Value x = draft.input(want);
    Index index = draw_index(draft, x, writes, false);
    Value source = adds ? draw_addends(draft, x, writes, index, true) : draw_factors(draft, x, writes, index);
    Interval image = adds ? added(x, source.interval, index.shape[index.dim.at]) : shrunk(x, source.interval);
    record(draft, writes,
           {.op = "scatter",
            .forms = writes ? Forms(kReducedInPlace) : Forms(kReduced),
            .arguments = {Ref{x.id}, index.dim.written, index.argument, Ref{source.id},
                          std::string(adds ? "\"add\"" : "\"multiply\"")}},
           x, image, Exactness::kLoose);
  }

  // Products with factors within 1, and means, are not larger but for rounding.
  static bool may_round(const Value& x) { return inside(shrunk(x, {0, 1}), range_of(x.dtype)); }

  // Factors within 1, so that products don't grow.
  static Value draw_factors(Draft& draft, const Value& x, bool writes, const Index& index) {
    // The least integer has no negative.
    bool turns = x.dtype != Dtype::kUInt8 && inside(shrunk(x, {-1, 1}), range_of(x.dtype));
    Want want{.within = {turns ? -1.0 : 0.0, 1}, .plain = true};
    return draw_source_of(draft, x, writes, index.shape, want);
  }

  static Interval shrunk(const Value& x, Interval source) {
    double most = std::max(largest(x.interval), 1.0);
    Interval turned = {-most, most};
    Interval kept = {std::min(x.interval.low, 0.0), std::max(x.interval.high, 1.0)};
    return rounded(source.low >= 0 ? kept : turned, x.dtype, 8);
  }

  static void draw_add(Draft& draft, bool writes) {
    Value x = draw_target(draft, writes, kEveryDtype);
    Index index = draw_index(draft, x, writes, false);
    Value source = draw_addends(draft, x, writes, index, false);
    record(draft, writes,
           {.op = "scatter_add",
            .forms = writes ? Forms(kInPlace) : Forms(kNew),
            .arguments = {Ref{x.id}, index.dim.written, index.argument, Ref{source.id}}},
           x, added(x, source.interval, index.shape[index.dim.at]), Exactness::kLoose);
  }

  static void draw_reduce(Draft& draft, bool writes) {
    auto kind = static_cast<Kind>(draft.choices().below(5));
    Want want{.dtypes = kind == Kind::kMean ? kNumbers : kAnyDtype,
              .shape = ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource),
              .written = writes,
              .plain = kind == Kind::kProduct};
    if (kind == Kind::kProduct || kind == Kind::kMean) want.fits = may_round;
    Value x = draft.input(want);
    Index index = draw_index(draft, x, writes, false);
    Value source;
    Interval image;
    if (kind == Kind::kProduct) {
      source = draw_factors(draft, x, writes, index);
      image = shrunk(x, source.interval);
    } else if (kind == Kind::kSum || kind == Kind::kMean) {
      source = draw_addends(draft, x, writes, index, false);
      std::int64_t most = index.shape[index.dim.at];
      // A sum contains only the sources if the target's own element is excluded.
      image = kind == Kind::kMean ? rounded(hull(x.interval, source.interval), x.dtype, 8)
                                  : hull(added(x, source.interval, most), alone(x, source.interval, most));
    } else {
      source = draw_source_of(draft, x, writes, index.shape, {});
      image = hull(x.interval, source.interval);
    }
    bool selects = kind == Kind::kLargest || kind == Kind::kSmallest;
    record(draft, writes,
           {.op = "scatter_reduce",
            .forms = writes ? Forms(kReduceInPlace) : Forms(kReduce),
            .arguments = {Ref{x.id}, index.dim.written, index.argument, Ref{source.id},
                          std::string(kKinds[static_cast<std::size_t>(kind)]), draft.flip()}},
           x, image, selects ? Exactness::kSame : Exactness::kLoose);
  }
};

const Register<Operator, Scatter> registered;

}  // namespace
}  // namespace jp::seedgen::scatter_operators
