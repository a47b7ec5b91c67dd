// Positions of the largest and smallest elements. Indices are only requested if no two elements of a slice are equal:
// the input's whole part times the number of elements, plus the position. Values alone may come from any elements, and
// without gradients, which would go to an unspecified one of several equal ones.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seedgen/bases/distinct.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::extremes_operators {
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
// Medians of elements that share an address are undefined: torch partitions a copy of the same layout.
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
  bool keep = kPolicy.keepdim.drawn(draft.choices());
  if (keep) along.text += ", keepdim=True";
  along.shape[along.dim.at] = 1;
  if (!keep) along.shape.erase(along.dim.at);
  return along;
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
    if (member < kValuesAt) return draw_pair(draft, kPairs[member - kPairsAt], kCalls[member - kPairsAt]);
    if (member < kAminmaxAt) return draw_values(draft, member - kValuesAt);
    draw_aminmax(draft);
  }

 private:
  static void draw_index(Draft& draft, std::string_view call) {
    Value x = draw_keyed(draft, ShapeWant::any(0, kMaxRank, 1));
    if (x.shape.empty() || draft.choices().chance(1, 4)) {
      Distinct keys = distinct(draft, x, -1);
      auto n = static_cast<double>(element_count(x.shape));
      return record(draft, {.op = call, .forms = kWholeForms, .arguments = {Ref{x.id}, keys.text}},
                    {fresh(Dtype::kInt64, {}, {0, n - 1})});
    }
    Along along = draw_along(draft, x.shape, false);
    Distinct keys = distinct(draft, x, along.dim.at);
    auto n = static_cast<double>(x.shape[along.dim.at]);
    record(draft, {.op = call, .forms = kForms, .arguments = {Ref{x.id}, keys.text, std::string(call), along.text}},
           {fresh_unknown(Dtype::kInt64, along.shape, {0, n - 1})});
  }

  static void draw_pair(Draft& draft, std::string_view op, std::string_view call) {
    Value x = draw_keyed(draft, ShapeWant::any(1, kMaxRank, 1));
    Along along = draw_along(draft, x.shape, scans(call));
    Distinct keys = distinct(draft, x, along.dim.at);
    auto n = static_cast<double>(x.shape[along.dim.at]);
    record(draft, {.op = op, .forms = kForms, .arguments = {Ref{x.id}, keys.text, std::string(call), along.text}},
           {keys.picked(along.shape), fresh_unknown(Dtype::kInt64, along.shape, {0, n - 1})});
  }

  static void draw_values(Draft& draft, std::size_t at) {
    std::string_view call = kValueCalls[at];
    bool medians = call.ends_with("median");
    bool mode = call == "mode";
    // These two have no operator of their own with positions.
    if ((mode || call == "nanmedian") && draft.choices().chance(1, 4)) return draw_pair(draft, kValues[at], call);
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
      bool keep = kPolicy.keepdim.drawn(draft.choices());
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
    const Traits traits = {.differentiable = differentiable};
    if (results.size() == 1) return record_or_out(draft, std::move(call), results[0], traits);
    record_or_outs(draft, std::move(call), std::move(results), traits);
  }
};

const Register<Operator, Extremes> registered;

}  // namespace
}  // namespace jp::seedgen::extremes_operators
