// Where the largest and the smallest elements are. Indices are only asked for where no two elements of a slice are
// equal: the input's whole part times the number of elements, plus the place. Values alone come of any elements, and
// without gradients, which would go to one of several equal ones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kIndices[] = {"argmax", "argmin"};
constexpr std::string_view kPairs[] = {"max_dim", "min_dim", "median_dim", "cummax", "cummin"};
constexpr std::string_view kCalls[] = {"max", "min", "median", "cummax", "cummin"};
constexpr std::string_view kValues[] = {"max_values",    "min_values",    "median_values", "nanmedian_values",
                                        "cummax_values", "cummin_values", "mode_values"};
constexpr std::string_view kValueCalls[] = {"max", "min", "median", "nanmedian", "cummax", "cummin", "mode"};
constexpr std::string_view kWholeForms[] = {"torch.#($1)", "($1).#()"};
constexpr std::string_view kForms[] = {"torch.$2($1, $3)", "($1).$2($3)"};
constexpr std::string_view kFirst[] = {"torch.$1($0, $2)[0]", "$0.$1($2).values", "torch.$1($0, $2).values"};
// Medians of elements that share an address are not defined: torch partitions a copy of the same layout.
constexpr std::string_view kFirstOfCopy[] = {"torch.$1($0.contiguous(), $2)[0]", "$0.contiguous().$1($2).values"};
constexpr std::string_view kAminmax[] = {"torch.aminmax($0)", "$0.aminmax()"};
constexpr std::string_view kAminmaxDim[] = {"torch.aminmax($0, $1)", "$0.aminmax($1)"};

constexpr std::size_t kPairsAt = std::size(kIndices);
constexpr std::size_t kValuesAt = kPairsAt + std::size(kPairs);
constexpr std::size_t kAminmaxAt = kValuesAt + std::size(kValues);

bool scans(std::string_view call) { return call.starts_with("cum"); }

// A slice along a dimension, as it is written.
struct Along {
  Dim dim;
  Shape shape;
  std::string text;
};

Along draw_along(Draft& draft, const Shape& shape, bool scan) {
  Along along{.dim = draft.dim(shape.size()), .shape = shape};
  bool named = draft.flip();
  along.text = fmt::format("{}{}", named ? "dim=" : "", along.dim.written);
  if (scan) return along;
  bool keep = draft.choices().chance(1, 3);
  if (keep) along.text += ", keepdim=True";
  along.shape[along.dim.at] = 1;
  if (!keep) along.shape.erase(along.dim.at);
  return along;
}

// Whole numbers that differ along a dimension, or all of them where that is negative; as Python over `$0`.
struct Distinct {
  std::string text;
  Dtype dtype = Dtype::kInt64;
  Interval interval;
};

Distinct distinct(Draft& draft, const Value& x, int dim) {
  std::int64_t n = dim < 0 ? numel(x.shape) : x.shape[dim];
  Shape places = x.shape;
  if (dim >= 0)
    for (int i = 0; i < places.size(); ++i) places[i] = i == dim ? n : 1;
  std::string ramp = fmt::format("torch.arange({}).view({})", n, fmt::join(places, ", "));
  if (places.empty()) ramp = fmt::format("torch.arange({}).view(())", n);
  auto count = static_cast<double>(n);
  Interval whole =
      x.dtype == Dtype::kBool ? x.interval : Interval{std::trunc(x.interval.low), std::trunc(x.interval.high)};
  Distinct keys{.text = fmt::format("$0.long() * {} + {}", n, ramp),
                .interval = scaled(whole, count) + Interval{0, count - 1}};
  if (draft.flip()) return keys;
  keys.dtype = Dtype::kFloat64;
  keys.text = fmt::format("$0.double().trunc() * {} + {}", n, ramp);
  return keys;
}

class Extremes final : public Operator {
 public:
  std::string_view name() const override { return "extremes"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = {std::begin(kIndices), std::end(kIndices)};
    names.insert(names.end(), std::begin(kPairs), std::end(kPairs));
    names.insert(names.end(), std::begin(kValues), std::end(kValues));
    names.push_back("aminmax");
    return names;
  }

  void draw(Draft& draft, std::size_t member) const override {
    if (member < kPairsAt) return draw_index(draft, kIndices[member]);
    if (member < kValuesAt) return draw_pair(draft, member - kPairsAt);
    if (member < kAminmaxAt) return draw_values(draft, member - kValuesAt);
    draw_aminmax(draft);
  }

 private:
  static Value draw_keyed(Draft& draft, int least_rank) {
    Want want{
        .dtypes = kAnyDtype, .shape = ShapeWant::any(least_rank, kMaxRank, 1), .within = {-1e9, 1e9}, .exact = true};
    want.plain = true;
    want.rather = takes_steps;
    return draft.input(want);
  }

  static void draw_index(Draft& draft, std::string_view call) {
    Value x = draw_keyed(draft, 0);
    if (x.shape.empty() || draft.choices().chance(1, 4)) {
      Distinct keys = distinct(draft, x, -1);
      auto n = static_cast<double>(numel(x.shape));
      return record(draft, {.op = call, .forms = kWholeForms, .arguments = {Ref{x.id}, keys.text}},
                    {fresh(Dtype::kInt64, {}, {0, n - 1})});
    }
    Along along = draw_along(draft, x.shape, false);
    Distinct keys = distinct(draft, x, along.dim.at);
    auto n = static_cast<double>(x.shape[along.dim.at]);
    record(draft, {.op = call, .forms = kForms, .arguments = {Ref{x.id}, keys.text, std::string(call), along.text}},
           {fresh_unknown(Dtype::kInt64, along.shape, {0, n - 1})});
  }

  static void draw_pair(Draft& draft, std::size_t at) {
    std::string_view call = kCalls[at];
    Value x = draw_keyed(draft, 1);
    Along along = draw_along(draft, x.shape, scans(call));
    Distinct keys = distinct(draft, x, along.dim.at);
    auto n = static_cast<double>(x.shape[along.dim.at]);
    record(
        draft, {.op = kPairs[at], .forms = kForms, .arguments = {Ref{x.id}, keys.text, std::string(call), along.text}},
        {fresh_unknown(keys.dtype, along.shape, keys.interval), fresh_unknown(Dtype::kInt64, along.shape, {0, n - 1})});
  }

  static void draw_values(Draft& draft, std::size_t at) {
    std::string_view call = kValueCalls[at];
    bool medians = call.ends_with("median");
    bool mode = call == "mode";
    Want want{.dtypes = medians ? kNumbers : kAnyDtype, .shape = ShapeWant::any(1, kMaxRank, 1), .exact = mode};
    want.plain = true;
    Value x = draft.input(want);
    Along along = draw_along(draft, x.shape, scans(call));
    record(draft,
           {.op = kValues[at],
            .forms = x.overlaps_itself ? Forms(kFirstOfCopy) : Forms(kFirst),
            .arguments = {Ref{x.id}, std::string(call), along.text}},
           {fresh_unknown(x.dtype, along.shape, x.interval)});
  }

  static void draw_aminmax(Draft& draft) {
    Value x = draft.input({.dtypes = kAnyDtype, .shape = ShapeWant::any(0, kMaxRank, 1)});
    Call call{.op = "aminmax", .forms = kAminmax, .arguments = {Ref{x.id}}};
    Shape shape;
    if (!x.shape.empty() && draft.choices().chance(3, 4)) {
      Dim dim = draft.dim(x.shape.size());
      bool keep = draft.choices().chance(1, 3);
      shape = x.shape;
      shape[dim.at] = 1;
      if (!keep) shape.erase(dim.at);
      call.forms = Forms(kAminmaxDim);
      call.add(fmt::format("dim={}{}", dim.written, keep ? ", keepdim=True" : ""));
    }
    Value one = fresh_unknown(x.dtype, shape, x.interval);
    record(draft, std::move(call), {one, one}, true);
  }

  static void record(Draft& draft, Call call, std::vector<Value> results, bool differentiable = false) {
    draft.record(std::move(call), std::move(results), {.differentiable = differentiable});
  }
};

const Register<Operator, Extremes> registered;

}  // namespace
}  // namespace jp::seedgen
