// Functions of functions: vmap, the derivatives of torch.func, a condition that is known, associative scans. The inner
// functions are lambdas in the text; each row knows what its does to an interval.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seedgen/function_bodies.h"
#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

using bodies::Body;
using bodies::kBodies;

constexpr std::string_view kNames[] = {"vmap",          "func_grad", "func_vjp",        "func_jvp",
                                       "func_jacobian", "cond",      "associative_scan"};
constexpr std::string_view kVmap[] = {"torch.vmap($1, in_dims=$2)($0)", "torch.func.vmap($1, $2, 0)($0)"};
constexpr std::string_view kVmapOut[] = {"torch.vmap($1, in_dims=$2, out_dims=-1)($0)"};
constexpr std::string_view kVmapTwo[] = {"torch.vmap($1, in_dims=($3, None))($0, $2)"};
constexpr std::string_view kGrad[] = {"torch.func.grad(lambda a: ($1).sum())($0)",
                                      "torch.func.grad_and_value(lambda a: ($1).sum())($0)[0]",
                                      "torch.func.grad(lambda a, b: ($1).sum() + b, argnums=0)($0, 1.0)"};
constexpr std::string_view kVjp[] = {"torch.func.vjp(lambda a: $1, $0)[1]($2)[0]"};
// Tangents are laid out as their inputs, which must not overlap themselves.
constexpr std::string_view kJvp[] = {"torch.func.jvp(lambda a: $1, ($0.clone(),), ($2.clone(),))"};
constexpr std::string_view kJacobian[] = {"torch.func.jacrev(lambda a: $1)($0)",
                                          "torch.func.jacfwd(lambda a: $1)($0.clone())"};
constexpr std::string_view kCond[] = {"torch.cond($0, lambda a: $2, lambda a: $3, ($1,))"};
constexpr std::string_view kScan[] = {
    "torch._higher_order_ops.associative_scan(lambda a, b: $1, $0, $2, reverse=$3, combine_mode=\"generic\")"};

// What a slice becomes under vmap: never the slice itself, which would be a view.
enum class Slice : std::uint8_t { kSame, kSum, kFirst };
struct Mapped {
  std::string_view text;
  Slice slice;
};
constexpr Mapped kMapped[] = {{"lambda a: a * 2", Slice::kSame},
                              {"lambda a: torch.sin(a) + a", Slice::kSame},
                              {"lambda a: a.sum()", Slice::kSum},
                              {"lambda a: torch.flatten(a)[0] * 2", Slice::kFirst},
                              {"lambda a: a.clone().mul_(2)", Slice::kSame}};

constexpr DtypeSet kSingles = {Dtype::kFloat32, Dtype::kFloat64};
constexpr Interval kDomain = {-100, 100};
constexpr std::int64_t kMaxMapped = 512;

class Higher final : public Operator {
 public:
  std::string_view name() const override { return "higher"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draft.choices().chance(1, 3) ? draw_vmap_of_two(draft) : draw_vmap(draft);
      case 5:
        return draw_cond(draft);
      case 6:
        return draw_scan(draft);
      default:
        return draw_derivative(draft, member);
    }
  }

 private:
  static void record(Draft& draft, Call call, std::vector<Value> results) {
    draft.record(std::move(call), std::move(results), {.exactness = Exactness::kLoose});
  }

  static Interval loose(Interval image, Dtype dtype, double terms = 8) { return rounded(image, dtype, terms); }

  // The mapped dimension comes out first or last.
  static void draw_vmap(Draft& draft) {
    Value x = draft.input({.dtypes = kSingles, .shape = ShapeWant::any(1, 4, 1).upto(kMaxMapped), .within = kDomain});
    Dim dim = draft.dim(x.shape.size());
    const Mapped& mapped = kMapped[draft.choices().below(std::size(kMapped))];
    Shape slice = x.shape;
    slice.erase(dim.at);
    auto n = static_cast<double>(numel(slice));
    Interval image = x.interval;
    if (mapped.slice == Slice::kSum) image = sum_of(x.interval, n);
    if (mapped.slice != Slice::kSum) image = hull(scaled(x.interval, 2), x.interval + Interval{-1, 1});
    if (mapped.slice != Slice::kSame) slice = {};
    bool last = draft.choices().chance(1, 3);
    Shape shape = slice;
    shape.insert(last ? shape.size() : 0, x.shape[dim.at]);
    record(draft,
           {.op = "vmap",
            .forms = last ? Forms(kVmapOut) : Forms(kVmap),
            .arguments = {Ref{x.id}, std::string(mapped.text), dim.written}},
           {fresh_unknown(x.dtype, shape, loose(image, x.dtype, n + 8))});
  }

  // The second operand is the same for all slices.
  static void draw_vmap_of_two(Draft& draft) {
    Value x = draft.input({.dtypes = kSingles, .shape = ShapeWant::any(1, 4, 1).upto(kMaxMapped), .within = kDomain});
    Dim dim = draft.dim(x.shape.size());
    Shape shape = x.shape;
    shape.erase(dim.at);
    Value y = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(shape), .within = kDomain});
    shape.insert(0, x.shape[dim.at]);
    bool adds = draft.flip();
    Interval image = adds ? x.interval + y.interval : x.interval * y.interval;
    record(draft,
           {.op = "vmap",
            .forms = kVmapTwo,
            .arguments = {Ref{x.id}, std::string(adds ? "lambda a, b: a + b" : "lambda a, b: torch.mul(a, b)"),
                          Ref{y.id}, dim.written}},
           {fresh_unknown(x.dtype, shape, loose(image, x.dtype))});
  }

  static void draw_derivative(Draft& draft, std::size_t member) {
    bool jacobian = member == 4;
    ShapeWant shape = jacobian ? ShapeWant::pattern({-1}, 1, 9) : ShapeWant::any(0, kMaxRank, 1).upto(kMaxMapped);
    Value x = draft.input({.dtypes = kSingles, .shape = shape, .within = kDomain});
    const Body* drawn = &kBodies[draft.choices().below(std::size(kBodies))];
    // Of a linear one it is a constant, which mostly needs a tangent beside it.
    const bool linear = drawn->derivative == bodies::three;
    if (linear && (member == 1 || jacobian) && draft.choices().chance(7, 8)) drawn = &kBodies[draft.choices().below(4)];
    const Body& body = *drawn;
    Interval derivative = body.derivative(x.interval);
    Call call{.op = kNames[member], .arguments = {Ref{x.id}, std::string(body.text)}};
    if (member == 1) {
      call.forms = kGrad;
      return record(draft, std::move(call), {fresh_unknown(x.dtype, x.shape, loose(derivative, x.dtype))});
    }
    if (jacobian) {
      call.forms = kJacobian;
      Interval image = loose(hull(derivative, {0, 0}), x.dtype);
      return record(draft, std::move(call), {fresh_unknown(x.dtype, {x.shape[0], x.shape[0]}, image)});
    }
    Value tangent = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .within = kDomain});
    call.add(Ref{tangent.id});
    call.forms = member == 2 ? Forms(kVjp) : Forms(kJvp);
    Value product = fresh_unknown(x.dtype, x.shape, loose(derivative * tangent.interval, x.dtype));
    if (member == 2) return record(draft, std::move(call), {product});
    record(draft, std::move(call), {fresh_unknown(x.dtype, x.shape, loose(body.image(x.interval), x.dtype)), product});
  }

  // A Python bool decides: with a tensor, eager itself would ask the compiler.
  static void draw_cond(Draft& draft) {
    Value x = draft.input({.dtypes = kSingles, .within = kDomain});
    const Body& first = kBodies[draft.choices().below(std::size(kBodies))];
    const Body& second = kBodies[draft.choices().below(std::size(kBodies))];
    bool yes = draft.flip();
    Interval image = (yes ? first : second).image(x.interval);
    record(draft,
           {.op = "cond",
            .forms = kCond,
            .arguments = {yes, Ref{x.id}, std::string(first.text), std::string(second.text)}},
           {fresh_unknown(x.dtype, x.shape, loose(image, x.dtype))});
  }

  // Of one element a scan would hand back its input.
  static void draw_scan(Draft& draft) {
    constexpr std::string_view kCombine[] = {"a + b", "torch.maximum(a, b)", "torch.minimum(a, b)"};
    std::uint64_t kind = draft.choices().below(std::size(kCombine));
    Value x = draft.input({.dtypes = kSingles, .shape = ShapeWant::any(1, 4, 2), .within = kDomain, .plain = true});
    int dim = draft.dim(x.shape.size()).at;
    auto n = static_cast<double>(x.shape[dim]);
    Interval image = kind == 0 ? hull(x.interval, sum_of(x.interval, n)) : x.interval;
    Call call{.op = "associative_scan",
              .forms = kScan,
              .arguments = {Ref{x.id}, std::string(kCombine[kind]), std::int64_t{dim}, draft.flip()}};
    record(draft, std::move(call), {fresh_unknown(x.dtype, x.shape, loose(image, x.dtype, n))});
  }
};

const Register<Operator, Higher> registered;

}  // namespace
}  // namespace jp::seedgen
