// Normalisations. Of n numbers of mean 0 and variance 1 none is larger than the square root of n.
#include <cmath>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"layer_norm", "rms_norm", "group_norm", "normalize"};
constexpr std::string_view kPlain[] = {"torch.nn.functional.#($0, $1)"};
constexpr std::string_view kWeight[] = {"torch.nn.functional.#($0, $1, $2)",
                                        "torch.nn.functional.#($0, $1, weight=$2)"};
constexpr std::string_view kGroups[] = {"torch.nn.functional.group_norm($0, $1)"};
constexpr std::string_view kUnit[] = {"torch.nn.functional.normalize($0, dim=$1)"};

Interval spread(Dtype dtype, std::int64_t n) {
  double most = std::sqrt(static_cast<double>(n));
  return rounded({-most, most}, dtype, 16);
}

// Squares are summed: half precision needs small numbers.
constexpr Interval kDomain = {-100, 100};

class Normalization final : public Operator {
 public:
  std::string_view name() const override { return "normalization"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
      case 1:
        return draw_over_last(draft, kNames[member]);
      case 2:
        return draw_groups(draft);
      default:
        return draw_unit(draft);
    }
  }

 private:
  // Over the last one or more dimensions, at times with a weight of that shape.
  static void draw_over_last(Draft& draft, std::string_view op) {
    Value x = draft.input({.dtypes = kFloats, .shape = ShapeWant::any(1, kMaxRank, 1), .within = kDomain});
    Shape over;
    for (auto i = static_cast<int>(draft.between(0, x.shape.size() - 1)); i < x.shape.size(); ++i)
      over.push_back(x.shape[i]);
    Interval image = spread(x.dtype, numel(over));
    Call call{.op = op, .forms = kPlain, .arguments = {Ref{x.id}, over}};
    if (draft.flip()) {
      Value weight = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(over), .within = {-8, 8}});
      call.forms = kWeight;
      call.add(Ref{weight.id});
      image = rounded(image * weight.interval, x.dtype);
    }
    record(draft, std::move(call), x, image);
  }

  static void draw_groups(Draft& draft) {
    // Torch refuses groups of a single number over the whole batch.
    Value x = draft.input({.dtypes = kFloats, .shape = ShapeWant::any(2, 4, 2), .within = kDomain});
    std::int64_t channels = x.shape[1];
    std::int64_t groups = draft.flip() ? channels : channels % 2 == 0 ? 2 : 1;
    std::int64_t n = numel(x.shape) / x.shape[0] / groups;
    record(draft, {.op = "group_norm", .forms = kGroups, .arguments = {Ref{x.id}, groups}}, x, spread(x.dtype, n));
  }

  static void draw_unit(Draft& draft) {
    // The least norm, 1e-12, is 0 in float16.
    constexpr DtypeSet kWide = {Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64};
    Value x = draft.input({.dtypes = kWide, .shape = ShapeWant::any(1, kMaxRank, 1), .within = kDomain});
    Dim dim = draft.dim(x.shape.size());
    record(draft, {.op = "normalize", .forms = kUnit, .arguments = {Ref{x.id}, dim.written}}, x,
           rounded({-1, 1}, x.dtype, static_cast<double>(x.shape[dim.at]) + 8));
  }

  static void record(Draft& draft, Call call, const Value& x, Interval image) {
    draft.record(std::move(call), fresh_unknown(x.dtype, x.shape, image), {.exactness = Exactness::kLoose});
  }
};

const Register<Operator, Normalization> registered;

}  // namespace
}  // namespace jp::seedgen
