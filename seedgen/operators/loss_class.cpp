// Losses of scores of classes: the target is a class, several classes, or a
// distribution over them. Literal chances here were chosen, not measured.
#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/loss.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::loss_class_operators {
namespace {

constexpr std::string_view kNames[] = {"nll_loss", "cross_entropy", "multi_margin_loss", "multilabel_margin_loss"};
constexpr Interval kScores = {-30, 30};
constexpr Interval kWeights = {0.0625, 4};
constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};

// The scores of a batch, or of one item: classes are the second dimension, or the only one.
struct Scores {
  Value x;
  std::int64_t classes = 1;
  /// The shape of the losses, and their number.
  Shape shape;
  std::int64_t n = 1;
};

class LossClass final : public Operator {
 public:
  std::string_view name() const override { return "loss_class"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_likelihood(draft);
      case 1:
        return draft.choices().chance(1, 3) ? draw_distribution(draft) : draw_entropy(draft);
      case 2:
        return draw_margin(draft);
      default:
        return draw_margins(draft);
    }
  }

 private:
  static int classes_dim(const Value& x) { return x.shape.size() == 1 ? 0 : 1; }

  // Scores for which losses of up to `factor` times their width can be recorded and summed: one for each score, or for
  // each item one over all its classes. No record needs more, whatever the weights turn out to be.
  static Scores draw_scores(Draft& draft, DtypeSet dtypes, int most_rank, double factor) {
    Want want{.dtypes = dtypes, .shape = ShapeWant::any(1, most_rank, 1), .within = kScores};
    want.fits = [&](const Value& v) {
      const std::int64_t classes = v.shape[classes_dim(v)];
      const double each = factor * width_of(v);
      const double together = each * static_cast<double>(classes);
      return reduced(Reduction::kSum, v.dtype, {-each, each}, element_count(v.shape)).has_value() &&
             reduced(Reduction::kSum, v.dtype, {-together, together}, element_count(v.shape) / classes).has_value();
    };
    Scores scores{.x = draft.input(want)};
    const int dim = classes_dim(scores.x);
    scores.classes = scores.x.shape[dim];
    scores.shape = scores.x.shape;
    scores.shape.erase(dim);
    scores.n = element_count(scores.shape);
    return scores;
  }

  // At least the largest -log of a softmax, and all scores themselves.
  static double width_of(const Value& x) {
    double classes = static_cast<double>(std::max<std::int64_t>(2, element_count(x.shape)));
    return std::max(x.interval.high - x.interval.low, largest(x.interval)) + std::log(classes) + 1;
  }

  static Value draw_classes(Draft& draft, const Scores& scores, const Shape& shape, double least) {
    double most = static_cast<double>(scores.classes) - 1;
    return draft.input({.dtypes = {Dtype::kInt64}, .shape = ShapeWant::exactly(shape), .within = {least, most}});
  }

  // A weight for each class, or none: all weights are 1 then.
  static Interval draw_weight(Draft& draft, CallWriter& writer, const Scores& scores, bool plain) {
    if (!draft.choices().chance(1, 3)) return {1, 1};
    Want want{.dtypes = {scores.x.dtype}, .shape = ShapeWant::exactly({scores.classes}), .within = kWeights};
    want.plain = plain;
    want.neutral = 1;
    Value weight = draft.input(want);
    writer.keyword("weight", Ref{weight.id});
    return weight.interval;
  }

  // A mean over nothing would be 0/0: only a class that is no target is ignored.
  static void write_ignored(Draft& draft, CallWriter& writer, const Scores& scores, Reduction reduction) {
    if (!draft.choices().chance(1, 3)) return;
    std::int64_t ignored = reduction == Reduction::kMean ? -1 : draft.between(-1, scores.classes - 1);
    writer.keyword("ignore_index", ignored);
  }

  static void draw_likelihood(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    Scores scores = draw_scores(draft, kFloats, kMaxRank, kWeights.high);
    Value target = draw_classes(draft, scores, scores.shape, 0);
    // Eager's backward requires contiguous gradients.
    bool turned = scores.x.requires_grad && !is_contiguous(scores.x);
    CallWriter writer(kNames[0]);
    writer.give_after("input", scores.x, turned ? ".contiguous()" : "").give("target", target);
    Interval weight = draw_weight(draft, writer, scores, true);
    write_ignored(draft, writer, scores, reduction);
    Interval loss = -scores.x.interval;
    Interval image = hull(hull(loss, loss * weight), {0, 0});
    record_loss(draft, writer, reduction, scores.x.dtype, image, scores.shape, scores.n);
  }

  // Between 0 and the width of the scores plus the logarithm of their number, times a weight; a mean is divided by the
  // weights of the targets alone, while smoothing includes those of all classes.
  static void draw_entropy(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    Scores scores = draw_scores(draft, kFloats, kMaxRank, kWeights.high / kWeights.low);
    Value target = draw_classes(draft, scores, scores.shape, 0);
    CallWriter writer(kNames[1]);
    writer.give("input", scores.x).give("target", target);
    Interval weight = draw_weight(draft, writer, scores, true);
    write_ignored(draft, writer, scores, reduction);
    write_smoothing(draft, writer);
    double factor = reduction == Reduction::kMean ? weight.high / weight.low : weight.high;
    record_entropy(draft, writer, reduction, scores, std::max(factor, 1.0));
  }

  static void draw_distribution(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    Scores scores = draw_scores(draft, kFloats, kMaxRank, kWeights.high);
    Want want{.dtypes = {scores.x.dtype}, .shape = ShapeWant::exactly(scores.x.shape), .within = {0, 1}};
    Value target = draft.input(want);
    CallWriter writer(kNames[1]);
    writer.give("input", scores.x).give("target", target);
    Interval weight = draw_weight(draft, writer, scores, false);
    write_smoothing(draft, writer);
    record_entropy(draft, writer, reduction, scores, weight.high * static_cast<double>(scores.classes));
  }

  static void write_smoothing(Draft& draft, CallWriter& writer) {
    constexpr std::array<double, 4> kSmoothings = {0.1, 0.5, 0, 1};
    if (draft.choices().chance(1, 3))
      writer.keyword("label_smoothing", kSmoothings[draft.choices().below(kSmoothings.size())]);
  }

  static void record_entropy(Draft& draft, CallWriter& writer, Reduction reduction, const Scores& scores,
                             double factor) {
    double most = factor * width_of(scores.x);
    Interval image = {-most * 32 * epsilon(scores.x.dtype), most};
    record_loss(draft, writer, reduction, scores.x.dtype, image, scores.shape, scores.n);
  }

  // Other classes whose score comes closer to the target's than a margin, to the power p.
  static void draw_margin(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    Scores scores = draw_scores(draft, kWide, 2, 1);
    Value target = draw_classes(draft, scores, scores.shape, 0);
    CallWriter writer(kNames[2]);
    writer.give("input", scores.x).give("target", target);
    std::int64_t power = draft.between(1, 2);
    constexpr std::array<double, 3> kMargins = {1, 0.5, 2};
    double margin = kMargins[draft.choices().below(kMargins.size())];
    if (power != 1 || draft.flip()) writer.keyword("p", power);
    if (margin != 1 || draft.flip()) writer.keyword("margin", margin);
    Interval weight = draw_weight(draft, writer, scores, true);
    double most = margin + scores.x.interval.high - scores.x.interval.low;
    Interval image = {0, std::max(weight.high, 1.0) * (power == 1 ? most : most * most)};
    record_loss(draft, writer, reduction, scores.x.dtype, image, scores.shape, scores.n);
  }

  // Targets are classes up to the first -1: each against each class that is not a target.
  static void draw_margins(Draft& draft) {
    Reduction reduction = draw_reduction(draft);
    Scores scores = draw_scores(draft, kWide, 2, 1);
    Value target = draw_classes(draft, scores, scores.x.shape, -1);
    CallWriter writer(kNames[3]);
    writer.give("input", scores.x).give("target", target);
    double most = 1 + scores.x.interval.high - scores.x.interval.low;
    record_loss(draft, writer, reduction, scores.x.dtype, {0, static_cast<double>(scores.classes) * most}, scores.shape,
                scores.n);
  }
};

const Register<Operator, LossClass> registered;

}  // namespace
}  // namespace jp::seedgen::loss_class_operators
