// Losses of an input and a target of the same shape, element by element.
// Literal chances here were chosen, not measured.
#include "seedgen/bases/loss.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/operator.h"

namespace jp::seedgen::loss_operators {
namespace {

// The interval of probabilities in binary cross entropy, and the largest -log of them.
constexpr Interval kChances = {0.03125, 0.96875};
constexpr double kMostLog = 3.5;
constexpr Interval kWeights = {0.0625, 8};

struct Row {
  std::string_view name;
  Interval input;
  Interval target;
  /// Of the differences or whatever the loss is a function of; `setting` is the row's parameter.
  Interval (*image)(Interval input, Interval target, double setting);
  /// Autograd has no derivative with respect to the target.
  bool plain_target = false;
  /// The target's values choose between two formulas.
  bool exact_target = false;
  /// A numeric keyword: "beta", and its default.
  std::string_view setting = "";
  double usual = 0;
  /// Another tensor by keyword, of the same shape or broadcast to it.
  enum class Weight : std::uint8_t { kNone, kSame, kBroadcast } weight = Weight::kNone;
};

Interval squares(Interval x, Interval y, double) { return magnitude(x - y) * magnitude(x - y); }
Interval distances(Interval x, Interval y, double) { return magnitude(x - y); }
// Never more than the distance, nor than its square over twice the parameter.
Interval smooth(Interval x, Interval y, double) { return {0, largest(x - y)}; }
Interval huber_image(Interval x, Interval y, double delta) { return {0, delta * largest(x - y)}; }
Interval entropy_image(Interval, Interval, double) { return {0, kMostLog}; }
Interval soft_margin(Interval x, Interval y, double) { return {0, largest(x * y) + 1}; }
// x where the target is 1, the rest of a margin where it is -1, both elsewhere.
Interval hinge(Interval x, Interval, double margin) {
  return {std::min(x.low, 0.0), std::max({x.high, margin - x.low, margin, 0.0})};
}

constexpr auto kSame = Row::Weight::kSame;
constexpr auto kBroadcast = Row::Weight::kBroadcast;
constexpr Interval kSmall = {-100, 100};
constexpr Interval kSigns = {-1, 1};
constexpr Row kRows[] = {
    {"mse_loss", kSmall, kSmall, squares, false, false, "", 0, kSame},
    // Without its weight, which torch forgets under a mode of __torch_function__, compiled or not: see
    // corpus/known/pytorch-193003.py.
    {"l1_loss", kSmall, kSmall, distances},
    {"smooth_l1_loss", kSmall, kSmall, smooth, false, false, "beta", 1},
    {"huber_loss", kSmall, kSmall, huber_image, false, false, "delta", 1, kSame},
    {"binary_cross_entropy", kChances, {0, 1}, entropy_image, false, false, "", 0, kBroadcast},
    {"soft_margin_loss", {-8, 8}, kSigns, soft_margin, true},
    {"hinge_embedding_loss", kSmall, kSigns, hinge, true, true, "margin", 1},
};
constexpr std::array<double, 4> kSettings = {0.5, 2, 1.5, 0.25};

class Loss final : public Operator {
 public:
  std::string_view name() const override { return "loss"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Reduction reduction = draw_reduction(draft);
    double setting = draft.flip() ? row.usual : kSettings[draft.choices().below(kSettings.size())];
    Want first{.dtypes = kFloats, .shape = ShapeWant::any(0, kMaxRank, 1), .within = row.input};
    first.neutral = clip({0, 0}, row.input).low;
    first.fits = [&](const Value& x) {
      double neutral = clip({first.neutral, first.neutral}, row.target).low;
      return reduced(reduction, x.dtype, row.image(x.interval, {neutral, neutral}, setting), element_count(x.shape))
          .has_value();
    };
    first.paired = true;
    Value x = draft.input(first);
    std::int64_t n = element_count(x.shape);
    Want second{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .within = row.target};
    second.neutral = clip({first.neutral, first.neutral}, row.target).low;
    second.exact = row.exact_target;
    second.plain = row.plain_target;
    second.fits = [&](const Value& y) {
      return reduced(reduction, x.dtype, row.image(x.interval, y.interval, setting), n).has_value();
    };
    Value y = draft.input(second);
    Interval image = row.image(x.interval, y.interval, setting);
    CallWriter writer(row.name);
    writer.give("input", x).give("target", y);
    if (row.weight != Row::Weight::kNone && draft.choices().chance(1, 3))
      image = draw_weight(draft, row, writer, x, image, reduction);
    if (!row.setting.empty() && (setting != row.usual || draft.flip())) writer.keyword(row.setting, setting);
    record_loss(draft, writer, reduction, x.dtype, image, x.shape, n, row.name != "huber_loss");
  }

 private:
  static Interval draw_weight(Draft& draft, const Row& row, CallWriter& writer, const Value& x, Interval image,
                              Reduction reduction) {
    bool broadcasts = row.weight == kBroadcast;
    Want want{.dtypes = {x.dtype},
              .shape = broadcasts ? ShapeWant::into(x.shape) : ShapeWant::exactly(x.shape),
              .within = kWeights,
              .plain = broadcasts,
              .neutral = kWeights.low};
    std::int64_t n = element_count(x.shape);
    // A weighted mean may be the sum divided by the sum of the weights.
    want.fits = [&](const Value& weight) {
      Interval each = hull(image, image * weight.interval);
      return reduced(reduction == Reduction::kNone ? reduction : Reduction::kSum, x.dtype, each, n).has_value();
    };
    std::optional<Interval> plain = reduced(Reduction::kSum, x.dtype, image, n);
    if (!plain) return image;
    Value weight = draft.input(want);
    writer.keyword("weight", Ref{weight.id});
    return hull(image, image * weight.interval);
  }
};

const Register<Operator, Loss> registered;

}  // namespace
}  // namespace jp::seedgen::loss_operators
