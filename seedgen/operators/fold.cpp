// Sliding windows of a plane as columns, and columns summed to a plane again.
#include <algorithm>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/convolutions.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::fold_operators {
namespace {

constexpr std::string_view kNames[] = {"unfold_windows", "fold"};

struct Windows {
  Ints kernel;
  Ints dilation;
  Ints padding;
  Ints stride;
  /// The number of windows, and elements of one.
  std::int64_t count = 1;
  std::int64_t elements = 1;
  /// Some window reads more than padding.
  bool reads = true;

  // Windows over a dimension of that size; `narrow` ones contain one element each and never reach outside.
  void add(Draft& draft, std::int64_t size, bool narrow) {
    padding.push_back(narrow ? 0 : draft.between(0, 2));
    std::int64_t padded = size + 2 * padding.back();
    std::int64_t width = narrow ? 1 : draft.between(1, std::min<std::int64_t>(3, padded));
    std::int64_t widest = width == 1 ? 2 : std::min<std::int64_t>(2, (padded - 1) / (width - 1));
    kernel.push_back(width);
    dilation.push_back(draft.between(1, widest));
    stride.push_back(draft.between(1, 3));
    const std::int64_t places = (padded - dilation.back() * (width - 1) - 1) / stride.back() + 1;
    reads = reads && reads_input(size, places, stride.back(), width, dilation.back(), padding.back());
    count *= places;
    elements *= width;
  }

  void write(Draft& draft, CallWriter& writer) const {
    Ints ones = {1, 1};
    Ints zeros = {0, 0};
    writer.give("kernel_size", int_or_tuple(kernel, draft.flip()));
    writer.give_if(dilation != ones || draft.flip(), "dilation", int_or_tuple(dilation, draft.flip()));
    writer.give_if(padding != zeros || draft.flip(), "padding", int_or_tuple(padding, draft.flip()));
    writer.give_if(stride != ones || draft.flip(), "stride", int_or_tuple(stride, draft.flip()));
  }
};

class Fold final : public Operator {
 public:
  std::string_view name() const override { return "fold"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override { member == 0 ? draw_unfold(draft) : draw_fold(draft); }

 private:
  static void draw_unfold(Draft& draft) {
    Value x = draft.input({.dtypes = kFloats | kBools | kComplex, .shape = ShapeWant::any(3, 4, 1)});
    int rank = x.shape.size();
    Windows windows;
    std::int64_t elements = element_count(x.shape);
    for (int i = rank - 2; i < rank; ++i) {
      std::int64_t size = x.shape[i];
      // Three times the padded size at most.
      bool narrow = elements / size * 3 * (size + 4) > kMaxElements;
      if (!narrow) elements = elements / size * 3 * (size + 4);
      windows.add(draft, size, narrow);
    }
    CallWriter writer(kNames[0], "torch.nn.functional.unfold");
    writer.give("input", x);
    windows.write(draft, writer);
    Shape shape;
    if (rank == 4) shape.push_back(x.shape[0]);
    shape.push_back(x.shape[rank - 3] * windows.elements);
    shape.push_back(windows.count);
    const Interval image = windows.reads ? hull(x.interval, {0, 0}) : Interval{0, 0};
    draft.record(writer.finish(), fresh_unknown(x.dtype, shape, image), {.saves = Saves::kNothing});
  }

  // Where windows overlap, their elements are summed.
  static void draw_fold(Draft& draft) {
    Ints plane = {draft.between(1, 6), draft.between(1, 6)};
    Windows windows;
    for (std::int64_t size : plane) windows.add(draft, size, false);
    std::int64_t channels = draft.between(1, 3);
    Shape pattern = {channels * windows.elements, windows.count};
    bool batch = draft.flip();
    if (batch) pattern.insert(0, -1);
    std::int64_t most = std::max<std::int64_t>(1, kMaxElements / (channels * plane[0] * plane[1]));
    Want want{.dtypes = kFloats, .shape = ShapeWant::pattern(pattern, 1, most)};
    want.fits = [&](const Value& value) { return inside(sums(value, windows), range_of(value.dtype)); };
    Value x = draft.input(want);
    CallWriter writer(kNames[1]);
    writer.give("input", x).give("output_size", int_or_tuple(plane, draft.flip()));
    windows.write(draft, writer);
    Shape shape = {channels, plane[0], plane[1]};
    if (batch) shape.insert(0, x.shape[0]);
    draft.record(writer.finish(), fresh_unknown(x.dtype, shape, sums(x, windows)), {.exactness = Exactness::kLoose});
  }

  static Interval sums(const Value& value, const Windows& windows) {
    auto most = static_cast<double>(windows.elements);
    if (!windows.reads) return {0, 0};
    return rounded(sum_of(value.interval, most, false), value.dtype, most);
  }
};

const Register<Operator, Fold> registered;

}  // namespace
}  // namespace jp::seedgen::fold_operators
