// Reductions over all dimensions, one, or several, with and without keepdim, in the input's dtype or a given one.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::reduce_operators {
namespace {

enum class Over : std::uint8_t { kDims, kOneDim, kWhole, kNeedsDim };

struct Row {
  std::string_view name;
  DtypeSet dtypes;
  /// For `n` elements in the interval; the result's dtype is known.
  Interval (*image)(Interval x, double n);
  Dtype (*result)(Dtype);
  Exactness exactness;
  /// Elements needed in each slice: 0 if torch has an identity.
  std::int64_t least;
  Over over = Over::kDims;
  bool discontinuous = false;
  Interval domain = kEverything;
  /// Has `dtype=`.
  bool casts = false;
  /// For complex elements; nullptr: not supported.
  Interval (*complex_image)(Interval x, double n) = nullptr;
};

Dtype same(Dtype dtype) { return dtype; }
// all and any of uint8 stay uint8, as they did before torch had bool.
Dtype boolean(Dtype dtype) { return dtype == Dtype::kUInt8 ? dtype : Dtype::kBool; }
Dtype counted(Dtype) { return Dtype::kInt64; }
Dtype summed(Dtype dtype) { return is_integral(dtype) ? Dtype::kInt64 : dtype; }
Interval sum_image(Interval x, double n) { return sum_of(x, n); }
Interval mean_image(Interval x, double) { return x; }
Interval unit_image(Interval, double) { return {0, 1}; }
Interval count_image(Interval, double n) { return {0, n}; }

// |product| of n elements: powers of the largest, and of the smallest if all are at least 1.
Interval prod_image(Interval x, double n) {
  double most = std::pow(std::max(largest(x), 1.0), n);
  return x.low >= 0 ? Interval{0, most} : Interval{-most, most};
}
Interval complex_prod(Interval x, double n) {
  return disc(std::pow(std::max(1.4142135623730951 * largest(x), 1.0), n));
}
Interval logsumexp_image(Interval x, double n) { return {x.low, x.high + std::log(std::max(n, 1.0))}; }

constexpr auto kSame = Exactness::kSame;
constexpr auto kLoose = Exactness::kLoose;

const Row kRows[] = {
    {"sum", kAnyDtype, sum_image, summed, kLoose, 0, Over::kDims, false, kEverything, true, sum_image},
    {"nansum", kAnyDtype, sum_image, summed, kLoose, 0, Over::kDims, false, kEverything, true},
    {"mean", kFloats, mean_image, same, kLoose, 1, Over::kDims, false, kEverything, true, mean_image},
    {"nanmean", kFloats, mean_image, same, kLoose, 1, Over::kDims, false, kEverything, true},
    {"prod", kAnyDtype, prod_image, summed, kLoose, 0, Over::kOneDim, false, kEverything, true, complex_prod},
    {"amax", kAnyDtype, mean_image, same, kSame, 1},
    {"amin", kAnyDtype, mean_image, same, kSame, 1},
    {"max", kAnyDtype, mean_image, same, kSame, 1, Over::kWhole},
    {"min", kAnyDtype, mean_image, same, kSame, 1, Over::kWhole},
    {"median", kNumbers, mean_image, same, kSame, 1, Over::kWhole},
    {"nanmedian", kNumbers, mean_image, same, kSame, 1, Over::kWhole},
    {"logsumexp", kAnyDtype, logsumexp_image, to_floating, kLoose, 1, Over::kNeedsDim, false, {-100, 100}},
    {"all", kAnyDtype, unit_image, boolean, kSame, 0, Over::kDims, true, kEverything, false, unit_image},
    {"any", kAnyDtype, unit_image, boolean, kSame, 0, Over::kDims, true, kEverything, false, unit_image},
    {"count_nonzero", kAnyDtype, count_image, counted, kSame, 0, Over::kDims, true, kEverything, false, count_image},
};

constexpr std::array<Dtype, 9> kTargets = {Dtype::kFloat32,  Dtype::kFloat64,   Dtype::kFloat16,
                                           Dtype::kBFloat16, Dtype::kInt64,     Dtype::kInt32,
                                           Dtype::kInt16,    Dtype::kComplex64, Dtype::kComplex128};

class Reduce final : public Operator {
 public:
  std::string_view name() const override { return "reduce"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    const bool beside_empty = row.least > 0 && row.over != Over::kWhole && draft.choices().chance(1, 48);
    // If nothing is compared, complex numbers are allowed.
    const bool complexes = row.complex_image || (beside_empty && row.exactness == kSame);
    Want want{.dtypes = complexes ? row.dtypes | kComplex : row.dtypes,
              .shape = beside_empty ? draw_beside_empty(draft) : ShapeWant::any(0, kMaxRank, row.least > 0 ? 1 : 0),
              .within = row.domain,
              .exact = row.discontinuous};
    // Torch does not differentiate a complex maximum, not even of an empty slice.
    want.plain = complexes && !row.complex_image;
    want.fits = [&row](const Value& value) {
      Dtype result = row.result(value.dtype);
      if (is_complex(value.dtype) && !row.complex_image) return element_count(value.shape) == 0;
      return inside(image_of(row, value, result, element_count(value.shape)), range_of(result));
    };
    Value x = draft.input(want);
    OverDims reduction = over_of(draft, row, x.shape);
    Dtype result = row.result(x.dtype);
    if (row.casts && draft.choices().chance(1, 4)) {
      if (std::optional<Dtype> target = draw_target(draft, row, x, reduction.count)) {
        result = *target;
        reduction.add(fmt::format("dtype=torch.{}", dtype_name(result)));
      }
    }
    // Of nothing: no elements, or the identity of a sum or product.
    Interval image = element_count(x.shape) == 0 ? Interval{0, 1} : image_of(row, x, result, reduction.count);
    Call call{.op = row.name, .forms = over_forms(reduction), .arguments = {Ref{x.id}}};
    if (!reduction.text.empty()) call.add(reduction.text);
    Value reduced = fresh_unknown(result, reduction.shape, image);
    // `out=` requires dimensions.
    bool dims = row.over != Over::kWhole && !reduction.text.empty() && !reduction.text.starts_with("dtype");
    if (!dims || row.name == "count_nonzero")
      return draft.record(std::move(call), reduced, {.exactness = row.exactness});
    record_or_out(draft, std::move(call), reduced, {.exactness = row.exactness});
  }

 private:
  static Interval image_of(const Row& row, const Value& value, Dtype result, std::int64_t n) {
    auto terms = static_cast<double>(n);
    Interval x = value.interval;
    if (is_complex(result) && !is_complex(value.dtype)) x = hull(x, {0, 0});
    // Its sum is rounded to the result's type before it is divided.
    if (row.name == "nanmean" && !inside(rounded(sum_image(x, terms), result, terms), range_of(result)))
      return kEverything;
    Interval image = is_complex(value.dtype) || is_complex(result) ? row.complex_image(x, terms) : row.image(x, terms);
    return row.exactness == kSame ? image : rounded(image, result, terms);
  }

  static OverDims over_of(Draft& draft, const Row& row, const Shape& shape) {
    if (row.over == Over::kWhole) return {.count = element_count(shape)};
    OverWant want{.needs_dim = row.over == Over::kNeedsDim, .one_dim = row.over == Over::kOneDim};
    want.keeps = row.name != "count_nonzero";
    if (row.least > 0 && element_count(shape) == 0) want.among = not_empty(shape);
    want.takes_none = row.name == "sum" || row.name == "mean" || row.name == "nansum" || row.name == "nanmean";
    return draw_over_dims(draft, shape, want);
  }

  // Elements are cast first, and must survive that.
  static std::optional<Dtype> draw_target(Draft& draft, const Row& row, const Value& x, std::int64_t n) {
    std::array<Dtype, kTargets.size()> fitting{};
    std::size_t count = 0;
    for (Dtype target : kTargets) {
      // Gradients of real elements never flow back from complex results.
      bool complex = is_complex(target) && row.complex_image && (is_complex(x.dtype) || !x.requires_grad);
      if (is_complex(target) ? !complex : is_complex(x.dtype)) continue;
      if (is_integral(target) && (!is_integral(x.dtype) || !row.dtypes.has(target))) continue;
      if (!inside(x.interval, range_of(target))) continue;
      if (inside(image_of(row, x, target, n), range_of(target))) fitting[count++] = target;
    }
    return count == 0 ? std::nullopt : std::optional(fitting[draft.choices().below(count)]);
  }
};

const Register<Operator, Reduce> registered;

}  // namespace
}  // namespace jp::seedgen::reduce_operators
