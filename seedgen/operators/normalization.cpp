// Normalisations. No n numbers of mean 0 and variance 1 contain one larger than the square root of n.
// Literal chances here were chosen, not measured.
#include <array>
#include <cmath>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::normalization_operators {
namespace {

constexpr std::string_view kNames[] = {"layer_norm", "rms_norm", "group_norm", "normalize", "local_response_norm"};
constexpr std::array<double, 3> kEps = {1e-3, 0.1, 0.01};
constexpr Interval kScales = {-8, 8};

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
      case 3:
        return draw_unit(draft);
      default:
        return draw_response(draft);
    }
  }

 private:
  // Over the last one or more dimensions.
  static void draw_over_last(Draft& draft, std::string_view op) {
    Value x = draft.input({.dtypes = kFloats, .shape = ShapeWant::any(1, kMaxRank, 1), .within = kDomain});
    Shape over;
    for (auto i = static_cast<int>(draft.between(0, x.shape.size() - 1)); i < x.shape.size(); ++i)
      over.push_back(x.shape[i]);
    CallWriter writer(op);
    writer.give("input", x).give("normalized_shape", over);
    Interval image = spread(x.dtype, element_count(over));
    bool weighs = draft.flip();
    bool has_bias = op == "layer_norm";
    // Only layer_norm accepts half precision with parameters in float32 and returns half precision; the weight must be
    // among them.
    bool mixes = has_bias && weighs && dtype_size(x.dtype) == 2 && draft.choices().chance(1, 3);
    Dtype dtype = mixes ? Dtype::kFloat32 : x.dtype;
    image = draw_scale(draft, writer, x, dtype, over, "weight", weighs, image);
    if (has_bias) image = draw_scale(draft, writer, x, dtype, over, "bias", draft.flip(), image);
    write_eps(draft, writer);
    record(draft, writer, x, image);
  }

  static void draw_groups(Draft& draft) {
    // Torch refuses groups of a single number over the whole batch.
    Value x = draft.input({.dtypes = kFloats, .shape = ShapeWant::any(2, kMaxRank, 2), .within = kDomain});
    std::int64_t channels = x.shape[1];
    std::vector<std::int64_t> divisors;
    for (std::int64_t i = 1; i <= channels; ++i)
      if (channels % i == 0) divisors.push_back(i);
    // A group of one number is 0.
    if (element_count(x.shape) == x.shape[0] * channels && draft.choices().chance(15, 16)) divisors.pop_back();
    std::int64_t groups = draft.choices().pick(divisors);
    CallWriter writer("group_norm");
    writer.give("input", x).give("num_groups", groups);
    Interval image = spread(x.dtype, element_count(x.shape) / x.shape[0] / groups);
    // Eager has no backward of a bias without a weight.
    bool weighs = draft.flip();
    image = draw_scale(draft, writer, x, x.dtype, {channels}, "weight", weighs, image);
    image = draw_scale(draft, writer, x, x.dtype, {channels}, "bias", weighs && draft.flip(), image);
    write_eps(draft, writer);
    record(draft, writer, x, image);
  }

  // A weight or bias if `given`; returns the interval of the result with it.
  static Interval draw_scale(Draft& draft, CallWriter& writer, const Value& x, Dtype dtype, const Shape& shape,
                             std::string_view name, bool given, Interval image) {
    if (!given) {
      writer.give_if(draft.choices().chance(1, 4), name, std::string("None"));
      return image;
    }
    // Eager crashes in group_norm's backward if x is channels last and only the scales need gradients (2.13.0).
    bool plain = x.shape.size() >= 4 && !x.requires_grad && !is_contiguous(x);
    Value scale =
        draft.input({.dtypes = {dtype}, .shape = ShapeWant::exactly(shape), .within = kScales, .plain = plain});
    writer.give(name, scale);
    return rounded(name == "weight" ? image * scale.interval : image + scale.interval, x.dtype, 8);
  }

  static void write_eps(Draft& draft, CallWriter& writer) {
    writer.give_if(draft.flip(), "eps", kEps[draft.choices().below(kEps.size())]);
  }

  static void draw_unit(Draft& draft) {
    Value x = draft.input({.dtypes = kFloats | kComplex, .shape = ShapeWant::any(1, kMaxRank, 1), .within = kDomain});
    int rank = x.shape.size();
    constexpr std::string_view kPowers[] = {"2.0", "1.0", "float(\"inf\")", "3.0"};
    std::uint64_t power = draft.flip() ? 0 : draft.choices().below(dtype_size(x.dtype) == 2 ? 3 : std::size(kPowers));
    Ints written;
    std::int64_t n = 1;
    for (Dim dim : draft.flip() ? std::vector{draw_long_dim(draft, x.shape)} : draft.dims(rank, 1)) {
      written.push_back(dim.written);
      n *= x.shape[dim.at];
    }
    CallWriter writer("normalize", "torch.nn.functional.normalize");
    writer.give("input", x);
    writer.give_if(power != 0 || draft.flip(), "p", std::string(kPowers[power]));
    writer.give_if(written != Ints{1} || draft.flip(), "dim", int_or_tuple(written, written.size() == 1));
    // The default least norm, 1e-12, is 0 in float16.
    if (x.dtype == Dtype::kFloat16 || draft.choices().chance(1, 3))
      writer.give("eps", kEps[draft.choices().below(kEps.size())]);
    record_or_out(draft, writer.finish(),
                  fresh_unknown(x.dtype, x.shape, rounded({-1, 1}, x.dtype, static_cast<double>(n) + 8)),
                  {.exactness = Exactness::kLoose});
  }

  // Divided by a power of 1 or 2 plus an average of squares over neighbouring channels.
  static void draw_response(Draft& draft) {
    constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};
    bool lines = draft.choices().chance(1, 3);
    Value x = draft.input({.dtypes = lines ? kFloats : kWide,
                           .shape = lines ? ShapeWant::any(3, 3, 1) : ShapeWant::any(3, kMaxRank, 1),
                           .within = kDomain});
    CallWriter writer("local_response_norm");
    // Eager requires a view if there are more than two spatial dimensions.
    bool views = x.shape.size() == kMaxRank && !is_contiguous(x);
    writer.give_after("input", x, views ? ".contiguous()" : "").give("size", draft.between(1, 5));
    writer.give_if(draft.flip(), "alpha", draft.flip() ? 0.125 : 1.0);
    writer.give_if(draft.flip(), "beta", draft.flip() ? 0.5 : 1.0);
    writer.give_if(draft.flip(), "k", draft.flip() ? 1.0 : 2.0);
    record(draft, writer, x, rounded(hull(x.interval, {0, 0}), x.dtype, 16));
  }

  static void record(Draft& draft, CallWriter& writer, const Value& x, Interval image) {
    draft.record(writer.finish(), fresh_unknown(x.dtype, x.shape, image), {.exactness = Exactness::kLoose});
  }
};

const Register<Operator, Normalization> registered;

}  // namespace
}  // namespace jp::seedgen::normalization_operators
