// Losses of several inputs that are compared with each other. Literal chances here were chosen, not measured.
#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/loss.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::loss_distance_operators {
namespace {

constexpr std::string_view kNames[] = {"cosine_embedding_loss", "margin_ranking_loss", "triplet_margin_loss",
                                       "triplet_margin_with_distance_loss"};
constexpr Interval kDomain = {-50, 50};
constexpr std::array<double, 3> kMargins = {0.5, 2, 1};

double draw_margin(Draft& draft) { return kMargins[draft.choices().below(kMargins.size())]; }

class LossDistance final : public Operator {
 public:
  std::string_view name() const override { return "loss_distance"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_cosine(draft);
      case 1:
        return draw_ranking(draft);
      default:
        return draw_triplet(draft, member == 3);
    }
  }

 private:
  // The direction of rounded noise around 0 is meaningless: inputs are exact or away from 0. The least square of a
  // length, 1e-12, is 0 in float16.
  static void draw_cosine(Draft& draft) {
    constexpr DtypeSet kDtypes = {Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64};
    Reduction reduction = draw_reduction(draft);
    Want want{.dtypes = kDtypes, .shape = ShapeWant::any(1, 2, 1), .within = kDomain};
    want.live = [](const Value& v) { return v.exact || v.interval.low > 0.0625 || v.interval.high < -0.0625; };
    want.paired = true;
    Value x = draft.input(want);
    want.dtypes = {x.dtype};
    want.shape = ShapeWant::exactly(x.shape);
    Value y = draft.input(want);
    Shape shape = x.shape;
    shape.erase(shape.size() - 1);
    Value sign = draft.input({.dtypes = {x.dtype, Dtype::kInt64},
                              .shape = ShapeWant::exactly(shape),
                              .within = {-1, 1},
                              .exact = true,
                              .plain = true});
    CallWriter writer(kNames[0]);
    writer.give("input1", x).give("input2", y).give("target", sign);
    constexpr std::array<double, 3> kCosines = {0.5, -0.25, 0};
    if (draft.flip()) writer.keyword("margin", kCosines[draft.choices().below(kCosines.size())]);
    record_loss(draft, writer, reduction, x.dtype, {-0.125, 2.25}, shape, element_count(shape));
  }

  // max(0, margin - target * (x - y))
  static void draw_ranking(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    auto image = [](Interval difference, Interval sign) {
      return Interval{0, largest(difference) * largest(sign) + 2};
    };
    auto fits = [&](const Value& v, Interval difference, Interval sign) {
      return reduced(reduction, v.dtype, image(difference, sign), element_count(v.shape)).has_value();
    };
    Want want{.dtypes = kFloats, .shape = ShapeWant::any(0, kMaxRank, 1), .within = kDomain};
    want.fits = [&](const Value& v) { return fits(v, v.interval, {1, 1}); };
    want.paired = true;
    Value x = draft.input(want);
    want.dtypes = {x.dtype};
    want.shape = ShapeWant::exactly(x.shape);
    want.fits = [&](const Value& v) { return fits(v, x.interval - v.interval, {1, 1}); };
    Value y = draft.input(want);
    want.within = {-2, 2};
    want.fits = [&](const Value& v) { return fits(v, x.interval - y.interval, v.interval); };
    Value sign = draft.input(want);
    CallWriter writer(kNames[1]);
    writer.give("input1", x).give("input2", y).give("target", sign);
    if (draft.flip()) writer.keyword("margin", draw_margin(draft));
    record_loss(draft, writer, reduction, x.dtype, image(x.interval - y.interval, sign.interval), x.shape,
                element_count(x.shape));
  }

  // max(0, |x - near| - |x - far| + margin) over the last dimension.
  static void draw_triplet(Draft& draft, bool distance) {
    Reduction reduction = draw_reduction(draft);
    std::int64_t power = distance ? 2 : draft.between(1, 3);
    auto image = [&](const Value& v) {
      auto n = static_cast<double>(v.shape.back());
      double width = 2 * kDomain.high + 1;
      return Interval{0, width * std::pow(n, 1 / static_cast<double>(power)) + 2};
    };
    // Cubes of the least difference are 0 in half precision.
    constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};
    Want want{.dtypes = power == 3 ? kWide : kFloats, .shape = ShapeWant::any(1, kMaxRank, 1), .within = kDomain};
    want.fits = [&](const Value& v) {
      return reduced(reduction, v.dtype, image(v), element_count(v.shape)).has_value();
    };
    want.paired = true;
    Value x = draft.input(want);
    want.dtypes = {x.dtype};
    want.shape = ShapeWant::exactly(x.shape);
    Value near = draft.input(want);
    Value far = draft.input(want);
    CallWriter writer(distance ? kNames[3] : kNames[2]);
    writer.give("anchor", x).give("positive", near).give("negative", far);
    if (draft.flip()) writer.keyword("margin", draw_margin(draft));
    if (power != 2 || (!distance && draft.flip())) writer.keyword("p", power);
    if (!distance && draft.choices().chance(1, 4)) writer.keyword("eps", 0.001);
    if (draft.flip()) writer.keyword("swap", draft.flip());
    if (distance && draft.flip())
      writer.keyword("distance_function", std::string("torch.nn.functional.pairwise_distance"));
    Shape shape = x.shape;
    shape.erase(shape.size() - 1);
    record_loss(draft, writer, reduction, x.dtype, image(x), shape, element_count(shape), !distance);
  }
};

const Register<Operator, LossDistance> registered;

}  // namespace
}  // namespace jp::seedgen::loss_distance_operators
