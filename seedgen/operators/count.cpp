// Counting, with a known size of the result: bincount with sufficient room, histc between the integers, unique of one
// value.
// Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::count_operators {
namespace {

constexpr std::string_view kNames[] = {"bincount", "histc", "unique", "unique_consecutive"};
constexpr std::string_view kBins[] = {"torch.bincount($0, minlength=$1)", "$0.bincount(minlength=$1)"};
constexpr std::string_view kWeights[] = {"torch.bincount($0, $2, $1)", "$0.bincount(weights=$2, minlength=$1)"};
constexpr std::string_view kHistc[] = {"torch.histc($0.to($3), bins=$1, min=-0.5, max=$2)",
                                       "$0.to($3).histc($1, -0.5, $2)"};
constexpr std::string_view kUnique[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kUnsorted[] = {"torch.#($0, sorted=False)", "$0.#(sorted=False)"};
constexpr std::string_view kAlong[] = {"torch.#($0, dim=$1)", "$0.#(dim=$1)"};
constexpr std::string_view kInverse[] = {"torch.#($0, return_inverse=True)", "$0.#(return_inverse=True)"};
constexpr std::string_view kCounts[] = {"torch.#($0, return_inverse=True, return_counts=True)"};

constexpr double kMostBins = 64;

class Count final : public Operator {
 public:
  std::string_view name() const override { return "count"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    if (member == 0) return draw_bincount(draft);
    if (member == 1) return draw_histc(draft);
    draw_unique(draft, kNames[member]);
  }

 private:
  static void draw_bincount(Draft& draft) {
    Value x = draft.input({.dtypes = kIntegers, .shape = ShapeWant::any(1, 1), .within = {0, kMostBins}});
    std::int64_t bins = static_cast<std::int64_t>(x.interval.high) + 1 + draft.between(0, 2);
    auto n = static_cast<double>(x.shape[0]);
    Call call{.op = "bincount", .forms = kBins, .arguments = {Ref{x.id}, bins}};
    // For an empty tensor, torch returns integers in any case.
    if (x.shape[0] == 0 || draft.flip())
      return draft.record(std::move(call), fresh_unknown(Dtype::kInt64, {bins}, {0, n}),
                          {.saves = Saves::kNothing, .differentiable = false});
    Want want{.dtypes = kIntegers | DtypeSet{Dtype::kFloat32, Dtype::kFloat64},
              .shape = ShapeWant::exactly(x.shape),
              .plain = true};
    auto dtype = [](Dtype weights) { return weights == Dtype::kFloat32 ? weights : Dtype::kFloat64; };
    auto image = [&](const Value& weights) {
      return rounded(sum_of(weights.interval, n, false), dtype(weights.dtype), n + 1);
    };
    want.fits = [&](const Value& weights) { return inside(image(weights), range_of(dtype(weights.dtype))); };
    Value weights = draft.input(want);
    call.forms = kWeights;
    call.add(Ref{weights.id});
    draft.record(std::move(call), fresh_unknown(dtype(weights.dtype), {bins}, image(weights)),
                 {.exactness = Exactness::kLoose, .saves = Saves::kNothing, .differentiable = false});
  }

  // Whole numbers lie in the middle of their bins.
  static void draw_histc(Draft& draft) {
    Value x = draft.input({.dtypes = kIntegers, .within = {-kMostBins, kMostBins}});
    std::int64_t bins = draft.between(1, 12);
    Dtype dtype = draft.flip() ? Dtype::kFloat32 : Dtype::kFloat64;
    record_or_out(
        draft, {.op = "histc", .forms = kHistc, .arguments = {Ref{x.id}, bins, static_cast<double>(bins) - 0.5, dtype}},
        fresh_unknown(dtype, {bins}, {0, static_cast<double>(element_count(x.shape))}),
        {.saves = Saves::kNothing, .differentiable = false});
  }

  // Equal elements have one unique value.
  static void draw_unique(Draft& draft, std::string_view op) {
    Want want{.shape = ShapeWant::any(0, kMaxRank, 1), .exact = true, .plain = true, .neutral = 1};
    want.fits = [](const Value& value) {
      return value.interval.low == value.interval.high || element_count(value.shape) == 1;
    };
    Value x = draft.input(want);
    if (!x.shape.empty() && draft.choices().chance(1, 6)) return draw_along(draft, op, x);
    auto n = static_cast<double>(element_count(x.shape));
    std::vector<Value> results = {fresh_unknown(x.dtype, {1}, x.interval)};
    std::uint64_t kind = draft.choices().below(3);
    if (kind > 0) results.push_back(fresh_unknown(Dtype::kInt64, x.shape, {0, 0}));
    if (kind > 1) results.push_back(fresh_unknown(Dtype::kInt64, {1}, {n, n}));
    const bool unsorted = op == "unique" && draft.flip();
    Forms forms = kind == 0   ? (unsorted ? Forms(kUnsorted) : Forms(kUnique))
                  : kind == 1 ? Forms(kInverse)
                              : Forms(kCounts);
    draft.record({.op = op, .forms = forms, .arguments = {Ref{x.id}}}, std::move(results),
                 {.saves = Saves::kNothing, .differentiable = false});
  }

  // Of equal slices one is left.
  static void draw_along(Draft& draft, std::string_view op, const Value& x) {
    const Dim dim = draft.dim(x.shape.size());
    Shape shape = x.shape;
    shape[dim.at] = 1;
    draft.record({.op = op, .forms = kAlong, .arguments = {Ref{x.id}, dim.written}},
                 fresh_unknown(x.dtype, shape, x.interval), {.saves = Saves::kNothing, .differentiable = false});
  }
};

const Register<Operator, Count> registered;

}  // namespace
}  // namespace jp::seedgen::count_operators
