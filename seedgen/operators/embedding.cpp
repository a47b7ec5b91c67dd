// Rows of a table by number, bags of them, and numbers as rows of a unit matrix.
// Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::embedding_operators {
namespace {

constexpr std::string_view kNames[] = {"embedding", "embedding_bag", "one_hot"};
constexpr Interval kWeights = {-4, 4};
constexpr std::int64_t kMaxTable = 512;

class Embedding final : public Operator {
 public:
  std::string_view name() const override { return "embedding"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_rows(draft);
      case 1:
        return draw_bags(draft);
      default:
        return draw_one_hot(draft);
    }
  }

 private:
  static Value draw_table(Draft& draft, double factor, bool written = false) {
    Want want{
        .dtypes = kFloats, .shape = ShapeWant::any(2, 2, 1).upto(kMaxTable), .written = written, .plain = written};
    want.fits = [&](const Value& v) { return inside(bag_of(v, {factor, factor}, 1), range_of(v.dtype)); };
    return draft.input(want);
  }

  // Rows that are read and longer than a bound are scaled in the table first.
  static void record_bounded(Draft& draft, CallWriter& writer, const Value& table, Value result,
                             Exactness exactness = Exactness::kLoose) {
    writer.keyword("max_norm", 0.5 * static_cast<double>(draft.between(1, 4)));
    if (draft.flip()) writer.keyword("norm_type", static_cast<double>(draft.between(1, 2)));
    const Interval scaled = rounded(hull(table.interval, {0, 0}), table.dtype, 8);
    result.interval = rounded(hull(result.interval, {0, 0}), table.dtype, 8);
    draft.record(writer.finish(), std::move(result), {.exactness = exactness});
    draft.overwrite(table, scaled);
  }

  static Value draw_indices(Draft& draft, const Value& table, const Shape& shape, DtypeSet dtypes) {
    Interval rows = {0, static_cast<double>(table.shape[0]) - 1};
    return draft.input({.dtypes = dtypes, .shape = ShapeWant::exactly(shape), .within = rows});
  }

  // Rows of the padding index get no gradients; negative ones count from the back.
  static void write_padding(Draft& draft, CallWriter& writer, const Value& table) {
    if (draft.flip()) return;
    writer.keyword("padding_idx", draft.between(-table.shape[0], table.shape[0] - 1));
  }

  static void draw_rows(Draft& draft) {
    const bool bounds = draft.choices().chance(1, 8);
    Value table = draw_table(draft, 1, bounds);
    Shape shape;
    for (std::int64_t i = draft.between(0, 3); i > 0; --i)
      if (const std::int64_t size = draft.between(1, 4); element_count(shape) * size * table.shape[1] <= kMaxElements)
        shape.push_back(size);
    Value index = draw_indices(draft, table, shape, {Dtype::kInt32, Dtype::kInt64});
    CallWriter writer(kNames[0]);
    writer.give("input", index).give("weight", table);
    write_padding(draft, writer, table);
    if (draft.choices().chance(1, 4)) writer.keyword("scale_grad_by_freq", draft.flip());
    shape.push_back(table.shape[1]);
    if (bounds) return record_bounded(draft, writer, table, fresh_unknown(table.dtype, shape, table.interval));
    draft.record(writer.finish(), fresh_unknown(table.dtype, shape, table.interval), {});
  }

  // Bags are the rows of a matrix of indices, or parts of a vector that begin at the offsets.
  static void draw_bags(Draft& draft) {
    constexpr std::string_view kModes[] = {"sum", "mean", "max"};
    std::uint64_t mode = draft.choices().below(3);
    bool parts = draft.flip();
    std::int64_t bags = draft.between(1, 4);
    std::int64_t length = draft.between(1, 5);
    Shape shape = parts ? Shape{bags * length} : Shape{bags, length};
    auto most = static_cast<double>(element_count(shape));
    double factor = mode == 0 ? most : 1;
    const bool bounds = draft.choices().chance(1, 8);
    Value table = draw_table(draft, factor, bounds);
    Value index = draw_indices(draft, table, shape, {Dtype::kInt64});
    CallWriter writer(kNames[1]);
    writer.give("input", index).give("weight", table);
    if (parts) write_offsets(draft, writer, bags, bags * length);
    writer.keyword("mode", quoted(kModes[mode]));
    Interval weights = {1, 1};
    if (mode == 0 && draft.choices().chance(1, 3)) {
      Want want{.dtypes = {table.dtype}, .shape = ShapeWant::exactly(shape), .within = kWeights};
      want.fits = [&](const Value& v) { return inside(bag_of(table, v.interval, most), range_of(table.dtype)); };
      Value drawn = draft.input(want);
      writer.keyword("per_sample_weights", Ref{drawn.id});
      weights = drawn.interval;
    } else if (mode != 2 && draft.choices().chance(1, 4)) {
      writer.keyword("scale_grad_by_freq", true);
    }
    write_padding(draft, writer, table);
    Interval image =
        mode == 0 ? bag_of(table, weights, most) : rounded(hull(table.interval, {0, 0}), table.dtype, most);
    if (bounds) return record_bounded(draft, writer, table, fresh_unknown(table.dtype, {bags, table.shape[1]}, image));
    draft.record(writer.finish(), fresh_unknown(table.dtype, {bags, table.shape[1]}, image),
                 {.exactness = mode == 2 ? Exactness::kSame : Exactness::kLoose});
  }

  // The first bag begins at 0; some may be empty. The end may be given as well.
  static void write_offsets(Draft& draft, CallWriter& writer, std::int64_t bags, std::int64_t length) {
    std::vector<std::int64_t> offsets = {0};
    for (std::int64_t i = 1; i < bags; ++i) offsets.push_back(draft.between(0, length));
    std::sort(offsets.begin(), offsets.end());
    bool end = draft.choices().chance(1, 3);
    if (end) offsets.push_back(length);
    std::string text = "torch.tensor([";
    for (std::size_t i = 0; i < offsets.size(); ++i) text.append(i > 0 ? ", " : "").append(std::to_string(offsets[i]));
    writer.give("offsets", text.append("])"));
    if (end) writer.keyword("include_last_offset", true);
  }

  static Interval bag_of(const Value& table, Interval weights, double most) {
    return rounded(sum_of(table.interval * weights, most, false), table.dtype, most + 2);
  }

  static void draw_one_hot(Draft& draft) {
    Value x =
        draft.input({.dtypes = {Dtype::kInt64}, .shape = ShapeWant::any(0, kMaxRank - 1).upto(400), .within = {0, 15}});
    std::int64_t classes = static_cast<std::int64_t>(x.interval.high) + draft.between(1, 4);
    CallWriter writer(kNames[2]);
    writer.give("tensor", Ref{x.id}).give("num_classes", classes);
    Shape shape = x.shape;
    shape.push_back(classes);
    draft.record(writer.finish(), fresh_unknown(Dtype::kInt64, shape, {0, 1}), {});
  }
};

const Register<Operator, Embedding> registered;

}  // namespace
}  // namespace jp::seedgen::embedding_operators
