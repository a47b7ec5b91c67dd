// Differences of neighbours, and sums by the trapezoidal rule. Literal chances here were chosen, not measured.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::difference_operators {
namespace {

constexpr std::string_view kNames[] = {"diff", "trapezoid", "cumulative_trapezoid"};
constexpr std::string_view kDiff[] = {"torch.diff($0, n=$1, dim=$2)", "torch.diff($0, $1, $2)", "$0.diff($1, $2)"};
constexpr std::string_view kPrepend[] = {"torch.diff($0, n=$1, dim=$2, prepend=$3)", "$0.diff($1, $2, $3)"};
constexpr std::string_view kAppend[] = {"torch.diff($0, n=$1, dim=$2, append=$3)"};
constexpr std::string_view kStep[] = {"torch.#($0, dx=$1, dim=$2)"};
constexpr std::string_view kAgainst[] = {"torch.#($0, $1, dim=$2)", "torch.#($0, x=$1, dim=$2)"};
constexpr std::string_view kUnit[] = {"torch.#($0, dim=$2)"};

class Difference final : public Operator {
 public:
  std::string_view name() const override { return "difference"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    member == 0 ? draw_diff(draft) : draw_trapezoid(draft, member);
  }

 private:
  // The n-th difference of numbers in an interval: at most 2^(n - 1) times its width. Bools stay bools.
  static Interval difference(Dtype dtype, Interval x, std::int64_t n) {
    if (n == 0) return x;
    if (dtype == Dtype::kBool) return {0, 1};
    double most = (x.high - x.low) * std::exp2(static_cast<double>(n) - 1);
    return rounded({-most, most}, dtype, std::exp2(static_cast<double>(n)));
  }

  static void draw_diff(Draft& draft) {
    std::int64_t n = draft.choices().chance(1, 8) ? 0 : draft.between(1, 3);
    Want want{.dtypes = kEveryDtype, .shape = ShapeWant::any(1, kMaxRank, 1)};
    want.fits = [n](const Value& value) {
      return inside(difference(value.dtype, value.interval, n), range_of(value.dtype));
    };
    Value x = draft.input(want);
    Dim dim = draft.dim(x.shape.size());
    Shape shape = x.shape;
    Interval elements = x.interval;
    Call call{.op = "diff", .forms = kDiff, .arguments = {Ref{x.id}, n, dim.written}};
    const std::int64_t size = x.shape[dim.at];
    const std::int64_t room = kMaxElements / (extent(x.shape) / size) - size;
    if (room > 0 && draft.choices().chance(1, 4)) {
      Shape more = x.shape;
      more[dim.at] = draft.between(1, std::min<std::int64_t>(2, room));
      Want part{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(more)};
      part.within = x.interval;
      Value addition = draft.input(part);
      elements = hull(elements, addition.interval);
      shape[dim.at] += more[dim.at];
      call.forms = draft.flip() ? Forms(kPrepend) : Forms(kAppend);
      call.add(Ref{addition.id});
    }
    // For n = 0 a copy is returned, and what is prepended or appended is ignored.
    if (n == 0) {
      shape = x.shape;
      elements = x.interval;
    }
    shape[dim.at] = std::max<std::int64_t>(shape[dim.at] - n, 0);
    Value result = fresh_unknown(x.dtype, shape, difference(x.dtype, elements, n));
    record_or_out(draft, std::move(call), result, {.exactness = n <= 1 ? Exactness::kRounded : Exactness::kLoose});
  }

  static void draw_trapezoid(Draft& draft, std::size_t member) {
    Want want{.dtypes = kNumbers | kComplex, .shape = ShapeWant::any(1, kMaxRank, 1)};
    want.fits = [](const Value& value) {
      Dtype dtype = to_floating(value.dtype);
      // Neighbours are added first, integers in their own dtype.
      if (is_integral(value.dtype) && !inside(scaled(value.interval, 2), range_of(value.dtype))) return false;
      return inside(area(value, 2), range_of(dtype)) && inside(value.interval, range_of(dtype));
    };
    Value x = draft.input(want);
    // A single element has no area.
    Dim dim = draw_long_dim(draft, x.shape);
    if (is_floating(x.dtype) && draft.choices().chance(1, 4)) return draw_against(draft, member, x, dim);
    bool steps = draft.flip();
    double dx = steps ? static_cast<double>(draft.between(1, 8)) / 4 : 1;
    Shape shape = x.shape;
    if (member == 1)
      shape.erase(dim.at);
    else
      --shape[dim.at];
    draft.record(
        {.op = kNames[member], .forms = steps ? Forms(kStep) : Forms(kUnit), .arguments = {Ref{x.id}, dx, dim.written}},
        fresh_unknown(to_floating(x.dtype), shape, area(x, dx)), {.exactness = Exactness::kLoose});
  }

  // Over the points that another tensor names: of the same shape, or of the dimension alone.
  static void draw_against(Draft& draft, std::size_t member, const Value& x, Dim dim) {
    auto reach = [](Interval points) { return 2 * largest(points); };
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(draft.flip() ? x.shape : Shape{x.shape[dim.at]})};
    want.fits = [&](const Value& points) {
      return inside(hull(area(x, reach(points.interval)), -area(x, reach(points.interval))), range_of(x.dtype)) &&
             inside(scaled(points.interval, 2), range_of(x.dtype));
    };
    const Value points = draft.input(want);
    const Interval most = area(x, reach(points.interval));
    Shape shape = x.shape;
    if (member == 1)
      shape.erase(dim.at);
    else
      --shape[dim.at];
    draft.record({.op = kNames[member], .forms = kAgainst, .arguments = {Ref{x.id}, Ref{points.id}, dim.written}},
                 fresh_unknown(x.dtype, shape, hull(most, -most)), {.exactness = Exactness::kLoose});
  }

  // Sums of up to all elements along the longest dimension.
  static Interval area(const Value& x, double dx) {
    auto n = static_cast<double>(*std::max_element(x.shape.begin(), x.shape.end()));
    return rounded(sum_of(scaled(x.interval, dx), n, false), to_floating(x.dtype), 2 * n);
  }
};

const Register<Operator, Difference> registered;

}  // namespace
}  // namespace jp::seedgen::difference_operators
