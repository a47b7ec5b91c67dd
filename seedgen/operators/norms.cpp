// Norms of vectors and matrices, distances, and slices scaled down to a norm.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/writes.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::norms_operators {
namespace {

constexpr std::string_view kNames[] = {"norm", "vector_norm", "matrix_norm", "dist", "cdist", "renorm"};
constexpr std::string_view kPlain[] = {"torch.#($0$1)"};
constexpr std::string_view kLinalg[] = {"torch.linalg.#($0$1)"};
constexpr std::string_view kDist[] = {"torch.dist($0, $1, $2)", "torch.dist($0, $1, p=$2)", "$0.dist($1, $2)"};
constexpr std::string_view kCdist[] = {"torch.cdist($0, $1, p=$2, compute_mode=\"donot_use_mm_for_euclid_dist\")"};
constexpr std::string_view kRenorm[] = {"torch.renorm($0, $1, $2, $3)", "$0.renorm($1, $2, $3)"};

// Squares and cubes are summed.
constexpr Interval kDomain = {-100, 100};
constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};

struct Order {
  std::string_view text;
  /// For n numbers of at most 1.
  double (*most)(double n);
};
double root(double n) { return std::sqrt(n); }
double cube_root(double n) { return std::cbrt(n); }
double count(double n) { return n; }
double one(double) { return 1; }

constexpr std::array<Order, 5> kOrders = {
    {{"2", root}, {"1", count}, {"3", cube_root}, {"float(\"inf\")", one}, {"2.0", root}}};
constexpr std::array<Order, 3> kMatrixOrders = {{{"\"fro\"", root}, {"1", count}, {"float(\"inf\")", count}}};

double length_of(const Value& x) { return bound_of(x.dtype, x.interval).most; }

class Norms final : public Operator {
 public:
  std::string_view name() const override { return "norms"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
      case 1:
        return draw_norm(draft, member);
      case 2:
        return draw_matrix_norm(draft);
      case 3:
        return draw_dist(draft);
      case 4:
        return draw_cdist(draft);
      default:
        return draw_renorm(draft);
    }
  }

 private:
  static Interval image(Dtype dtype, double most, double n) { return rounded({0, most}, real_dtype(dtype), n + 8); }

  // Elements whose absolute values can be summed.
  static Want summed(const ShapeWant& shape) {
    Want want{.dtypes = kFloats | kComplex, .shape = shape, .within = kDomain};
    want.fits = [](const Value& x) {
      auto n = static_cast<double>(element_count(x.shape));
      return inside(image(x.dtype, n * length_of(x), n), range_of(real_dtype(x.dtype)));
    };
    return want;
  }

  static void record(Draft& draft, Call call, const Value& result) {
    const bool has_out = call.op != "dist" && call.op != "cdist";
    if (!has_out) return draft.record(std::move(call), result, {.exactness = Exactness::kLoose});
    record_or_out(draft, std::move(call), result, {.exactness = Exactness::kLoose});
  }

  // Sometimes a norm in a wider dtype than the elements' is requested.
  static void draw_norm(Draft& draft, std::size_t member) {
    Value x = draft.input(summed(ShapeWant::any(0, kMaxRank, 1)));
    const Order& order = kOrders[draft.choices().below(kOrders.size())];
    OverDims over = draw_over_dims(draft, x.shape, {.takes_none = member == 1, .named_keep = true});
    auto n = static_cast<double>(over.count);
    std::string_view keyword = member == 0 ? "p" : "ord";
    std::string text = draft.flip() ? fmt::format(", {}", order.text) : fmt::format(", {}={}", keyword, order.text);
    if (!over.text.empty()) text += (over.text.starts_with("dim=") ? ", " : ", dim=") + over.text;
    Dtype dtype = real_dtype(x.dtype);
    if (!is_complex(x.dtype) && draft.choices().chance(1, 5)) {
      dtype = Dtype::kFloat64;
      text += ", dtype=torch.float64";
    }
    record(
        draft,
        {.op = kNames[member], .forms = member == 0 ? Forms(kPlain) : Forms(kLinalg), .arguments = {Ref{x.id}, text}},
        fresh_unknown(dtype, over.shape, image(x.dtype, order.most(n) * length_of(x), n)));
  }

  static void draw_matrix_norm(Draft& draft) {
    Value x = draft.input(summed(ShapeWant::any(2, kMaxRank, 1)));
    const Order& order = kMatrixOrders[draft.choices().below(kMatrixOrders.size())];
    std::vector<Dim> dims = {{x.shape.size() - 2, -2}, {x.shape.size() - 1, -1}};
    std::string text = fmt::format(", {}", order.text);
    if (draft.flip()) {
      dims = draft.dims(x.shape.size(), 2);
      dims.resize(2);
      text += ", dim=" + dims_text(dims);
    }
    auto n = static_cast<double>(x.shape[dims[0].at] * x.shape[dims[1].at]);
    bool keep = kPolicy.keepdim.drawn(draft.choices());
    if (keep) text += ", keepdim=True";
    const bool wide = !is_complex(x.dtype) && draft.choices().chance(1, 5);
    if (wide) text += ", dtype=torch.float64";
    Shape shape = x.shape;
    for (int i = x.shape.size() - 1; i >= 0; --i) {
      if (i != dims[0].at && i != dims[1].at) continue;
      shape[i] = 1;
      if (!keep) shape.erase(i);
    }
    record(draft, {.op = "matrix_norm", .forms = kLinalg, .arguments = {Ref{x.id}, text}},
           fresh_unknown(wide ? Dtype::kFloat64 : real_dtype(x.dtype), shape,
                         image(x.dtype, order.most(n) * length_of(x), n)));
  }

  static double draw_p(Draft& draft) { return static_cast<double>(draft.between(1, 3)); }

  // The larger of the two is drawn first.
  static void draw_dist(Draft& draft) {
    Value a = draft.input(summed(ShapeWant::any(0, kMaxRank, 1)));
    auto n = static_cast<double>(element_count(a.shape));
    Want second{.dtypes = {a.dtype}, .shape = ShapeWant::into(a.shape), .within = kDomain};
    second.fits = [&](const Value& b) {
      return inside(image(a.dtype, n * (length_of(a) + length_of(b)), n), range_of(real_dtype(a.dtype)));
    };
    Value b = draft.input(second);
    Interval result = image(a.dtype, n * (length_of(a) + length_of(b)), n);
    if (draft.flip()) std::swap(a, b);
    record(draft, {.op = "dist", .forms = kDist, .arguments = {Ref{a.id}, Ref{b.id}, draw_p(draft)}},
           fresh(real_dtype(a.dtype), {}, result));
  }

  static void draw_cdist(Draft& draft) {
    Want first{.dtypes = kWide, .shape = ShapeWant::any(2, 3, 1).upto(256), .within = kDomain};
    Value a = draft.input(first);
    int rank = a.shape.size();
    Shape pattern = a.shape;
    pattern[rank - 2] = -1;
    Value b = draft.input({.dtypes = {a.dtype}, .shape = ShapeWant::pattern(pattern, 1, 32), .within = kDomain});
    Shape shape = a.shape;
    shape[rank - 1] = b.shape[rank - 2];
    auto n = static_cast<double>(a.shape.back());
    double most = n * (length_of(a) + length_of(b));
    record(draft, {.op = "cdist", .forms = kCdist, .arguments = {Ref{a.id}, Ref{b.id}, draw_p(draft)}},
           fresh_unknown(a.dtype, shape, image(a.dtype, most, n)));
  }

  static void draw_renorm(Draft& draft) {
    Value x = draft.input({.dtypes = kFloats | kComplex, .shape = ShapeWant::any(2, kMaxRank, 1), .within = kDomain});
    Dim dim = draft.dim(x.shape.size());
    double most = static_cast<double>(draft.between(1, 8)) / 2;
    Interval small = rounded(clip(x.interval, {-most, most}), x.dtype, 64);
    record(draft, {.op = "renorm", .forms = kRenorm, .arguments = {Ref{x.id}, draw_p(draft), dim.written, most}},
           fresh_unknown(x.dtype, x.shape, hull(small, {0, 0})));
  }
};

const Register<Operator, Norms> registered;

}  // namespace
}  // namespace jp::seedgen::norms_operators
