// Pools with a given size of their result: an average or maximum of about equal parts of the input.
// Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/distinct.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::pooling_adaptive_operators {
namespace {

struct Row {
  std::string_view name;
  int dims;
  bool averages;
};

constexpr Row kRows[] = {
    {"adaptive_avg_pool1d", 1, true},  {"adaptive_avg_pool2d", 2, true},  {"adaptive_avg_pool3d", 3, true},
    {"adaptive_max_pool1d", 1, false}, {"adaptive_max_pool2d", 2, false}, {"adaptive_max_pool3d", 3, false},
};

// Maxima and their positions, of elements that differ.
constexpr std::string_view kIndexed[] = {"adaptive_max_pool1d_indices", "adaptive_max_pool2d_indices",
                                         "adaptive_max_pool3d_indices"};
constexpr std::string_view kIndexedCalls[] = {"torch.nn.functional.adaptive_max_pool1d",
                                              "torch.nn.functional.adaptive_max_pool2d",
                                              "torch.nn.functional.adaptive_max_pool3d"};

// "(3, None)": None keeps the size of a dimension.
std::string with_none(const Ints& sizes, const std::vector<bool>& kept) {
  std::string text = "(";
  for (int i = 0; i < sizes.size(); ++i) {
    text.append(i > 0 ? ", " : "");
    text.append(kept[static_cast<std::size_t>(i)] ? "None" : std::to_string(sizes[i]));
  }
  return text + ")";
}

class PoolingAdaptive final : public Operator {
 public:
  std::string_view name() const override { return "pooling_adaptive"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = names_of(kRows);
    names.insert(names.end(), std::begin(kIndexed), std::end(kIndexed));
    return names;
  }

  void draw(Draft& draft, std::size_t member) const override {
    if (member >= std::size(kRows)) return draw_indexed(draft, member - std::size(kRows));
    const Row& row = kRows[member];
    Want want{.dtypes = kFloats, .shape = ShapeWant::any(row.dims + 1, row.dims + 2, 1).upto(kMaxElements / 4)};
    want.fits = [&](const Value& value) { return inside(image_of(row, value), range_of(value.dtype)); };
    Value x = draft.input(want);
    Sizes sizes = draw_sizes(draft, x.shape, row.dims);
    CallWriter writer(row.name);
    writer.give("input", x).give("output_size", sizes.written);
    const bool also_indices = !row.averages && kPolicy.positions_too.drawn(draft.choices());
    if (also_indices) writer.keyword("return_indices", true);
    draft.record(writer.finish(also_indices ? "[0]" : ""), fresh_unknown(x.dtype, sizes.shape, image_of(row, x)),
                 {.exactness = row.averages ? Exactness::kLoose : Exactness::kSame});
  }

 private:
  struct Sizes {
    /// The shape of the whole result.
    Shape shape;
    Argument written;
  };

  static Sizes draw_sizes(Draft& draft, const Shape& input, int dims) {
    Shape shape = input;
    int first = shape.size() - dims;
    std::int64_t elements = element_count(input);
    Ints sizes;
    std::vector<bool> kept;
    for (int i = 0; i < dims; ++i) {
      std::int64_t& size = shape[first + i];
      kept.push_back(dims > 1 && draft.choices().chance(1, 8));
      std::int64_t drawn = draft.between(1, std::min<std::int64_t>(7, size * (kMaxElements / elements)));
      if (kept.back()) drawn = size;
      elements = elements / size * drawn;
      size = drawn;
      sizes.push_back(size);
    }
    bool none = std::find(kept.begin(), kept.end(), true) != kept.end();
    return {shape, none ? Argument(with_none(sizes, kept)) : int_or_tuple(sizes, draft.flip())};
  }

  // Positions count over the whole plane or volume.
  static void draw_indexed(Draft& draft, std::size_t at) {
    const int dims = static_cast<int>(at) + 1;
    Value x = draw_keyed(draft, ShapeWant::any(dims + 1, dims + 2, 1).upto(kMaxElements / 4));
    Distinct keys = distinct(draft, x, -1, true);
    Sizes sizes = draw_sizes(draft, x.shape, dims);
    CallWriter writer(kIndexed[at], kIndexedCalls[at]);
    writer.give_text("input", x, keys.text).give("output_size", sizes.written).keyword("return_indices", true);
    std::int64_t places = 1;
    for (int i = x.shape.size() - dims; i < x.shape.size(); ++i) places *= x.shape[i];
    draft.record(
        writer.finish(),
        {keys.picked(sizes.shape), fresh_unknown(Dtype::kInt64, sizes.shape, {0, static_cast<double>(places - 1)})},
        {.differentiable = false});
  }

  static Interval image_of(const Row& row, const Value& value) {
    return row.averages ? rounded(value.interval, value.dtype, 64) : value.interval;
  }
};

const Register<Operator, PoolingAdaptive> registered;

}  // namespace
}  // namespace jp::seedgen::pooling_adaptive_operators
