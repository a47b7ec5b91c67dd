// Order: sort, topk, kthvalue, and the positions that they return. Only a stable sort determines which of two equal
// elements comes first: without one there are no gradients, and positions are not returned. Positions are
// discontinuous: exact inputs. Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/distinct.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::sort_operators {
namespace {

constexpr std::string_view kNames[] = {"sort", "argsort", "msort", "topk", "kthvalue"};
constexpr std::string_view kSort[] = {"torch.#($0, dim=$1, descending=$2)[0]", "$0.#($1, $2).values",
                                      "$0.#(dim=$1, descending=$2).values"};
constexpr std::string_view kStable[] = {"torch.#($0, stable=True, dim=$1, descending=$2)",
                                        "$0.#(stable=True, dim=$1, descending=$2)"};
constexpr std::string_view kStableValues[] = {"torch.#($0, stable=True, dim=$1, descending=$2).values",
                                              "$0.#(stable=True, dim=$1, descending=$2)[0]"};
constexpr std::string_view kArgsort[] = {"torch.#($0, stable=True, dim=$1, descending=$2)",
                                         "$0.#(stable=True, dim=$1, descending=$2)"};
constexpr std::string_view kOne[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kTopk[] = {"torch.#($0, $2, dim=$1, largest=$3)[0]", "$0.#($2, $1, $3, True).values",
                                      "$0.#(k=$2, dim=$1, largest=$3, sorted=True)[0]"};
constexpr std::string_view kTopkPair[] = {"torch.#($4, $2, dim=$1, largest=$3)", "($4).#($2, $1, $3, True)"};
constexpr std::string_view kKthPair[] = {"torch.#($4, $2, $1, $3)", "($4).#(k=$2, dim=$1, keepdim=$3)"};
constexpr std::string_view kKth[] = {"torch.#($0, $2, $1, $3)[0]", "$0.#(k=$2, dim=$1, keepdim=$3).values"};

class Sort final : public Operator {
 public:
  std::string_view name() const override { return "sort"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_sort(draft);
      case 1:
        return draw_argsort(draft);
      case 2:
        return draw_msort(draft);
      default:
        return draw_some(draft, member);
    }
  }

 private:
  // Near-equal elements of an inexact input may swap places, and so may their gradients.
  static Want want_with_gradients() {
    Want want{.shape = ShapeWant::any(1)};
    want.live = [](const Value& value) { return value.exact || !value.requires_grad; };
    return want;
  }

  static void draw_sort(Draft& draft) {
    bool stable = draft.flip();
    bool indices = stable && draft.flip();
    Want want = want_with_gradients();
    want.plain = !stable;
    want.exact = indices;
    Value x = draft.input(want);
    Call call{.op = "sort",
              .forms = indices  ? Forms(kStable)
                       : stable ? Forms(kStableValues)
                                : Forms(kSort),
              .arguments = {Ref{x.id}, draft.dim(x.shape.size()).written, draft.flip()}};
    std::vector<Value> results = {fresh_unknown(x.dtype, x.shape, x.interval)};
    if (indices) results.push_back(positions(x, x.shape));
    if (!indices) return draft.record(std::move(call), std::move(results), {});
    record_or_outs(draft, std::move(call), std::move(results), {});
  }

  static Value positions(const Value& x, const Shape& shape) {
    std::int64_t longest = *std::max_element(x.shape.begin(), x.shape.end());
    return fresh_unknown(Dtype::kInt64, shape, {0, static_cast<double>(std::max<std::int64_t>(longest - 1, 0))});
  }

  static void draw_argsort(Draft& draft) {
    Value x = draft.input({.shape = ShapeWant::any(1), .exact = true});
    Dim dim = draft.dim(x.shape.size());
    Value result = positions(x, x.shape);
    result.interval.high = static_cast<double>(std::max<std::int64_t>(x.shape[dim.at] - 1, 0));
    record_or_out(draft, {.op = "argsort", .forms = kArgsort, .arguments = {Ref{x.id}, dim.written, draft.flip()}},
                  result, {.saves = Saves::kNothing, .differentiable = false});
  }

  static void draw_msort(Draft& draft) {
    Value x = draft.input({.plain = true});
    record_or_out(draft, {.op = "msort", .forms = kOne, .arguments = {Ref{x.id}}},
                  fresh_unknown(x.dtype, x.shape, x.interval), {});
  }

  // The largest or smallest of a dimension, or the one at a position.
  static void draw_some(Draft& draft, std::size_t member) {
    bool top = member == 3;
    // Positions are determined if no two elements are equal.
    const bool pair = draft.choices().chance(1, 4);
    Value x = pair ? draw_keyed(draft, ShapeWant::any(1, kMaxRank, 1))
                   : draft.input({.dtypes = kNumbers, .shape = ShapeWant::any(1, kMaxRank, 1), .plain = true});
    Dim dim = draft.dim(x.shape.size());
    std::int64_t size = x.shape[dim.at];
    std::int64_t k = draft.between(top && draft.choices().chance(1, 16) ? 0 : 1, size);
    bool flag = draft.flip();
    Shape shape = x.shape;
    shape[dim.at] = top ? k : 1;
    if (!top && !flag) shape.erase(dim.at);
    if (pair) {
      const Distinct keys = distinct(draft, x, dim.at);
      return record_or_outs(
          draft,
          {.op = kNames[member],
           .forms = top ? Forms(kTopkPair) : Forms(kKthPair),
           .arguments = {Ref{x.id}, dim.written, k, flag, keys.text}},
          {keys.picked(shape), fresh_unknown(Dtype::kInt64, shape, {0, static_cast<double>(size - 1)})},
          {.saves = Saves::kNothing, .differentiable = false});
    }
    draft.record({.op = kNames[member],
                  .forms = top ? Forms(kTopk) : Forms(kKth),
                  .arguments = {Ref{x.id}, dim.written, k, flag}},
                 fresh_unknown(x.dtype, shape, x.interval), {});
  }
};

const Register<Operator, Sort> registered;

}  // namespace
}  // namespace jp::seedgen::sort_operators
