// Functions of functions: vmap, the derivatives of torch.func, a condition that is known, associative scans. The inner
// functions are lambdas in the text; each row knows the effect of its lambda on an interval.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "seedgen/bases/function_bodies.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::higher_operators {
namespace {

using bodies::Body;
using bodies::kBodies;

constexpr std::string_view kNames[] = {"vmap",          "func_grad", "func_vjp",        "func_jvp",
                                       "func_jacobian", "cond",      "associative_scan"};
constexpr std::string_view kVmap[] = {"torch.vmap($1, in_dims=$2)($0)", "torch.func.vmap($1, $2, 0)($0)"};
constexpr std::string_view kVmapOut[] = {"torch.vmap($1, in_dims=$2, out_dims=$3)($0)",
                                         "torch.func.vmap($1, $2, $3)($0)"};
constexpr std::string_view kVmapChunks[] = {"torch.vmap($1, in_dims=$2, out_dims=$3, chunk_size=$4)($0)"};
constexpr std::string_view kVmapTwo[] = {"torch.vmap($1, in_dims=$3, out_dims=$4)($0, $2)"};
constexpr std::string_view kVmapTwoChunks[] = {"torch.vmap($1, in_dims=$3, out_dims=$4, chunk_size=$5)($0, $2)"};
constexpr std::string_view kGrad[] = {"torch.func.grad(lambda a: ($1).sum())($0)",
                                      "torch.func.grad_and_value(lambda a: ($1).sum())($0)[0]",
                                      "torch.func.grad(lambda a, b: ($1).sum() + b, argnums=0)($0, 1.0)",
                                      "torch.func.grad(lambda a: (($1).sum(), a * 2), has_aux=True)($0)[0]"};
constexpr std::string_view kGradOfTwo[] = {
    "torch.func.grad(lambda a, b: (($1) * b).sum(), argnums=$3)($0, $2)",
    "torch.func.grad_and_value(lambda a, b: (($1) * b).sum(), argnums=$3)($0, $2)[0]"};
constexpr std::string_view kGradOfOne[] = {"torch.func.grad(lambda a, b: (($1) * b).sum(), argnums=$3)($0, $2)[0]"};
constexpr std::string_view kVjp[] = {"torch.func.vjp(lambda a: $1, $0)[1]($2)[0]"};
// Tangents have the layout of their inputs, which must not overlap themselves.
constexpr std::string_view kJvp[] = {"torch.func.jvp(lambda a: $1, ($0.clone(),), ($2.clone(),))"};
constexpr std::string_view kJacobian[] = {"torch.func.jacrev(lambda a: $1)($0)",
                                          "torch.func.jacfwd(lambda a: $1)($0.clone())"};
constexpr std::string_view kCond[] = {"torch.cond($0, lambda a: $2, lambda a: $3, ($1,))"};
constexpr std::string_view kScan[] = {
    "torch._higher_order_ops.associative_scan(lambda a, b: $1, $0, $2, reverse=$3, combine_mode=\"generic\")"};

// The result for a slice under vmap: never the slice itself, which would be a view.
enum class Slice : std::uint8_t { kSame, kSum, kFirst };
struct Mapped {
  std::string_view text;
  Slice slice;
  Dtype (*dtype)(Dtype);
};
Dtype summed(Dtype dtype) { return is_integral(dtype) ? Dtype::kInt64 : dtype; }
constexpr Mapped kMapped[] = {{"lambda a: a * 2", Slice::kSame, bodies::counted},
                              {"lambda a: torch.sin(a) + a", Slice::kSame, to_floating},
                              {"lambda a: a.sum()", Slice::kSum, summed},
                              {"lambda a: torch.flatten(a)[0] * 2", Slice::kFirst, bodies::counted},
                              {"lambda a: a.clone().mul_(2)", Slice::kSame, bodies::kept}};

// The result of such a function for slices of so many elements.
Interval image_of(const Mapped& mapped, const Value& x, double n) {
  Interval image = hull(scaled(x.interval, 2), x.interval + Interval{-1, 1});
  if (mapped.slice == Slice::kSum)
    image = sum_of(x.interval, n);
  else if (mapped.dtype != to_floating)
    image = scaled(x.interval, 2);
  return rounded(image, mapped.dtype(x.dtype), n + 8);
}

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
        return kPolicy.of_two.drawn(draft.choices()) ? draw_vmap_of_two(draft) : draw_vmap(draft);
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

  static const Mapped& draw_mapped(Draft& draft, const Value& x, double n) {
    std::vector<const Mapped*> possible;
    for (const Mapped& mapped : kMapped) {
      // Twice a bool is an integer, which can't be written over it.
      if (x.dtype == Dtype::kBool && mapped.dtype == bodies::kept) continue;
      if (inside(image_of(mapped, x, n), range_of(mapped.dtype(x.dtype)))) possible.push_back(&mapped);
    }
    return *draft.choices().pick(possible);
  }

  // How many slices are processed at a time; each chunk is traced separately.
  static std::optional<std::int64_t> draw_chunk(Draft& draft, std::int64_t slices) {
    if (!draft.choices().chance(1, 4)) return std::nullopt;
    return draft.between((slices + 3) / 4, slices);
  }

  static void draw_vmap(Draft& draft) {
    Value x = draft.input({.dtypes = kAnyDtype, .shape = ShapeWant::any(1, 4, 1).upto(kMaxMapped), .within = kDomain});
    Dim dim = draft.dim(x.shape.size());
    Shape slice = x.shape;
    slice.erase(dim.at);
    auto n = static_cast<double>(element_count(slice));
    const Mapped& mapped = draw_mapped(draft, x, n);
    Shape shape = mapped.slice == Slice::kSame ? slice : Shape{};
    Dim out = draft.dim(shape.size() + 1);
    shape.insert(out.at, x.shape[dim.at]);
    Call call{.op = "vmap", .arguments = {Ref{x.id}, std::string(mapped.text), dim.written}};
    const std::optional<std::int64_t> chunk = draw_chunk(draft, x.shape[dim.at]);
    const bool plain = out.written == 0 && !chunk && draft.flip();
    call.forms = plain ? Forms(kVmap) : chunk ? Forms(kVmapChunks) : Forms(kVmapOut);
    if (!plain) call.add(out.written);
    if (chunk) call.add(*chunk);
    record(draft, std::move(call), {fresh_unknown(mapped.dtype(x.dtype), shape, image_of(mapped, x, n))});
  }

  // An operand of that shape to which `x` is added or by which it is multiplied.
  static Value draw_partner(Draft& draft, const Value& x, const Shape& shape, bool adds) {
    auto fits = [&](const Value& y) {
      return inside(bodies::met(x.dtype, adds, x.interval, y.interval), range_of(x.dtype));
    };
    return draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(shape), .within = kDomain, .fits = fits});
  }

  // One of the two may be the same for all slices.
  static void draw_vmap_of_two(Draft& draft) {
    Value x = draft.input({.dtypes = kAnyDtype, .shape = ShapeWant::any(1, 4, 1).upto(kMaxMapped), .within = kDomain});
    const Dim dim = draft.dim(x.shape.size());
    const std::int64_t slices = x.shape[dim.at];
    Shape slice = x.shape;
    slice.erase(dim.at);
    std::string dims[] = {fmt::to_string(dim.written), "None"};
    Shape beside = slice;
    if (draft.flip()) {
      const Dim other = draft.dim(x.shape.size());
      beside.insert(other.at, slices);
      dims[1] = fmt::to_string(other.written);
    }
    const bool adds = draft.flip();
    Value y = draw_partner(draft, x, beside, adds);
    const bool turned = draft.flip();
    if (turned) std::swap(dims[0], dims[1]);
    const Dim out = draft.dim(x.shape.size());
    Shape shape = slice;
    shape.insert(out.at, slices);
    Call call{.op = "vmap",
              .forms = kVmapTwo,
              .arguments = {Ref{turned ? y.id : x.id},
                            std::string(adds ? "lambda a, b: a + b" : "lambda a, b: torch.mul(a, b)"),
                            Ref{turned ? x.id : y.id}, fmt::format("({}, {})", dims[0], dims[1]), out.written}};
    if (const std::optional<std::int64_t> chunk = draw_chunk(draft, slices)) {
      call.forms = kVmapTwoChunks;
      call.add(*chunk);
    }
    const Interval image = bodies::met(x.dtype, adds, x.interval, y.interval);
    record(draft, std::move(call), {fresh_unknown(x.dtype, shape, image)});
  }

  static void draw_derivative(Draft& draft, std::size_t member) {
    bool jacobian = member == 4;
    ShapeWant shape = jacobian ? ShapeWant::pattern({-1}, 1, 9) : ShapeWant::any(0, kMaxRank, 1).upto(kMaxMapped);
    Value x = draft.input({.dtypes = member == 1 ? kFloats : kSingles, .shape = shape, .within = kDomain});
    if (member == 1 && kPolicy.of_two.drawn(draft.choices())) return draw_gradient_of_two(draft, x);
    const Body* drawn = &kBodies[draft.choices().below(std::size(kBodies))];
    // The derivative of a linear function is a constant, which mostly needs a tangent beside it.
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

  // The gradient of `body(a) * b` with respect to `a`, to `b`, or to several; a tuple of one returns a tuple.
  static void draw_gradient_of_two(Draft& draft, const Value& x) {
    const Body& body = bodies::draw_body(draft.choices(), x);
    auto of_first = [&](const Value& y) { return loose(body.derivative(x.interval) * y.interval, x.dtype); };
    auto fits = [&](const Value& y) { return inside(of_first(y), range_of(x.dtype)); };
    Value y = draft.input({.dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .within = kDomain, .fits = fits});
    const bool several = draft.flip();
    const std::vector<Dim> dims = several ? draft.dims(2, 1) : std::vector<Dim>{draft.dim(2)};
    std::vector<Value> results;
    Ints argnums;
    for (const Dim& dim : dims) {
      results.push_back(fresh_unknown(x.dtype, x.shape, dim.at == 0 ? of_first(y) : image_of(body, x)));
      argnums.push_back(dim.written);
    }
    Call call{.op = "func_grad",
              .forms = several && dims.size() == 1 ? Forms(kGradOfOne) : Forms(kGradOfTwo),
              .arguments = {Ref{x.id}, std::string(body.text), Ref{y.id}}};
    call.add(several ? Argument(argnums) : Argument(dims[0].written));
    record(draft, std::move(call), std::move(results));
  }

  // A Python bool decides: with a tensor, eager itself would call the compiler.
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

  // A scan over one element would return its input.
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
}  // namespace jp::seedgen::higher_operators
