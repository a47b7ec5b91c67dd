// Losses of scores and distributions: logits, divergence, negative log likelihoods of Poisson and Gauss.
// Literal chances here were chosen, not measured.
#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/loss.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::loss_score_operators {
namespace {

constexpr std::string_view kNames[] = {"binary_cross_entropy_with_logits", "multilabel_soft_margin_loss", "kl_div",
                                       "poisson_nll_loss", "gaussian_nll_loss"};
constexpr Interval kLogits = {-50, 50};
constexpr Interval kWeights = {0, 4};

// log(1 + exp(x)) is at most that much above the larger of x and 0.
constexpr double kSoftplus = 0.7;

// A loss that is never negative except for rounding.
Interval upto(double most, Dtype dtype) { return {-most * 32 * epsilon(dtype), most}; }

Interval logs(Interval x) { return {std::log(x.low), std::log(x.high)}; }
Interval exponents(Interval x) { return {std::exp(x.low), std::exp(x.high)}; }

class LossScore final : public Operator {
 public:
  std::string_view name() const override { return "loss_score"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_binary(draft);
      case 1:
        return draw_multilabel(draft);
      case 2:
        return draw_divergence(draft);
      case 3:
        return draw_poisson(draft);
      default:
        return draw_gauss(draft);
    }
  }

 private:
  // An operand for which the losses stay in range.
  template <typename Image>
  static Value draw_fitting(Draft& draft, Want want, Reduction reduction, Dtype dtype, std::int64_t n, Image&& image) {
    want.fits = [&](const Value& value) { return reduced(reduction, dtype, image(value.interval), n).has_value(); };
    return draft.input(want);
  }

  static Value draw_scores(Draft& draft, Interval within, int least_rank, double neutral, const ValueTest& fits) {
    Want want{.dtypes = kFloats, .shape = ShapeWant::any(least_rank, kMaxRank, 1), .within = within, .fits = fits};
    want.neutral = neutral;
    return draft.input(want);
  }

  static void draw_binary(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    auto image = [](Dtype dtype, Interval x, double weight, double positive) {
      return upto(weight * (largest(x) + std::max(positive, 1.0) * (largest(x) + kSoftplus)), dtype);
    };
    Value x = draw_scores(draft, kLogits, 0, 0, [&](const Value& v) {
      return reduced(reduction, v.dtype, image(v.dtype, v.interval, 1, 1), element_count(v.shape)).has_value();
    });
    std::int64_t n = element_count(x.shape);
    Value y = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .within = {0, 1}});
    CallWriter writer(kNames[0]);
    writer.give("input", x).give("target", y);
    double weight = 1;
    double positive = 1;
    for (std::string_view name : {"weight", "pos_weight"}) {
      if (draft.choices().chance(2, 3)) continue;
      double& factor = name == "weight" ? weight : positive;
      Want want{.dtypes = {x.dtype}, .shape = ShapeWant::into(x.shape), .within = kWeights, .plain = true};
      Value drawn = draw_fitting(draft, want, reduction, x.dtype, n, [&](Interval weights) {
        double most = std::max(weights.high, 1.0);
        return name == "weight" ? image(x.dtype, x.interval, most, 1) : image(x.dtype, x.interval, weight, most);
      });
      factor = std::max(drawn.interval.high, 1.0);
      writer.keyword(name, Ref{drawn.id});
    }
    record_loss(draft, writer, reduction, x.dtype, image(x.dtype, x.interval, weight, positive), x.shape, n);
  }

  // A mean over the classes, which are the last dimension.
  static void draw_multilabel(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    auto image = [](Dtype dtype, Interval x, double weight) { return upto(weight * (largest(x) + kSoftplus), dtype); };
    Value x = draw_scores(draft, kLogits, 1, 0, [&](const Value& v) {
      return reduced(Reduction::kSum, v.dtype, image(v.dtype, v.interval, 1), element_count(v.shape)).has_value();
    });
    std::int64_t n = element_count(x.shape);
    Value y = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .within = {0, 1}});
    CallWriter writer(kNames[1]);
    writer.give("input", x).give("target", y);
    double weight = 1;
    if (draft.choices().chance(1, 3)) {
      Want want{.dtypes = {x.dtype}, .shape = ShapeWant::into(x.shape), .within = kWeights};
      Value drawn = draw_fitting(draft, want, Reduction::kSum, x.dtype, n, [&](Interval weights) {
        return image(x.dtype, x.interval, std::max(weights.high, 1.0));
      });
      weight = std::max(drawn.interval.high, 1.0);
      writer.keyword("weight", Ref{drawn.id});
    }
    Shape rows = x.shape;
    std::int64_t classes = rows.back();
    rows.erase(rows.size() - 1);
    record_loss(draft, writer, reduction, x.dtype, image(x.dtype, x.interval, weight), rows, n / classes);
  }

  static void draw_divergence(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    bool log_target = draft.choices().chance(1, 3);
    auto image = [&](Interval x, Interval y) { return log_target ? exponents(y) * (y - x) : y * (logs(y) - x); };
    double neutral = log_target ? 0 : 1;
    // A mean over the batch is a sum.
    Value x = draw_scores(draft, {-16, 4}, 0, 0, [&](const Value& v) {
      return reduced(Reduction::kSum, v.dtype, image(v.interval, {neutral, neutral}), element_count(v.shape))
          .has_value();
    });
    std::int64_t n = element_count(x.shape);
    Want second{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .neutral = neutral};
    second.within = log_target ? Interval{-8, 2} : Interval{0.03125, 4};
    Value y = draw_fitting(draft, second, Reduction::kSum, x.dtype, n,
                           [&](Interval target) { return image(x.interval, target); });
    CallWriter writer(kNames[2]);
    writer.give("input", x).give("target", y);
    if (log_target || draft.flip()) writer.keyword("log_target", log_target);
    Interval each = image(x.interval, y.interval);
    if (x.shape.empty() || draft.choices().chance(3, 4))
      return record_loss(draft, writer, reduction, x.dtype, each, x.shape, n);
    writer.keyword("reduction", quoted("batchmean"));
    Interval sum = *reduced(Reduction::kSum, x.dtype, each, n);
    Interval mean = rounded(scaled(sum, 1 / static_cast<double>(x.shape[0])), x.dtype, 4);
    draft.record(writer.finish(), fresh_unknown(x.dtype, {}, mean), {.exactness = Exactness::kLoose});
  }

  // exp(x) - y * x or x - y * log(x), and Stirling's sum for log(y!) where y is above 1: discontinuous at 1.
  static void draw_poisson(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    bool log_input = draft.choices().chance(2, 3);
    bool full = draft.choices().chance(1, 3);
    constexpr Interval kStirling = {-0.1, 32};
    auto image = [&](Interval x, Interval y) {
      Interval loss = log_input ? exponents(x) - y * x : x - y * logs(x + Interval{0, 0.001});
      return full ? loss + Interval{kStirling.low, kStirling.high} : loss;
    };
    Interval within = log_input ? Interval{-8, 8} : Interval{0.0625, 64};
    Value x = draw_scores(draft, within, 0, log_input ? 0 : 1, [&](const Value& v) {
      return reduced(reduction, v.dtype, image(v.interval, {0, 0}), element_count(v.shape)).has_value();
    });
    std::int64_t n = element_count(x.shape);
    Want second{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .within = {0, 16}, .exact = full};
    second.plain = full;
    Value y =
        draw_fitting(draft, second, reduction, x.dtype, n, [&](Interval target) { return image(x.interval, target); });
    CallWriter writer(kNames[3]);
    writer.give("input", x).give("target", y);
    if (!log_input || draft.flip()) writer.keyword("log_input", log_input);
    if (full || draft.flip()) writer.keyword("full", full);
    if (draft.choices().chance(1, 4)) writer.keyword("eps", 0.001);
    record_loss(draft, writer, reduction, x.dtype, image(x.interval, y.interval), x.shape, n);
  }

  // (log(var) + (x - y)^2 / var) / 2, and half of log(2 pi). The variance is a number, or a tensor of the input's shape
  // or without its last dimension.
  static void draw_gauss(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    bool full = draft.flip();
    auto image = [&](Interval difference, Interval variance) {
      Interval square = magnitude(difference) * magnitude(difference);
      Interval loss = scaled(logs(variance) + quotient(square, variance), 0.5);
      return full ? loss + Interval{0.9, 0.95} : loss;
    };
    Value x = draw_scores(draft, {-50, 50}, 0, 0, [&](const Value& v) {
      return reduced(reduction, v.dtype, image(v.interval, {1, 1}), element_count(v.shape)).has_value();
    });
    std::int64_t n = element_count(x.shape);
    Want second{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .within = {-50, 50}};
    Value y = draw_fitting(draft, second, reduction, x.dtype, n, [&](Interval target) {
      return image(x.interval - target, {1, 1});
    });
    CallWriter writer(kNames[4]);
    writer.give("input", x).give("target", y);
    Interval variance = {1, 1};
    if (draft.choices().chance(1, 4)) {
      const bool fits = reduced(reduction, x.dtype, image(x.interval - y.interval, {1.5, 1.5}), n).has_value();
      const double number = draft.flip() && fits ? 1.5 : 1;
      writer.give("var", number);
      variance = {number, number};
    } else {
      Shape shape = x.shape;
      if (!shape.empty() && draft.choices().chance(1, 3)) shape[shape.size() - 1] = 1;
      if (shape.size() > 1 && shape.back() == 1 && draft.flip()) shape.erase(shape.size() - 1);
      if (shape.size() < x.shape.size() && x.shape.back() == 1) shape = x.shape;
      Want third{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(shape), .within = {0.0625, 8}, .neutral = 1};
      Value drawn = draw_fitting(draft, third, reduction, x.dtype, n,
                                 [&](Interval values) { return image(x.interval - y.interval, values); });
      writer.give("var", drawn);
      variance = drawn.interval;
    }
    if (full || draft.flip()) writer.keyword("full", full);
    if (kPolicy.epsilon.drawn(draft.choices())) writer.keyword("eps", 0.001);
    record_loss(draft, writer, reduction, x.dtype, image(x.interval - y.interval, variance), x.shape, n, false);
  }
};

const Register<Operator, LossScore> registered;

}  // namespace
}  // namespace jp::seedgen::loss_score_operators
