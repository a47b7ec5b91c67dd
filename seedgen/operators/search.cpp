// Positions and membership: searchsorted, bucketize, isin. They are discontinuous, so all operands are exact.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::search_operators {
namespace {

constexpr std::string_view kNames[] = {"searchsorted", "bucketize", "isin"};
constexpr std::string_view kSorted[] = {"torch.searchsorted(torch.sort($0)[0], $1, right=$2, out_int32=$3)",
                                        "torch.searchsorted($0, $1, out_int32=$3, right=$2, sorter=torch.argsort($0))"};
constexpr std::string_view kSides[] = {"torch.searchsorted($0.sort().values, $1, out_int32=$3, side=$2)"};
constexpr std::string_view kBucketize[] = {"torch.bucketize($0, $1, right=$2, out_int32=$3)"};
// Eager itself views some layouts in ways that they don't allow.
constexpr std::string_view kIsin[] = {"torch.isin($0.contiguous(), $1.contiguous(), invert=$2)",
                                      "torch.isin($0.contiguous(), $1.contiguous(), assume_unique=False, invert=$2)"};
constexpr std::string_view kIsinNumber[] = {"torch.isin($0.contiguous(), $1, invert=$2)"};
constexpr std::string_view kNumberIsin[] = {"torch.isin($1, $0.contiguous(), invert=$2)"};
constexpr std::string_view kSortedNumber[] = {"torch.searchsorted(torch.sort($0)[0], $1, right=$2, out_int32=$3)"};
constexpr std::string_view kNumberBucket[] = {"torch.bucketize($1, $0.sort().values, right=$2, out_int32=$3)"};

Dtype place_dtype(bool narrow) { return narrow ? Dtype::kInt32 : Dtype::kInt64; }

class Search final : public Operator {
 public:
  std::string_view name() const override { return "search"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_searchsorted(draft);
      case 1:
        return draw_bucketize(draft);
      default:
        return draw_isin(draft);
    }
  }

 private:
  static void record(Draft& draft, Call call, Dtype dtype, const Shape& shape, std::int64_t most) {
    Value result = fresh_unknown(dtype, shape, {0, static_cast<double>(most)});
    const Traits traits = {.saves = Saves::kNothing, .differentiable = false};
    record_or_out(draft, std::move(call), result, traits);
  }

  // In rows of a sequence that the text sorts: values share its leading sizes, or the sequence has one dimension.
  static void draw_searchsorted(Draft& draft) {
    if (draft.choices().chance(1, 6)) return draw_number(draft, {.op = "searchsorted", .forms = kSortedNumber});
    Value sequence = draft.input({.dtypes = kNumbers, .shape = ShapeWant::any(1, 3), .exact = true, .plain = true});
    Shape pattern = sequence.shape;
    pattern[pattern.size() - 1] = -1;
    Want want{.dtypes = {sequence.dtype}, .shape = ShapeWant::pattern(pattern), .exact = true, .plain = true};
    bool flat = sequence.shape.size() == 1;
    if (flat) want.shape = ShapeWant::any();
    Value values = draft.input(want);
    bool sides = draft.choices().chance(1, 3);
    bool right = draft.flip();
    bool narrow = draft.flip();
    Call call{.op = "searchsorted",
              .forms = sides ? Forms(kSides) : Forms(kSorted),
              .arguments = {Ref{sequence.id}, Ref{values.id}}};
    if (sides)
      call.add(std::string(right ? "\"right\"" : "\"left\""));
    else
      call.add(right);
    call.add(narrow);
    record(draft, std::move(call), place_dtype(narrow), values.shape, sequence.shape.back());
  }

  // Between evenly spaced literal boundaries.
  static void draw_bucketize(Draft& draft) {
    if (draft.choices().chance(1, 6)) return draw_number(draft, {.op = "bucketize", .forms = kNumberBucket});
    Value x = draft.input({.dtypes = kNumbers, .exact = true, .plain = true});
    std::int64_t count = draft.between(0, 6);
    bool whole = is_integral(x.dtype);
    std::int64_t start = x.dtype == Dtype::kUInt8 ? draft.between(0, 2) : draft.between(-3, 1);
    std::string boundaries = "[";
    for (std::int64_t i = 0; i < count; ++i)
      boundaries += fmt::format("{}{}{}", i == 0 ? "" : ", ", start + i, whole ? "" : ".5");
    Call call{.op = "bucketize", .forms = kBucketize, .arguments = {Ref{x.id}}};
    call.add(fmt::format("torch.tensor({}], dtype=torch.{})", boundaries, dtype_name(x.dtype)));
    call.add(draft.flip());
    bool narrow = draft.flip();
    call.add(narrow);
    record(draft, std::move(call), place_dtype(narrow), x.shape, count);
  }

  // The place of a number among the elements of a vector.
  static void draw_number(Draft& draft, Call call) {
    Value x = draft.input({.dtypes = kNumbers, .shape = ShapeWant::any(1, 1), .exact = true, .plain = true});
    call.add(Ref{x.id});
    call.add(python_number(x.dtype, static_cast<double>(draft.between(0, 3))));
    call.add(draft.flip());
    const bool narrow = draft.flip();
    call.add(narrow);
    const Value place = fresh_unknown(place_dtype(narrow), {}, {0, static_cast<double>(x.shape[0])});
    const Traits traits = {.saves = Saves::kNothing, .differentiable = false};
    // No `out=` behind a number.
    if (call.op == "bucketize") return draft.record(std::move(call), place, traits);
    record_or_out(draft, std::move(call), place, traits);
  }

  static void draw_isin(Draft& draft) {
    Value x = draft.input({.dtypes = kNumbers, .exact = true, .plain = true});
    Call call{.op = "isin", .forms = kIsin, .arguments = {Ref{x.id}}};
    if (draft.choices().chance(1, 3)) {
      call.add(python_number(x.dtype, static_cast<double>(draft.between(0, 3))));
      // A number among the elements, or the elements among one number.
      const bool one = draft.choices().chance(1, 3);
      call.forms = one ? Forms(kNumberIsin) : Forms(kIsinNumber);
      if (one) {
        call.add(draft.flip());
        return record(draft, std::move(call), Dtype::kBool, {}, 1);
      }
    } else {
      Value tests =
          draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::any().upto(64), .exact = true, .plain = true});
      call.add(Ref{tests.id});
    }
    call.add(draft.flip());
    record(draft, std::move(call), Dtype::kBool, x.shape, 1);
  }
};

const Register<Operator, Search> registered;

}  // namespace
}  // namespace jp::seedgen::search_operators
