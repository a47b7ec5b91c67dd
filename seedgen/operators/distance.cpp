// Angles and distances of vectors, and bilinear forms.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::distance_operators {
namespace {

constexpr std::string_view kNames[] = {"cosine_similarity", "pairwise_distance", "pdist", "bilinear"};
constexpr Interval kDomain = {-50, 50};
constexpr std::string_view kPowers[] = {"2.0", "1.0", "float(\"inf\")", "3.0"};

class Distance final : public Operator {
 public:
  std::string_view name() const override { return "distance"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_cosine(draft);
      case 1:
        return draw_pairs(draft);
      case 2:
        return draw_all_pairs(draft);
      default:
        return draw_bilinear(draft);
    }
  }

 private:
  static void record(Draft& draft, CallWriter& writer, Dtype dtype, const Shape& shape, Interval image) {
    draft.record(writer.finish(), fresh_unknown(dtype, shape, image), {.exactness = Exactness::kLoose});
  }

  // The direction of rounded noise around 0 is meaningless: inputs are exact or away from 0. The least length, 1e-8, is
  // 0 in float16.
  static void draw_cosine(Draft& draft) {
    constexpr DtypeSet kDtypes = {Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64};
    Want want{.dtypes = kDtypes, .shape = ShapeWant::any(1, kMaxRank, 1), .within = kDomain};
    want.live = [](const Value& v) { return v.exact || v.interval.low > 0.0625 || v.interval.high < -0.0625; };
    Value x = draft.input(want);
    want.dtypes = {x.dtype};
    want.shape = ShapeWant::broadcasting(x.shape);
    Value y = draft.input(want);
    Shape shape = *broadcast(x.shape, y.shape);
    Dim dim = draft.dim(shape.size());
    CallWriter writer(kNames[0]);
    writer.give("x1", x).give("x2", y);
    writer.give_if(dim.written != 1 || draft.flip(), "dim", dim.written);
    writer.give_if(kPolicy.epsilon.drawn(draft.choices()), "eps", 0.001);
    Interval image = rounded({-1, 1}, x.dtype, static_cast<double>(shape[dim.at]) + 32);
    shape.erase(dim.at);
    record(draft, writer, x.dtype, shape, image);
  }

  // At most the width of the values, times a root of their number.
  static Interval lengths(Interval difference, std::int64_t n, std::uint64_t power, Dtype dtype) {
    constexpr double kRoots[] = {0.5, 1, 0, 1.0 / 3};
    double most =
        (largest(difference) + 0.01) * std::pow(static_cast<double>(std::max<std::int64_t>(n, 1)), kRoots[power]);
    return rounded({0, most}, dtype, static_cast<double>(n) + 32);
  }

  static void draw_pairs(Draft& draft) {
    // Sums of absolute values grow most. Combined with zeros the sum must fit, as long as a new second argument can
    // ensure it.
    auto holds = [](Interval difference, std::int64_t n, std::uint64_t power, Dtype dtype) {
      return inside(lengths(difference, n, power, dtype), range_of(dtype));
    };
    Want first{.dtypes = kFloats, .shape = ShapeWant::any(1, kMaxRank, 1), .within = kDomain};
    first.fits = [&](const Value& v) {
      return holds(v.interval, v.shape.back() == 1 ? kMaxArgumentElements : v.shape.back(), 1, v.dtype);
    };
    Value x = draft.input(first);
    // Cubes of the least difference, 1e-6, are 0 in half precision, and so would be the divisor in backward.
    std::uint64_t power = draft.choices().below(dtype_size(x.dtype) == 2 ? 3 : std::size(kPowers));
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::broadcasting(x.shape), .within = kDomain};
    // An empty tensor has no largest difference.
    if (power == 2) want.shape = ShapeWant::into(x.shape);
    want.fits = [&](const Value& v) {
      return holds(x.interval - v.interval, broadcast(x.shape, v.shape)->back(), power, x.dtype);
    };
    Value y = draft.input(want);
    Shape shape = *broadcast(x.shape, y.shape);
    bool keep = kPolicy.keepdim.drawn(draft.choices());
    CallWriter writer(kNames[1]);
    writer.give("x1", x).give("x2", y);
    writer.give_if(power != 0 || draft.flip(), "p", std::string(kPowers[power]));
    writer.give_if(kPolicy.epsilon.drawn(draft.choices()), "eps", 0.001);
    writer.give_if(keep || draft.flip(), "keepdim", keep);
    Interval image = lengths(x.interval - y.interval, shape.back(), power, x.dtype);
    if (keep)
      shape[shape.size() - 1] = 1;
    else
      shape.erase(shape.size() - 1);
    record(draft, writer, x.dtype, shape, image);
  }

  static void draw_all_pairs(Draft& draft) {
    constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};
    Value x = draft.input({.dtypes = kWide, .shape = ShapeWant::pattern({-1, -1}, 1, 33), .within = kDomain});
    std::int64_t n = x.shape[0];
    std::uint64_t power = draft.choices().below(std::size(kPowers));
    CallWriter writer(kNames[2]);
    writer.give("input", x).give_if(power != 0 || draft.flip(), "p", std::string(kPowers[power]));
    record(draft, writer, x.dtype, {n * (n - 1) / 2}, lengths(x.interval - x.interval, x.shape[1], power, x.dtype));
  }

  // sum_ij x_i w_kij y_j, for vectors x and y in the last dimensions.
  static void draw_bilinear(Draft& draft) {
    constexpr Interval kSmall = {-8, 8};
    Value x =
        draft.input({.dtypes = kFloats | kIntegers, .shape = ShapeWant::any(1, 4, 1).upto(512), .within = kSmall});
    Shape pattern = x.shape;
    pattern[pattern.size() - 1] = -1;
    Value y = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::pattern(pattern, 1, 8), .within = kSmall});
    auto terms = static_cast<double>(x.shape.back() * y.shape.back());
    auto image = [&](Interval weight) {
      return rounded(sum_of(x.interval * weight * y.interval, terms), x.dtype, terms + 4);
    };
    std::int64_t outputs =
        draft.between(1, std::min<std::int64_t>(4, kMaxElements / (x.shape.back() * y.shape.back())));
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly({outputs, x.shape.back(), y.shape.back()})};
    want.fits = [&](const Value& weight) { return inside(image(weight.interval), range_of(x.dtype)); };
    Value weight = draft.input(want);
    Interval result = image(weight.interval);
    CallWriter writer(kNames[3]);
    writer.give("input1", x).give("input2", y).give("weight", weight);
    if (draft.flip() && inside(rounded(result + kSmall, x.dtype), range_of(x.dtype))) {
      Value bias = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly({outputs}), .within = kSmall});
      writer.give("bias", bias);
      result = rounded(result + bias.interval, x.dtype);
    }
    pattern[pattern.size() - 1] = outputs;
    record(draft, writer, x.dtype, pattern, result);
  }
};

const Register<Operator, Distance> registered;

}  // namespace
}  // namespace jp::seedgen::distance_operators
