// Pools that are told the size of their result: an average or maximum of about equal parts of the input.
#include <algorithm>

#include "seedgen/call_writer.h"
#include "seedgen/operator.h"

namespace jp::seedgen {
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
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Want want{.dtypes = kFloats, .shape = ShapeWant::any(row.dims + 1, row.dims + 2, 1).upto(kMaxElements / 4)};
    want.fits = [&](const Value& value) { return inside(image_of(row, value), range_of(value.dtype)); };
    Value x = draft.input(want);
    Shape shape = x.shape;
    int first = shape.size() - row.dims;
    std::int64_t elements = numel(x.shape);
    Ints sizes;
    std::vector<bool> kept;
    for (int i = 0; i < row.dims; ++i) {
      std::int64_t& size = shape[first + i];
      kept.push_back(row.dims > 1 && draft.choices().chance(1, 8));
      std::int64_t drawn = draft.between(1, std::min<std::int64_t>(7, size * (kMaxElements / elements)));
      if (kept.back()) drawn = size;
      elements = elements / size * drawn;
      size = drawn;
      sizes.push_back(size);
    }
    bool none = std::find(kept.begin(), kept.end(), true) != kept.end();
    CallWriter writer(row.name);
    writer.give("input", x)
        .give("output_size", none ? Argument(with_none(sizes, kept)) : int_or_tuple(sizes, draft.flip()));
    draft.record(writer.finish(), fresh_unknown(x.dtype, shape, image_of(row, x)),
                 {.exactness = row.averages ? Exactness::kLoose : Exactness::kSame});
  }

 private:
  static Interval image_of(const Row& row, const Value& value) {
    return row.averages ? rounded(value.interval, value.dtype, 64) : value.interval;
  }
};

const Register<Operator, PoolingAdaptive> registered;

}  // namespace
}  // namespace jp::seedgen
