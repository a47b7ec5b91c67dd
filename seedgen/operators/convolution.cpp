// Convolutions in one and two dimensions with stride, padding, dilation and groups.
#include <algorithm>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"conv1d", "conv2d"};
constexpr std::string_view kForms[] = {"torch.nn.functional.#($0, $1, stride=$2, padding=$3, dilation=$4, groups=$5)",
                                       "torch.#($0, $1, None, $2, $3, $4, $5)"};
constexpr std::string_view kBias[] = {
    "torch.nn.functional.#($0, $1, $6, stride=$2, padding=$3, dilation=$4, groups=$5)",
    "torch.#($0, $1, $6, $2, $3, $4, $5)"};

class Convolution final : public Operator {
 public:
  std::string_view name() const override { return "convolution"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  // Batch (or none), channels, then one or two dimensions.
  void draw(Draft& draft, std::size_t member) const override {
    int dims = static_cast<int>(member) + 1;
    Want first{.dtypes = kFloats, .shape = ShapeWant::any(dims + 1, dims + 2, 1).upto(kMaxElements / 8)};
    Value x = draft.input(first);
    int channel_dim = x.shape.size() - dims - 1;
    std::int64_t channels = x.shape[channel_dim];
    std::int64_t groups = channels % 2 == 0 && draft.choices().chance(1, 4) ? 2 : 1;
    std::int64_t outputs = groups * draft.between(1, 3);
    Shape kernel = {outputs, channels / groups};
    Ints stride, padding, dilation;
    Shape shape = x.shape;
    shape[channel_dim] = outputs;
    std::int64_t terms = channels / groups;
    // Of the result, if nothing but the padding changed its sizes.
    std::int64_t elements = numel(x.shape) / channels * outputs;
    for (int i = 0; i < dims; ++i) {
      std::int64_t size = x.shape[channel_dim + 1 + i];
      padding.push_back(draft.between(0, std::min<std::int64_t>(2, (size * (kMaxElements / elements) - size) / 2)));
      std::int64_t padded = size + 2 * padding[i];
      elements = elements / size * padded;
      std::int64_t width = draft.between(1, std::min<std::int64_t>(3, padded));
      dilation.push_back(width > 1 && 2 * (width - 1) < padded ? draft.between(1, 2) : 1);
      stride.push_back(draft.between(1, 2));
      kernel.push_back(width);
      terms *= width;
      shape[channel_dim + 1 + i] = (padded - dilation[i] * (width - 1) - 1) / stride[i] + 1;
    }

    Want second{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(kernel)};
    second.fits = [&](const Value& weight) { return inside(sums(x, weight.interval, terms), range_of(x.dtype)); };
    Value weight = draft.input(second);
    Interval image = sums(x, weight.interval, terms);
    Call call{.op = kNames[member],
              .forms = kForms,
              .arguments = {Ref{x.id}, Ref{weight.id}, stride, padding, dilation, groups}};
    constexpr Interval kBiases = {-100, 100};
    if (draft.choices().chance(1, 3) && inside(rounded(image + kBiases, x.dtype), range_of(x.dtype))) {
      Value bias = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly({outputs}), .within = kBiases});
      call.forms = kBias;
      call.add(Ref{bias.id});
      image = rounded(image + bias.interval, x.dtype);
    }
    draft.record(std::move(call), fresh_unknown(x.dtype, shape, image), {.exactness = Exactness::kLoose});
  }

 private:
  // Padding puts in zeros, so that a window may hold fewer terms.
  static Interval sums(const Value& x, Interval weight, std::int64_t terms) {
    auto n = static_cast<double>(terms);
    return rounded(sum_of(x.interval * weight, n, false), x.dtype, n + 2);
  }
};

const Register<Operator, Convolution> registered;

}  // namespace
}  // namespace jp::seedgen
