// Pools of powers, and the inverse of a maximum pool.
#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::pooling_norm_operators {
namespace {

constexpr std::string_view kNames[] = {"lp_pool1d",    "lp_pool2d",    "lp_pool3d",
                                       "max_unpool1d", "max_unpool2d", "max_unpool3d"};

constexpr std::string_view kInverse[] = {
    "torch.nn.functional.#($0, torch.arange($1, $2).view($3).expand_as($0), $4, stride=$5)",
    "torch.nn.functional.#($0, torch.arange($1, $2).view($3).expand_as($0), $4, $5, 0)",
    "torch.nn.functional.#($0, torch.arange($1, $2).view($3).expand_as($0), $4, $5, output_size=$6)"};

// Roots of small sums have large gradients; cubes of large numbers leave half precision.
constexpr Interval kDomain = {0.0625, 8};
constexpr std::array<double, 4> kPowers = {1, 2, 3, 1.5};

class PoolingNorm final : public Operator {
 public:
  std::string_view name() const override { return "pooling_norm"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    int dims = static_cast<int>(member % 3) + 1;
    member < 3 ? draw_powers(draft, kNames[member], dims) : draw_inverse(draft, kNames[member], dims);
  }

 private:
  // (Sum of x^p over a window)^(1/p); a window that reaches beyond the input counts as if it were full.
  static void draw_powers(Draft& draft, std::string_view op, int dims) {
    constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};
    Value x = draft.input({.dtypes = dims == 3 ? kWide : kFloats,
                           .shape = ShapeWant::any(dims + 1, dims + 2, 1),
                           .within = kDomain,
                           .neutral = 1});
    Shape shape = x.shape;
    bool ceil = kPolicy.ceil_mode.drawn(draft.choices());
    double power = kPowers[draft.choices().below(kPowers.size())];
    Ints kernel, strides;
    double elements = 1;
    for (int i = shape.size() - dims; i < shape.size(); ++i) {
      std::int64_t width = draft.between(1, std::min<std::int64_t>(3, shape[i]));
      std::int64_t stride = draft.flip() ? width : draft.between(1, 3);
      std::int64_t count = (shape[i] - width + (ceil ? stride - 1 : 0)) / stride + 1;
      shape[i] = ceil && (count - 1) * stride >= shape[i] ? count - 1 : count;
      kernel.push_back(width);
      strides.push_back(stride);
      elements *= static_cast<double>(width);
    }
    CallWriter writer(op);
    writer.give("input", x)
        .give("norm_type", power == std::floor(power) && draft.flip() ? Argument(static_cast<std::int64_t>(power))
                                                                      : Argument(power));
    // lp_pool1d multiplies by the number itself.
    writer.give("kernel_size", int_or_tuple(kernel, dims == 1 || draft.flip()));
    writer.give_if(strides != kernel || draft.flip(), "stride", int_or_tuple(strides, draft.flip()));
    writer.give_if(ceil || draft.flip(), "ceil_mode", ceil);
    Interval image = rounded(scaled(x.interval, std::pow(elements, 1 / power)), x.dtype, elements + 16);
    draft.record(writer.finish(), fresh_unknown(x.dtype, shape, image), {.exactness = Exactness::kLoose});
  }

  // Each element gets a position of its own: the first ones of its plane, or the last.
  static void draw_inverse(Draft& draft, std::string_view op, int dims) {
    Value x = draft.input({.dtypes = kFloats, .shape = ShapeWant::any(dims + 1, dims + 2, 1).upto(kMaxElements / 32)});
    Shape shape = x.shape;
    int first = shape.size() - dims;
    Ints kernel, strides;
    std::int64_t plane = 1, larger = 1;
    for (int i = first; i < shape.size(); ++i) {
      kernel.push_back(draft.between(1, 3));
      // Never more elements than positions.
      strides.push_back(draft.between(1, 2));
      plane *= shape[i];
      shape[i] = (shape[i] - 1) * strides.back() + kernel.back();
      larger *= shape[i];
    }
    std::int64_t start = draft.flip() ? 0 : larger - plane;
    Ints sizes;
    Ints larger_sizes;
    for (int i = first; i < shape.size(); ++i) {
      sizes.push_back(x.shape[i]);
      larger_sizes.push_back(shape[i]);
    }
    Call call{.op = op,
              .forms = kInverse,
              .arguments = {Ref{x.id}, start, start + plane, sizes, kernel, strides, larger_sizes}};
    draft.record(std::move(call), fresh_unknown(x.dtype, shape, hull(x.interval, {0, 0})), {});
  }
};

const Register<Operator, PoolingNorm> registered;

}  // namespace
}  // namespace jp::seedgen::pooling_norm_operators
