// Resampling of one to three dimensions to a size or by a factor. A linear mode stays between its neighbours; the
// absolute weights of a cubic one sum to at most 1.375 in each dimension.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::interpolate_operators {
namespace {

constexpr std::string_view kNames[] = {"interpolate_nearest", "interpolate_linear", "interpolate_cubic",
                                       "interpolate_area"};
constexpr std::string_view kLinear[] = {"linear", "bilinear", "trilinear"};
// Exact in binary, so that sizes are exact.
constexpr std::array<double, 8> kFactors = {2, 1.5, 0.5, 1, 3, 0.75, 1.25, 2.5};
constexpr double kCubic = 2.5;

std::string tuple_of(const std::vector<double>& factors) {
  std::string text = "(";
  for (double factor : factors) fmt::format_to(std::back_inserter(text), "{:.4g}, ", factor);
  return text.append(")");
}

// The result's sizes and how they are given.
struct Target {
  Shape shape;
  bool by_factor = false;
  Argument told;
};

class Interpolate final : public Operator {
 public:
  std::string_view name() const override { return "interpolate"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    bool linear = member == 1;
    bool cubic = member == 2;
    Want want{.dtypes = member == 0 ? kFloats | DtypeSet{Dtype::kUInt8} : kFloats,
              .shape = ShapeWant::any(cubic ? 4 : 3, cubic ? 4 : 5, 1).upto(kMaxElements / 4)};
    want.fits = [&](const Value& value) { return inside(image_of(member, value), range_of(value.dtype)); };
    Value x = draft.input(want);
    int dims = x.shape.size() - 2;
    Target target = draft.flip() ? draw_size(draft, x.shape) : draw_factor(draft, x.shape);
    CallWriter writer(kNames[member], "torch.nn.functional.interpolate");
    writer.give("input", x);
    writer.give_if(!target.by_factor, "size", target.told);
    writer.give_if(target.by_factor, "scale_factor", target.told);
    writer.give_if(member != 0 || draft.flip(), "mode", quoted(mode_of(draft, member, dims)));
    writer.give_if((linear || cubic) && draft.flip(), "align_corners", draft.flip());
    writer.give_if(target.by_factor && draft.choices().chance(1, 3), "recompute_scale_factor", draft.flip());
    bool smooths = (linear || cubic) && dims == 2 && dtype_size(x.dtype) >= 4;
    writer.give_if(smooths && draft.choices().chance(1, 3), "antialias", true);
    draft.record(writer.finish(), fresh_unknown(x.dtype, target.shape, image_of(member, x)),
                 {.exactness = member == 0 ? Exactness::kSame : Exactness::kLoose});
  }

 private:
  static std::string_view mode_of(Draft& draft, std::size_t member, int dims) {
    if (member == 0) return draft.flip() ? "nearest" : "nearest-exact";
    return member == 1 ? kLinear[dims - 1] : member == 2 ? "bicubic" : "area";
  }

  static Interval image_of(std::size_t member, const Value& value) {
    if (member == 0) return value.interval;
    if (member != 2) return rounded(value.interval, value.dtype, 64);
    double most = kCubic * largest(value.interval);
    return rounded({-most, most}, value.dtype, 64);
  }

  static Target draw_size(Draft& draft, const Shape& input) {
    Target target{.shape = input};
    std::int64_t elements = element_count(input);
    bool square = draft.choices().chance(1, 3);
    Ints sizes;
    for (int i = 2; i < input.size(); ++i) {
      std::int64_t most = std::min(2 * input[i] + 2, input[i] * (kMaxElements / elements));
      std::int64_t size = square && i > 2 ? std::min(sizes[0], most) : draft.between(1, most);
      sizes.push_back(size);
      target.shape[i] = size;
      elements = elements / input[i] * size;
    }
    target.told = int_or_tuple(sizes, draft.flip());
    return target;
  }

  // One factor for all dimensions, or one for each.
  static Target draw_factor(Draft& draft, const Shape& input) {
    Target target{.shape = input, .by_factor = true};
    std::int64_t elements = element_count(input);
    std::vector<double> factors;
    bool single = draft.flip();
    for (int i = 2; i < input.size(); ++i) {
      std::vector<double> possible;
      for (double factor : kFactors) {
        double size = std::floor(static_cast<double>(input[i]) * factor);
        if (size >= 1 && size * static_cast<double>(elements / input[i]) <= kMaxElements) possible.push_back(factor);
      }
      bool again = single && i > 2 && std::find(possible.begin(), possible.end(), factors[0]) != possible.end();
      factors.push_back(again ? factors[0] : draft.choices().pick(possible));
      target.shape[i] = static_cast<std::int64_t>(std::floor(static_cast<double>(input[i]) * factors.back()));
      elements = elements / input[i] * target.shape[i];
    }
    bool same = std::all_of(factors.begin(), factors.end(), [&](double factor) { return factor == factors[0]; });
    target.told = same && draft.flip() ? Argument(factors[0]) : Argument(tuple_of(factors));
    return target;
  }
};

const Register<Operator, Interpolate> registered;

}  // namespace
}  // namespace jp::seedgen::interpolate_operators
