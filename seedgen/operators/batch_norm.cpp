// Batch and instance normalisation. In training, running statistics are written in place: they are values that may be
// written, share no memory with anything else in the call, and get no new name.
// Literal chances here were chosen, not measured.
#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::batch_norm_operators {
namespace {

constexpr std::string_view kNames[] = {"batch_norm", "instance_norm"};
// Squares of differences stay within half precision.
constexpr Interval kDomain = {-64, 64};
constexpr Interval kVariances = {0.0625, 64};
constexpr Interval kScales = {-8, 8};
constexpr std::array<double, 3> kEps = {1e-3, 0.1, 0.01};
constexpr std::array<double, 4> kMomenta = {0.1, 0.5, 1, 0.25};

// One call as it is drawn: statistics and parameters have `channels` elements each.
struct Norm {
  Value x;
  Shape channels;
  Dtype dtype = Dtype::kFloat32;  // of statistics and parameters
  bool trains = false;
  bool tracks = false;
  std::vector<std::int64_t> apart;  // storages
  Value mean;
  Value variance;
};

class BatchNorm final : public Operator {
 public:
  std::string_view name() const override { return "batch_norm"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    bool instances = member == 1;
    Norm norm;
    norm.trains = draft.choices().chance(2, 3);
    norm.tracks = !norm.trains || draft.flip();
    norm.x = draft.input({.dtypes = kFloats, .shape = shape_for(draft, instances, norm.trains), .within = kDomain});
    norm.channels = {norm.x.shape[1]};
    norm.apart = {norm.x.storage};
    bool half = dtype_size(norm.x.dtype) == 2;
    // Half precision is combined with statistics and parameters of its own dtype or, over batches, in float32.
    norm.dtype = half && !instances && draft.flip() ? Dtype::kFloat32 : norm.x.dtype;
    CallWriter writer(kNames[member]);
    writer.give("input", norm.x);
    if (norm.tracks) {
      norm.mean = draw_statistic(draft, norm, kDomain);
      norm.variance = draw_statistic(draft, norm, kVariances);
      give_dense(writer, "running_mean", norm.mean, norm.trains);
      give_dense(writer, "running_var", norm.variance, norm.trains);
    } else if (instances) {
      writer.skip().skip();
    } else {
      writer.give("running_mean", std::string("None")).give("running_var", std::string("None"));
    }
    double eps = draft.flip() ? kEps[draft.choices().below(kEps.size())] : 1e-5;
    Interval image = draw_parameters(draft, norm, writer, normalised(norm, eps, instances));
    std::string_view training = instances ? "use_input_stats" : "training";
    writer.give_if(norm.trains != instances || draft.flip(), training, norm.trains);
    double momentum = draft.flip() ? kMomenta[draft.choices().below(kMomenta.size())] : 0.1;
    writer.give_if(momentum != 0.1 || draft.flip(), "momentum", momentum);
    writer.give_if(eps != 1e-5 || draft.flip(), "eps", eps);
    draft.record(writer.finish(), fresh_unknown(norm.x.dtype, norm.x.shape, image), {.exactness = Exactness::kLoose});
    if (norm.trains && norm.tracks) update(draft, norm);
  }

 private:
  static auto apart_from(const Norm& norm) {
    return [&storages = norm.apart](const Value& value) {
      return std::find(storages.begin(), storages.end(), value.storage) == storages.end();
    };
  }

  // Elements that are normalised together are at least two.
  static ShapeWant shape_for(Draft& draft, bool instances, bool trains) {
    int least = instances ? 3 : 2;
    if (!trains) return ShapeWant::any(least, kMaxRank, 1);
    if (draft.flip()) return ShapeWant::any(least, kMaxRank, 2);
    const auto rank = static_cast<int>(draft.between(least, kMaxRank));
    Shape pattern = Ints::filled(rank, -1);
    // The batch dimension, except for instances, or a dimension after the channels.
    const auto at = static_cast<int>(draft.between(instances ? 2 : 1, rank - 1));
    pattern[at == 1 ? 0 : at] = draft.between(2, 4);
    return ShapeWant::pattern(pattern, 1);
  }

  static Value draw_statistic(Draft& draft, Norm& norm, Interval within) {
    Want want{.dtypes = {norm.dtype}, .shape = ShapeWant::exactly(norm.channels), .within = within, .plain = true};
    want.neutral = within.low > 0 ? 1 : 0;
    want.written = norm.trains;
    if (norm.trains) want.live = apart_from(norm);
    Value statistic = draft.input(want);
    norm.apart.push_back(statistic.storage);
    return statistic;
  }

  static Interval normalised(const Norm& norm, double eps, bool instances) {
    if (norm.trains) {
      std::int64_t n = element_count(norm.x.shape) / norm.channels[0] / (instances ? norm.x.shape[0] : 1);
      double most = std::sqrt(static_cast<double>(n));
      return rounded({-most, most}, norm.x.dtype, 16);
    }
    Interval spread = norm.variance.interval;
    Interval inverse = {1 / std::sqrt(spread.high + eps), 1 / std::sqrt(spread.low + eps)};
    return rounded((norm.x.interval - norm.mean.interval) * inverse, norm.x.dtype, 16);
  }

  // Eager's backward reads weights, and statistics that it does not write, as if they were contiguous, even beyond
  // their end (2.13.0).
  static void give_dense(CallWriter& writer, std::string_view name, const Value& value, bool written) {
    writer.give_after(name, value, written || is_contiguous(value) ? "" : ".contiguous()");
  }

  // Draws weight and bias, each given or not; returns the interval of the result.
  static Interval draw_parameters(Draft& draft, const Norm& norm, CallWriter& writer, Interval image) {
    for (std::string_view name : {"weight", "bias"}) {
      if (draft.flip()) {
        writer.skip();
        continue;
      }
      Want want{.dtypes = {norm.dtype}, .shape = ShapeWant::exactly(norm.channels), .within = kScales};
      if (norm.trains && norm.tracks) want.live = apart_from(norm);
      Value parameter = draft.input(want);
      give_dense(writer, name, parameter, false);
      image = name == "weight" ? image * parameter.interval : image + parameter.interval;
      image = rounded(image, norm.x.dtype, 8);
    }
    return image;
  }

  // (1 - momentum) * old + momentum * new; a variance over n - 1 of n numbers is at most half of the width squared.
  static void update(Draft& draft, const Norm& norm) {
    double width = norm.x.interval.high - norm.x.interval.low;
    Interval variance = hull(norm.variance.interval, {0, width * width / 2});
    draft.overwrite(norm.mean, rounded(hull(norm.mean.interval, norm.x.interval), norm.dtype, 64));
    draft.overwrite(norm.variance, rounded(variance, norm.dtype, 64));
  }
};

const Register<Operator, BatchNorm> registered;

}  // namespace
}  // namespace jp::seedgen::batch_norm_operators
