// Maxima and averages over windows in one to three dimensions.
//
// Every window must contain an element of the input, otherwise its maximum would be -inf. It does if the padding is at
// most half of the window and two neighbours in a window are no further apart than the input is long.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/distinct.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::pooling_operators {
namespace {

struct Row {
  std::string_view name;
  int dims;
  DtypeSet dtypes;
  bool averages;
};

constexpr DtypeSet kMaxima = kFloats | DtypeSet{Dtype::kUInt8, Dtype::kInt8, Dtype::kInt32, Dtype::kInt64};
constexpr DtypeSet kAverages = kFloats | DtypeSet{Dtype::kInt64};
constexpr Row kRows[] = {
    {"max_pool1d", 1, kFloats, false},  {"max_pool2d", 2, kMaxima, false},
    {"max_pool3d", 3, kMaxima, false},  {"avg_pool1d", 1, kAverages, true},
    {"avg_pool2d", 2, kAverages, true}, {"avg_pool3d", 3, {Dtype::kFloat32, Dtype::kFloat64, Dtype::kInt64}, true},
};
// Maxima and their positions, of elements that differ.
constexpr Row kIndexed[] = {{"max_pool1d_indices", 1, kFloats, false},
                            {"max_pool2d_indices", 2, kMaxima, false},
                            {"max_pool3d_indices", 3, kMaxima, false}};
constexpr std::string_view kIndexedCalls[] = {"torch.nn.functional.max_pool1d", "torch.nn.functional.max_pool2d",
                                              "torch.nn.functional.max_pool3d"};

struct Windows {
  Ints kernel;
  Ints stride;
  Ints padding;
  Ints dilation;
  bool ceil = false;
  Shape shape;
  /// Elements of a window.
  std::int64_t elements = 1;
};

// aten/src/ATen/native/Pool.h, pooling_output_shape: with `ceil` the last window may reach beyond the padding, but
// starts inside the input or the padding before it.
std::int64_t windows_along(std::int64_t size, std::int64_t reach, std::int64_t stride, std::int64_t padding,
                           bool ceil) {
  std::int64_t count = (size + 2 * padding - reach + (ceil ? stride - 1 : 0)) / stride + 1;
  return ceil && (count - 1) * stride >= size + padding ? count - 1 : count;
}

// Eager refuses a volume without a batch that looks like channels-last planes; even a contiguous one may.
bool is_ambiguous(const Row& row, const Value& x) { return row.dims == 3 && x.shape.size() == 4; }

class Pooling final : public Operator {
 public:
  std::string_view name() const override { return "pooling"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = names_of(kRows);
    for (const Row& row : kIndexed) names.push_back(row.name);
    return names;
  }

  void draw(Draft& draft, std::size_t member) const override {
    if (member >= std::size(kRows)) return draw_indexed(draft, member - std::size(kRows));
    const Row& row = kRows[member];
    // Padding may enlarge a dimension of size 1 by one.
    Want want{.dtypes = row.dtypes, .shape = ShapeWant::any(row.dims + 1, row.dims + 2, 1).upto(kMaxElements / 8)};
    if (row.dims == 3 && !row.averages) {
      // Backward refuses what looks like channels-last planes, too.
      want.plain = draft.flip();
      want.shape = ShapeWant::any(want.plain ? 4 : 5, want.plain ? 4 : 5, 1).upto(kMaxElements / 8);
    }
    want.fits = [&](const Value& value) { return !row.averages || inside(mean_of(value), range_of(value.dtype)); };
    Value x = draft.input(want);
    Windows windows = draw_windows(draft, row, x.shape);
    CallWriter writer(row.name);
    std::string plainly;
    if (!row.averages && is_ambiguous(row, x)) plainly = fmt::format(".flatten().view({})", fmt::join(x.shape, ", "));
    writer.give_after("input", x, plainly).give("kernel_size", int_or_tuple(windows.kernel, draft.flip()));
    give_steps(draft, writer, windows);
    row.averages ? record_average(draft, row, writer, x, windows) : record_maximum(draft, row, writer, x, windows);
  }

 private:
  static Interval mean_of(const Value& value) { return rounded(hull(value.interval, {0, 0}), value.dtype, 32); }

  static Windows draw_windows(Draft& draft, const Row& row, const Shape& input) {
    Windows drawn{.ceil = kPolicy.ceil_mode.drawn(draft.choices()), .shape = input};
    int first = input.size() - row.dims;
    // Some kernels require the window to be inside the input except for its padding.
    std::int64_t beyond = row.dims == 3 && row.averages ? 0 : 1;
    bool dilates = !row.averages && draft.choices().chance(1, 3);
    for (int i = 0; i < row.dims; ++i) {
      std::int64_t size = input[first + i];
      std::int64_t width = draft.between(1, std::min<std::int64_t>(row.dims == 1 ? 5 : 3, size + beyond));
      std::int64_t least = std::max<std::int64_t>(0, (width - size + 1) / 2);
      std::int64_t padding = draft.between(least, width / 2);
      std::int64_t widest = width == 1 ? 3 : std::min(size, (size + 2 * padding - 1) / (width - 1));
      std::int64_t dilation = dilates ? draft.between(1, std::clamp<std::int64_t>(widest, 1, 3)) : 1;
      std::int64_t stride = draft.flip() ? width : draft.between(1, 3);
      drawn.kernel.push_back(width);
      drawn.padding.push_back(padding);
      drawn.dilation.push_back(dilation);
      drawn.stride.push_back(stride);
      drawn.elements *= width;
      drawn.shape[first + i] = windows_along(size, dilation * (width - 1) + 1, stride, padding, drawn.ceil);
    }
    return drawn;
  }

  static void give_steps(Draft& draft, CallWriter& writer, const Windows& windows) {
    writer.give_if(windows.stride != windows.kernel || draft.flip(), "stride",
                   int_or_tuple(windows.stride, draft.flip()));
    bool padded = windows.padding != Ints::filled(windows.padding.size(), 0);
    writer.give_if(padded || draft.flip(), "padding", int_or_tuple(windows.padding, draft.flip()));
  }

  static void give_maximum(Draft& draft, CallWriter& writer, const Windows& windows) {
    bool dilated = windows.dilation != Ints::filled(windows.dilation.size(), 1);
    writer.give_if(dilated || draft.flip(), "dilation", int_or_tuple(windows.dilation, draft.flip()));
    writer.give_if(windows.ceil || draft.flip(), "ceil_mode", windows.ceil);
  }

  static void record_maximum(Draft& draft, const Row&, CallWriter& writer, const Value& x, const Windows& windows) {
    give_maximum(draft, writer, windows);
    const bool also_indices = kPolicy.positions_too.drawn(draft.choices());
    if (also_indices) writer.keyword("return_indices", true);
    draft.record(writer.finish(also_indices ? "[0]" : ""), fresh_unknown(x.dtype, windows.shape, x.interval), {});
  }

  // Positions count over the whole plane or volume.
  static void draw_indexed(Draft& draft, std::size_t at) {
    const Row& row = kIndexed[at];
    Value x = draw_keyed(draft, ShapeWant::any(row.dims + 1, row.dims + 2, 1).upto(kMaxElements / 8));
    Windows windows = draw_windows(draft, row, x.shape);
    Distinct keys = distinct(draft, x, -1, row.dims == 1);
    CallWriter writer(row.name, kIndexedCalls[at]);
    std::string text = is_ambiguous(row, x) ? "(" + keys.text + ").flatten().view_as($0)" : keys.text;
    writer.give_text("input", x, std::move(text)).give("kernel_size", int_or_tuple(windows.kernel, draft.flip()));
    give_steps(draft, writer, windows);
    give_maximum(draft, writer, windows);
    writer.keyword("return_indices", true);
    std::int64_t places = 1;
    for (int i = x.shape.size() - row.dims; i < x.shape.size(); ++i) places *= x.shape[i];
    draft.record(
        writer.finish(),
        {keys.picked(windows.shape), fresh_unknown(Dtype::kInt64, windows.shape, {0, static_cast<double>(places - 1)})},
        {.differentiable = false});
  }

  // Zeros of the padding are counted or not; a custom divisor replaces the count.
  static void record_average(Draft& draft, const Row& row, CallWriter& writer, const Value& x, const Windows& windows) {
    bool counts = draft.flip();
    writer.give_if(windows.ceil || draft.flip(), "ceil_mode", windows.ceil);
    writer.give_if(!counts || draft.flip(), "count_include_pad", counts);
    Interval image = mean_of(x);
    if (row.dims > 1 && draft.choices().chance(1, 4)) {
      std::int64_t divisor = draft.between(1, 5);
      auto most = static_cast<double>(windows.elements);
      Interval sums = sum_of(x.interval, most, false);
      Interval quotients = rounded(scaled(sums, 1 / static_cast<double>(divisor)), x.dtype, most + 2);
      if (inside(rounded(sums, x.dtype, most), range_of(x.dtype)) && inside(quotients, range_of(x.dtype))) {
        writer.give("divisor_override", divisor);
        image = quotients;
      }
    }
    draft.record(writer.finish(), fresh_unknown(x.dtype, windows.shape, image), {.exactness = Exactness::kLoose});
  }
};

const Register<Operator, Pooling> registered;

}  // namespace
}  // namespace jp::seedgen::pooling_operators
