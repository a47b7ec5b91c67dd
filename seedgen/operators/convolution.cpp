// Convolutions in one to three dimensions: with and without bias, stride, padding as numbers or by name, dilation,
// groups, with and without a batch. Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/convolutions.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::convolution_operators {
namespace {

constexpr std::string_view kNames[] = {"conv1d", "conv2d", "conv3d"};
constexpr std::int64_t kMaxWeight = 4096;

// The parameters of the windows, as drawn for an input.
struct Windows {
  Ints stride;
  Ints padding;
  Ints dilation;
  /// "same" or "valid": written instead of `padding`.
  std::string_view named;
  Shape shape;
  Shape kernel;
  std::int64_t terms = 1;

  /// The padding before the first element of a dimension, by number or by name.
  std::int64_t padding_at(int dim) const {
    return named == "same" ? dilation[dim] * (kernel[dim + 2] - 1) / 2 : padding[dim];
  }
};

// Whether a window of the last dimension reads nothing of the input. With a bias eager may crash then (a null kernel in
// oneDNN, pytorch issue 195394), depending on layouts that are not known before the run.
bool reads_only_padding(const Windows& windows, const Shape& input) {
  const int last = windows.kernel.size() - 1;
  const int at = last - 2;  // kernels have two dimensions before those of the window
  const std::int64_t size = input[input.size() - 1];
  const std::int64_t reach = windows.dilation[at] * (windows.kernel[last] - 1);
  const std::int64_t padding = windows.padding_at(at);
  for (std::int64_t place = 0; place < windows.shape[windows.shape.size() - 1]; ++place) {
    const std::int64_t from = place * windows.stride[at] - padding;
    bool reads = false;
    for (std::int64_t tap = from; tap <= from + reach; tap += windows.dilation[at])
      reads = reads || (tap >= 0 && tap < size);
    if (!reads) return true;
  }
  return false;
}

// Whether no window reads anything but padding: then there is nothing to sum.
bool reads_nothing(const Windows& windows, const Shape& input) {
  const int dims = windows.stride.size();
  for (int i = 0; i < dims; ++i)
    if (!reads_input(input[input.size() - dims + i], windows.shape[windows.shape.size() - dims + i], windows.stride[i],
                     windows.kernel[i + 2], windows.dilation[i], windows.padding_at(i)))
      return true;
  return false;
}

// Eager may leave parts of the weight's gradient unwritten if a part of the window reads nothing but padding, if
// padding reaches over its middle, and in bfloat16 with three dimensions whenever there is padding (torch 2.13.0,
// oneDNN).
bool spoils_gradients(const Windows& windows, const Value& x) {
  const Shape& input = x.shape;
  const int dims = windows.stride.size();
  for (int i = 0; i < dims; ++i) {
    const std::int64_t width = windows.kernel[i + 2];
    const std::int64_t padding = windows.padding_at(i);
    const std::int64_t size = input[input.size() - dims + i];
    const std::int64_t places = windows.shape[windows.shape.size() - dims + i];
    if (2 * padding > windows.dilation[i] * (width - 1)) return true;
    if (padding > 0 && dims == 3 && x.dtype == Dtype::kBFloat16) return true;
    for (std::int64_t tap = 0; tap < width; ++tap) {
      bool reads = false;
      for (std::int64_t place = 0; place < places; ++place) {
        const std::int64_t at = place * windows.stride[i] + tap * windows.dilation[i] - padding;
        reads = reads || (at >= 0 && at < size);
      }
      if (!reads) return true;
    }
  }
  return false;
}

// Along the last dimension, which may then have more positions.
void step_by_one(Windows& windows, const Shape& input) {
  const int at = windows.stride.size() - 1;
  const std::int64_t padded = input[input.size() - 1] + 2 * windows.padding_at(at);
  windows.stride[at] = 1;
  windows.shape[windows.shape.size() - 1] = padded - windows.dilation[at] * (windows.kernel.back() - 1);
}

// Windows side by side, without padding: they always read something.
void unpad(Windows& windows, const Shape& input) {
  const int dims = windows.stride.size();
  windows.named = "";
  windows.terms = windows.kernel[1];
  for (int i = 0; i < dims; ++i) {
    const std::int64_t size = input[input.size() - dims + i];
    std::int64_t& width = windows.kernel[i + 2];
    width = std::min(width, size);
    windows.stride[i] = windows.dilation[i] = 1;
    windows.padding[i] = 0;
    windows.shape[windows.shape.size() - dims + i] = size - width + 1;
    windows.terms *= width;
  }
}

class Convolution final : public Operator {
 public:
  std::string_view name() const override { return "convolution"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  // Batch (or none), channels, then the dimensions.
  void draw(Draft& draft, std::size_t member) const override {
    int dims = static_cast<int>(member) + 1;
    Value x = draft.input(
        {.dtypes = kConvolutionDtypes, .shape = ShapeWant::any(dims + 1, dims + 2, 1).upto(kMaxElements / 8)});
    int channel_dim = x.shape.size() - dims - 1;
    std::int64_t channels = x.shape[channel_dim];
    std::int64_t groups = draw_groups(draft, channels);
    std::int64_t outputs = groups * draft.between(1, 3);
    Windows windows = draw_windows(draft, x, channel_dim, {outputs, channels / groups});
    // In float16 eager may crash without a bias, too, if a window of one element is dilated, which has no effect.
    if (x.dtype == Dtype::kFloat16 && windows.kernel.back() == 1 && reads_only_padding(windows, x.shape))
      windows.dilation[dims - 1] = 1;
    if (may_misread(x.dtype, dims) && windows.shape.back() == 1 && windows.stride.back() > 1)
      step_by_one(windows, x.shape);
    // In three dimensions of bfloat16 eager crashes where there is nothing to sum, with and without a bias (2.13.0).
    if (x.dtype == Dtype::kBFloat16 && dims == 3 && reads_nothing(windows, x.shape)) unpad(windows, x.shape);
    if (reads_nothing(windows, x.shape)) windows.terms = 0;

    Want second{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(windows.kernel)};
    second.fits = [&](const Value& weight) {
      return inside(window_sums(x, weight.interval, windows.terms), range_of(x.dtype));
    };
    second.plain = spoils_gradients(windows, x);
    Value weight = draft.input(second);
    Interval image = window_sums(x, weight.interval, windows.terms);
    CallWriter writer(kNames[member], draft.flip() ? "torch.nn.functional.#" : "torch.#");
    writer.give("input", x).give("weight", weight);
    if (draft.choices().chance(1, 3) && !reads_only_padding(windows, x.shape) &&
        inside(rounded(image + kConvolutionBiases, x.dtype), range_of(x.dtype))) {
      Value bias =
          draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly({outputs}), .within = kConvolutionBiases});
      writer.give("bias", bias);
      image = rounded(image + bias.interval, x.dtype);
    } else {
      writer.give_if(draft.flip(), "bias", std::string("None"));
    }
    write_windows(draft, writer, windows);
    writer.give_if(groups != 1 || draft.flip(), "groups", groups);
    draft.record(writer.finish(), fresh_unknown(x.dtype, windows.shape, image), {.exactness = Exactness::kLoose});
  }

 private:
  // One group, one for each channel, or any other divisor.
  static std::int64_t draw_groups(Draft& draft, std::int64_t channels) {
    if (channels == 1 || draft.choices().chance(2, 3)) return 1;
    std::vector<std::int64_t> divisors;
    for (std::int64_t i = 2; i <= std::min<std::int64_t>(channels, 16); ++i)
      if (channels % i == 0) divisors.push_back(i);
    return divisors.empty() ? 1 : draft.choices().pick(divisors);
  }

  static Windows draw_windows(Draft& draft, const Value& x, int channel_dim, const Shape& kernel) {
    const Shape& input = x.shape;
    const int dims = input.size() - channel_dim - 1;
    const bool flat = may_misread(x.dtype, dims) && dims == 3 && input[channel_dim + 1] == 1;
    Windows drawn{.shape = input, .kernel = kernel, .terms = kernel[1]};
    std::uint64_t kind = draft.choices().below(8);
    drawn.named = kind == 0 ? "same" : kind == 1 ? "valid" : "";
    drawn.shape[channel_dim] = kernel[0];
    // Of the result, if nothing but the padding changed its sizes.
    std::int64_t elements = element_count(input) / input[channel_dim] * kernel[0];
    for (int i = 0; i < dims; ++i) {
      std::int64_t size = input[channel_dim + 1 + i];
      std::int64_t room = flat && i == 0 ? 0 : (size * (kMaxElements / elements) - size) / 2;
      drawn.padding.push_back(drawn.named.empty() ? draft.between(0, std::min<std::int64_t>(2, room)) : 0);
      bool same = drawn.named == "same";
      std::int64_t padded = size + 2 * drawn.padding[i];
      elements = elements / size * padded;
      // Windows that preserve the size may be larger than the input.
      std::int64_t reach = same && !(flat && i == 0) ? 5 : padded;
      std::int64_t most = std::max<std::int64_t>(1, kMaxWeight / element_count(drawn.kernel));
      std::int64_t width = draft.between(1, std::min({std::int64_t{3}, reach, most}));
      std::int64_t widest = width == 1 ? 3 : std::min<std::int64_t>(3, (reach - 1) / (width - 1));
      drawn.dilation.push_back(draft.flip() ? 1 : draft.between(1, widest));
      drawn.stride.push_back(same ? 1 : draft.between(1, 3));
      drawn.kernel.push_back(width);
      drawn.terms *= width;
      drawn.shape[channel_dim + 1 + i] =
          same ? size : (padded - drawn.dilation[i] * (width - 1) - 1) / drawn.stride[i] + 1;
    }
    return drawn;
  }

  // A parameter with its default value is omitted half of the time.
  static void write_windows(Draft& draft, CallWriter& writer, const Windows& windows) {
    Ints ones = Ints::filled(windows.stride.size(), 1);
    Ints zeros = Ints::filled(windows.stride.size(), 0);
    writer.give_if(windows.stride != ones || draft.flip(), "stride", int_or_tuple(windows.stride, draft.flip()));
    if (windows.named.empty())
      writer.give_if(windows.padding != zeros || draft.flip(), "padding", int_or_tuple(windows.padding, draft.flip()));
    else
      writer.give("padding", quoted(windows.named));
    writer.give_if(windows.dilation != ones || draft.flip(), "dilation", int_or_tuple(windows.dilation, draft.flip()));
  }
};

const Register<Operator, Convolution> registered;

}  // namespace
}  // namespace jp::seedgen::convolution_operators
