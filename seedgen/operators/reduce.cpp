// Reductions over all dimensions, one, or several, with and without keepdim.
#include <algorithm>
#include <cmath>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

struct Row {
  std::string_view name;
  DtypeSet dtypes;
  /// Of `n` elements in the interval; the result's dtype is known.
  Interval (*image)(Interval x, double n);
  Dtype (*result)(Dtype);
  Exactness exactness;
  /// Elements needed in each slice: 0 where torch knows an identity.
  std::int64_t least;
  /// All dimensions at once, only one at a time.
  bool one_dim_only = false;
  bool jumps = false;
  Interval domain = kEverything;
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

// |product| of n elements: powers of the largest, and of the smallest where all are at least 1.
Interval prod_image(Interval x, double n) {
  double most = std::pow(std::max(largest(x), 1.0), n);
  return x.low >= 0 ? Interval{0, most} : Interval{-most, most};
}

// The variance of n numbers in an interval is at most (high - low)^2 / 4 * n / (n - 1), and n is at least 2.
Interval var_image(Interval x, double) {
  double width = x.high - x.low;
  return {0, width * width / 2};
}
Interval std_image(Interval x, double n) { return {0, std::sqrt(var_image(x, n).high)}; }
Interval logsumexp_image(Interval x, double n) { return {x.low, x.high + std::log(std::max(n, 1.0))}; }

constexpr auto kSame = Exactness::kSame;
constexpr auto kLoose = Exactness::kLoose;

const Row kRows[] = {
    {"sum", kAnyDtype, sum_image, summed, kLoose, 0},
    {"mean", kFloats, mean_image, same, kLoose, 1},
    {"prod", kAnyDtype, prod_image, summed, kLoose, 0, true},
    {"amax", kAnyDtype, mean_image, same, kSame, 1},
    {"amin", kAnyDtype, mean_image, same, kSame, 1},
    {"var", kFloats, var_image, same, kLoose, 2},
    {"std", kFloats, std_image, same, kLoose, 2},
    {"logsumexp", kFloats, logsumexp_image, same, kLoose, 1, false, false, {-100, 100}},
    {"all", kAnyDtype, unit_image, boolean, kSame, 0, false, true},
    {"any", kAnyDtype, unit_image, boolean, kSame, 0, false, true},
    {"count_nonzero", kAnyDtype, count_image, counted, kSame, 0, false, true},
};

constexpr std::string_view kWhole[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kDims[] = {"torch.#($0, dim=$1)", "$0.#(dim=$1)", "$0.#($1)", "torch.#($0, $1)"};
constexpr std::string_view kKeep[] = {"torch.#($0, dim=$1, keepdim=True)", "$0.#($1, keepdim=True)"};

class Reduce final : public Operator {
 public:
  std::string_view name() const override { return "reduce"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Want want{.dtypes = row.dtypes, .within = row.domain, .exact = row.jumps};
    want.shape = ShapeWant::any(0, kMaxRank, row.least > 0 ? 1 : 0);
    want.fits = [&row](const Value& value) {
      std::int64_t n = numel(value.shape);
      return n >= row.least && inside(image_of(row, value, n), range_of(row.result(value.dtype)));
    };
    if (row.least > 1) want.shape = ShapeWant::any(1, kMaxRank, 2);
    Value x = draft.input(want);
    reduce(draft, row, x);
  }

 private:
  static Interval image_of(const Row& row, const Value& value, std::int64_t n) {
    auto terms = static_cast<double>(n);
    Interval image = row.image(value.interval, terms);
    return row.exactness == kSame ? image : rounded(image, row.result(value.dtype), terms);
  }

  // Which dimensions: none given, one (at times negative), or several.
  static void reduce(Draft& draft, const Row& row, const Value& x) {
    Call call{.op = row.name, .forms = kWhole, .arguments = {Ref{x.id}}};
    int rank = x.shape.size();
    Shape shape;
    std::int64_t reduced = numel(x.shape);
    bool needs_dim = row.name == "logsumexp";
    if (rank > 0 && (needs_dim || draft.choices().chance(4, 5))) {
      std::vector<Dim> dims = row.one_dim_only || draft.flip() ? std::vector{draft.dim(rank)} : draft.dims(rank, 1);
      bool keep = row.name != "count_nonzero" && draft.choices().chance(1, 3);
      Ints written;
      shape = x.shape;
      for (Dim dim : dims) {
        written.push_back(dim.written);
        shape[dim.at] = -1;
      }
      reduced = 1;
      for (int i = rank - 1; i >= 0; --i) {
        if (shape[i] >= 0) continue;
        reduced *= x.shape[i];
        shape[i] = 1;
        if (!keep) shape.erase(i);
      }
      call.forms = keep ? Forms(kKeep) : Forms(kDims);
      if (written.size() == 1)
        call.add(written[0]);
      else
        call.add(written);
    } else if (needs_dim) {
      call.forms = kDims;
      call.add(std::int64_t{0});
    }
    // Of nothing: no elements, or the identity of a sum or product.
    Interval image = numel(x.shape) == 0 ? Interval{0, 1} : image_of(row, x, reduced);
    Value result = fresh_unknown(row.result(x.dtype), shape, image);
    draft.record(std::move(call), result, {.exactness = row.exactness});
  }
};

const Register<Operator, Reduce> registered;

}  // namespace
}  // namespace jp::seedgen
