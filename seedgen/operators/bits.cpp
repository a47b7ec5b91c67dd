// The same bytes as another dtype: `v0.view(torch.int32)`. Floats keep away from 0, whose sign is unspecified. The
// bytes are not written afterwards: no interval describes the effect on values of the other dtype.
#include <bit>
#include <cmath>

#include "seedgen/bases/operator.h"

namespace jp::seedgen::bits_operators {
namespace {

struct Row {
  Dtype from;
  Dtype to;
  /// The interval of the elements, and that of the result.
  Interval domain;
  Interval image;
};

constexpr double kLeast = 0.015625;
constexpr Interval kFloat = {-1e9, 1e9};
constexpr Interval kByte = {-128, 127};
constexpr Interval kUnsigned = {0, 255};
constexpr Interval kShort = {-32768, 32767};
constexpr Interval kInt = {-2147483648.0, 2147483647.0};

constexpr Row kRows[] = {
    {Dtype::kFloat32, Dtype::kInt32, kFloat, kInt},
    {Dtype::kFloat32, Dtype::kInt16, kFloat, kShort},
    {Dtype::kFloat32, Dtype::kUInt8, kFloat, kUnsigned},
    {Dtype::kFloat64, Dtype::kInt32, kFloat, kInt},
    {Dtype::kFloat64, Dtype::kInt8, kFloat, kByte},
    {Dtype::kFloat16, Dtype::kInt16, kFloat, kShort},
    {Dtype::kFloat16, Dtype::kUInt8, kFloat, kUnsigned},
    {Dtype::kBFloat16, Dtype::kInt16, kFloat, kShort},
    {Dtype::kInt64, Dtype::kInt32, kEverything, kInt},
    {Dtype::kInt64, Dtype::kInt8, kEverything, kByte},
    {Dtype::kInt32, Dtype::kInt16, kEverything, kShort},
    {Dtype::kInt32, Dtype::kUInt8, kEverything, kUnsigned},
    {Dtype::kInt8, Dtype::kUInt8, kEverything, kUnsigned},
    {Dtype::kUInt8, Dtype::kInt8, kEverything, kByte},
    {Dtype::kBool, Dtype::kUInt8, kEverything, {0, 1}},
    {Dtype::kBool, Dtype::kInt8, kEverything, {0, 1}},
    {Dtype::kUInt8, Dtype::kBool, {0, 1}, {0, 1}},
    // From 1 to 8, from 1 to 4, and from 2^-7 to 2^9.
    {Dtype::kInt32, Dtype::kFloat32, {0x3f800000, 0x41000000}, {1, 8}},
    {Dtype::kInt16, Dtype::kFloat16, {0x3c00, 0x4400}, {1, 4}},
    {Dtype::kInt16, Dtype::kBFloat16, {0x3c00, 0x4400}, {0.0078125, 512}},
    // Larger elements require an aligned storage offset: a copy has one.
    {Dtype::kInt8, Dtype::kInt16, kEverything, kShort},
    {Dtype::kUInt8, Dtype::kInt32, kEverything, kInt},
    {Dtype::kInt16, Dtype::kInt32, kEverything, kInt},
};

constexpr std::string_view kView[] = {"$0.view($1)", "$0.view(dtype=$1)"};
constexpr std::string_view kCopied[] = {"$0.clone(memory_format=torch.contiguous_format).view($1)"};

class Bits final : public Operator {
 public:
  std::string_view name() const override { return "bits"; }
  std::vector<std::string_view> members() const override { return {"view_dtype"}; }

  void draw(Draft& draft, std::size_t) const override {
    const Row& row = kRows[draft.choices().below(std::size(kRows))];
    auto from = static_cast<std::int64_t>(dtype_size(row.from));
    auto to = static_cast<std::int64_t>(dtype_size(row.to));
    if (to > from) return draw_widened(draft, row, to / from);
    std::int64_t ratio = from / to;
    Want want = want_of(row);
    if (ratio > 1) {
      want.shape = ShapeWant::any(1).upto(kMaxElements / 8);
      want.live = [](const Value& value) { return is_contiguous(value); };
    }
    Value x = draft.input(want);
    // A new argument may have any layout, and the stride of a single element may be anything: then a copy's bytes are
    // viewed.
    bool copies = ratio > 1 && (!is_contiguous(x) || x.shape.back() <= 1);
    Shape shape = x.shape;
    if (ratio > 1) shape[shape.size() - 1] *= ratio;
    Value result = copies ? fresh_unknown(row.to, shape, row.image) : view_of(x, shape, x.strides);
    if (!copies && ratio > 1) {
      result.strides = contiguous_strides(shape);
      result.strides_known = element_count(shape) > 0;
    }
    record(draft, row, x, result, copies);
  }

 private:
  static Want want_of(const Row& row) {
    Want want{.dtypes = {row.from}, .within = row.domain, .exact = true, .plain = true};
    if (is_floating(row.from)) want.away = kLeast;
    if (row.domain != kEverything) want.neutral = row.domain.low;
    return want;
  }

  static void draw_widened(Draft& draft, const Row& row, std::int64_t ratio) {
    Shape pattern = {ratio * draft.between(1, 4)};
    for (std::int64_t i = draft.between(0, 2); i > 0; --i) pattern.insert(0, -1);
    Want want = want_of(row);
    want.shape = ShapeWant::pattern(pattern);
    Value x = draft.input(want);
    Shape shape = x.shape;
    shape[shape.size() - 1] /= ratio;
    record(draft, row, x, fresh_unknown(row.to, shape, row.image), true);
  }

  static void record(Draft& draft, const Row& row, const Value& x, Value result, bool copies) {
    result.dtype = row.to;
    result.interval = row.image;
    draft.record(
        {.op = "view_dtype", .forms = copies ? Forms(kCopied) : Forms(kView), .arguments = {Ref{x.id}, row.to}}, result,
        {.saves = Saves::kNothing, .differentiable = false, .several_views = !copies});
  }
};

const Register<Operator, Bits> registered;

}  // namespace
}  // namespace jp::seedgen::bits_operators
