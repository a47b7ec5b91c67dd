// Transposed convolutions: every input element is spread over a window. A result's size is (size - 1) * stride - 2 *
// padding + dilation * (width - 1) + output_padding + 1. Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/convolutions.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::convolution_transposed_operators {
namespace {

constexpr std::string_view kNames[] = {"conv_transpose1d", "conv_transpose2d", "conv_transpose3d"};

struct Spread {
  Ints stride;
  Ints padding;
  Ints output_padding;
  Ints dilation;
  Shape shape;
  Shape kernel;
  std::int64_t terms = 1;
};

class ConvolutionTransposed final : public Operator {
 public:
  std::string_view name() const override { return "convolution_transposed"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    int dims = static_cast<int>(member) + 1;
    Value x = draft.input(
        {.dtypes = kConvolutionDtypes, .shape = ShapeWant::any(dims + 1, dims + 2, 1).upto(kMaxElements / 16)});
    int channel_dim = x.shape.size() - dims - 1;
    std::int64_t channels = x.shape[channel_dim];
    std::int64_t groups = channels % 2 == 0 && draft.choices().chance(1, 4) ? 2 : 1;
    if (channels % 3 == 0 && groups == 1 && draft.choices().chance(1, 4)) groups = 3;
    std::int64_t outputs = draft.between(1, 3);
    Spread spread = draw_spread(draft, x, channel_dim, {channels, outputs}, groups);

    Want second{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(spread.kernel)};
    second.fits = [&](const Value& weight) {
      return inside(window_sums(x, weight.interval, spread.terms), range_of(x.dtype));
    };
    Value weight = draft.input(second);
    Interval image = window_sums(x, weight.interval, spread.terms);
    CallWriter writer(kNames[member], draft.flip() ? "torch.nn.functional.#" : "torch.#");
    writer.give("input", x).give("weight", weight);
    if (draft.choices().chance(1, 3) && inside(rounded(image + kConvolutionBiases, x.dtype), range_of(x.dtype))) {
      Shape length = {outputs * groups};
      Value bias =
          draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(length), .within = kConvolutionBiases});
      writer.give("bias", bias);
      image = rounded(image + bias.interval, x.dtype);
    } else {
      writer.give_if(draft.flip(), "bias", std::string("None"));
    }
    write_spread(draft, writer, spread, groups);
    draft.record(writer.finish(), fresh_unknown(x.dtype, spread.shape, image), {.exactness = Exactness::kLoose});
  }

 private:
  // Whether every position of a window counts in some element of the result, in that dimension. `length`: of the result
  // without padding.
  static bool all_count(const Spread& spread, int dim, std::int64_t size, std::int64_t width, std::int64_t length) {
    for (std::int64_t k = 0; k < width; ++k) {
      bool counts = false;
      for (std::int64_t at = 0; at < size && !counts; ++at) {
        const std::int64_t to = at * spread.stride[dim] + k * spread.dilation[dim];
        counts = to >= spread.padding[dim] && to < length - spread.padding[dim];
      }
      if (!counts) return false;
    }
    return true;
  }

  static Spread draw_spread(Draft& draft, const Value& x, int channel_dim, const Shape& kernel, std::int64_t groups) {
    const Shape& input = x.shape;
    // The gradient of an input is a convolution with the same windows.
    const int dims = input.size() - channel_dim - 1;
    const bool careful = may_misread(x.dtype, dims);
    Spread drawn{.shape = input, .kernel = kernel, .terms = kernel[0] / groups};
    drawn.shape[channel_dim] = kernel[1] * groups;
    std::int64_t elements = extent(drawn.shape);
    for (int i = 0; i < dims; ++i) {
      std::int64_t size = input[channel_dim + 1 + i];
      // The largest size of this dimension, given the new sizes of the ones before and the old sizes of the ones after.
      std::int64_t room = size * (kMaxElements / elements);
      std::int64_t fastest = size == 1 ? 3 : (room - 1) / (size - 1);
      if (careful && i == dims - 1 && size == 1) fastest = 1;
      drawn.stride.push_back(draft.between(1, std::clamp<std::int64_t>(fastest, 1, 3)));
      std::int64_t length = (size - 1) * drawn.stride[i] + 1;
      std::int64_t width = draft.between(1, std::min<std::int64_t>(3, room - length + 1));
      std::int64_t widest = width == 1 ? 3 : std::min<std::int64_t>(3, (room - length) / (width - 1));
      drawn.dilation.push_back(draft.flip() ? 1 : draft.between(1, widest));
      length += drawn.dilation[i] * (width - 1);
      // Less than the stride or the dilation.
      std::int64_t behind = std::max(drawn.stride[i], drawn.dilation[i]) - 1;
      drawn.output_padding.push_back(draft.flip() ? 0 : draft.between(0, std::min(behind, room - length)));
      length += drawn.output_padding[i];
      drawn.padding.push_back(draft.between(0, std::min<std::int64_t>(2, (length - 1) / 2)));
      if (careful && dims == 3 && i == 0 && length - 2 * drawn.padding[i] == 1) drawn.padding[i] = 0;
      // Eager doesn't write the gradient of a position that counts nowhere, in bfloat16.
      if (x.dtype == Dtype::kBFloat16 && !all_count(drawn, i, size, width, length)) drawn.padding[i] = 0;
      length -= 2 * drawn.padding[i];
      drawn.kernel.push_back(width);
      drawn.terms *= width;
      drawn.shape[channel_dim + 1 + i] = length;
      elements = elements / size * length;
    }
    return drawn;
  }

  static void write_spread(Draft& draft, CallWriter& writer, const Spread& spread, std::int64_t groups) {
    Ints ones = Ints::filled(spread.stride.size(), 1);
    Ints zeros = Ints::filled(spread.stride.size(), 0);
    auto give = [&](std::string_view name, const Ints& items, const Ints& usual) {
      writer.give_if(items != usual || draft.flip(), name, int_or_tuple(items, draft.flip()));
    };
    give("stride", spread.stride, ones);
    give("padding", spread.padding, zeros);
    give("output_padding", spread.output_padding, zeros);
    writer.give_if(groups != 1 || draft.flip(), "groups", groups);
    give("dilation", spread.dilation, ones);
  }
};

const Register<Operator, ConvolutionTransposed> registered;

}  // namespace
}  // namespace jp::seedgen::convolution_transposed_operators
