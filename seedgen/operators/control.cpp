// Control flow that depends on a tensor: a branch, a loop, a function of each slice. They are called as the operators
// themselves, which eager runs directly; torch.cond and the like would call the compiler in eager, too. No operand
// requires gradients: eager's own backward of them is also traced by the compiler. The combine function of a scan is a
// functools.partial under the name that torch gives it, otherwise Dynamo would not capture it.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/function_bodies.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::control_operators {
namespace {

using bodies::Body;
using bodies::kBodies;

constexpr std::string_view kNames[] = {"cond_tensor", "while_loop", "map", "scan"};
constexpr std::string_view kCond[] = {"torch.ops.higher_order.cond($0, lambda a: $2, lambda a: $3, ($1,))"};
constexpr std::string_view kCondTwo[] = {
    "torch.ops.higher_order.cond($0, lambda a, b: ($2, a - b), lambda a, b: ($3, a + b), ($1, $4))"};
constexpr std::string_view kWhile[] = {
    "torch.ops.higher_order.while_loop(lambda i, a: i < $1, lambda i, a: (i + 1, $2), (torch.tensor(0), "
    "$0.clone(memory_format=torch.contiguous_format)), ())[1]"};
constexpr std::string_view kWhileTensor[] = {
    "torch.ops.higher_order.while_loop(lambda i, a, n: i < n, lambda i, a, n: (i + 1, $2), (torch.tensor(0), "
    "$0.clone(memory_format=torch.contiguous_format)), "
    "($1,))[1]"};
constexpr std::string_view kMap[] = {"torch.ops.higher_order.map_impl(lambda a: ($1,), ($0,), ())[0]"};
constexpr std::string_view kMapTwo[] = {"torch.ops.higher_order.map_impl(lambda a, b: ($1,), ($0,), ($2,))[0]"};

constexpr std::string_view kScan[] = {
    "torch.ops.higher_order.scan(torch.functools.partial(lambda *a, combine_fn: combine_fn(*a), "
    "combine_fn=lambda s, a: ($2, $3)), ($0.clone(memory_format=torch.contiguous_format),), "
    "($1.contiguous(),), ())"};

// The carry function of a scan (from the carry and a slice), the carry's interval after any number of slices, and the
// output for a slice.
struct Carry {
  std::string_view text;
  Interval (*image)(Interval carried, Interval slice, double slices);
};
Interval halved(Interval s, Interval a, double) { return hull(s, scaled(hull(a, {0, 0}), 2)); }
Interval summed(Interval s, Interval a, double n) { return hull(s, s + sum_of(a, n, false)); }
Interval highest(Interval s, Interval a, double) { return {std::max(s.low, a.low), std::max(s.high, a.high)}; }
Interval waved(Interval s, Interval a, double) { return hull(s, hull(a, -a)); }
constexpr Carry kCarries[] = {
    {"s * 0.5 + a", halved}, {"s + a", summed}, {"torch.maximum(s, a)", highest}, {"torch.sin(s) * a", waved}};
struct Given {
  std::string_view text;
  Interval (*image)(Interval carried, Interval slice);
};
Interval product(Interval s, Interval a) { return s * a; }
Interval difference(Interval s, Interval a) { return s - a; }
Interval wave(Interval, Interval) { return {-1, 1}; }
constexpr Given kGiven[] = {{"s * a", product}, {"s - a", difference}, {"torch.sin(s + a)", wave}};

// For loops and scans: rounding in half precision grows with each iteration, and the carry keeps its dtype.
constexpr DtypeSet kSingles = {Dtype::kFloat32, Dtype::kFloat64};
constexpr Interval kDomain = {-100, 100};
constexpr std::int64_t kMaxMapped = 512;
constexpr std::int64_t kMostRounds = 4;

class Control final : public Operator {
 public:
  std::string_view name() const override { return "control"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    if (member == 0) return draw_cond(draft);
    if (member == 1) return draw_while(draft);
    if (member == 2) return draw_map(draft);
    draw_scan(draft);
  }

 private:
  static void record(Draft& draft, Call call, std::vector<Value> results) {
    draft.record(std::move(call), std::move(results), {.exactness = Exactness::kLoose});
  }

  static Interval loose(Interval image, Dtype dtype) { return rounded(image, dtype, 8); }

  // Eager's kernels accept no tensors with the neg bit set.
  static bool settled(const Value& value) { return !value.lazy; }

  static Value draw_operand(Draft& draft, const ShapeWant& shape, DtypeSet dtypes = kSingles) {
    return draft.input({.dtypes = dtypes, .shape = shape, .within = kDomain, .plain = true, .live = settled});
  }

  // Compiled, operands may not share memory.
  static bool apart(const Value& value, const Value& x) { return settled(value) && value.storage != x.storage; }

  static Value draw_beside(Draft& draft, const Value& x, const Shape& shape, ValueTest fits, ValueTest live) {
    return draft.input({.dtypes = {x.dtype},
                        .shape = ShapeWant::exactly(shape),
                        .within = kDomain,
                        .fits = fits,
                        .plain = true,
                        .live = live});
  }

  // One element, mostly without dimensions.
  static Value draw_predicate(Draft& draft) {
    const std::int64_t rank = draft.choices().chance(1, 4) ? draft.between(0, draft.most_rank()) : 0;
    const Shape shape = Shape::filled(static_cast<int>(rank), 1);
    return draft.input({.dtypes = kBools, .shape = ShapeWant::exactly(shape), .exact = true});
  }

  // Either branch may be taken; results of both have the same layout.
  static void draw_cond(Draft& draft) {
    Value condition = draw_predicate(draft);
    Value x = draw_operand(draft, ShapeWant::any(), kAnyDtype);
    const Body& first = bodies::draw_body(draft.choices(), x);
    const Body& second = bodies::draw_body(draft.choices(), x, first.dtype(x.dtype));
    Value one = fresh_unknown(first.dtype(x.dtype), x.shape, hull(image_of(first, x), image_of(second, x)));
    Call call{.op = "cond_tensor",
              .forms = kCond,
              .arguments = {Ref{condition.id}, Ref{x.id}, std::string(first.text), std::string(second.text)}};
    // Torch has no difference of bools.
    if (x.dtype == Dtype::kBool || draft.flip()) return record(draft, std::move(call), {one});
    auto both_ways = [&](const Value& y) { return hull(x.interval - y.interval, x.interval + y.interval); };
    Value y = draw_beside(
        draft, x, x.shape, [&](const Value& value) { return inside(both_ways(value), range_of(x.dtype)); },
        [&](const Value& value) { return apart(value, x); });
    call.forms = kCondTwo;
    call.add(Ref{y.id});
    record(draft, std::move(call), {one, fresh_unknown(x.dtype, x.shape, loose(both_ways(y), x.dtype))});
  }

  // The effect of `least` to `most` iterations on an interval; nothing if an iteration leaves the domain.
  static std::optional<Interval> after(const Body& body, const Value& x, std::int64_t least, std::int64_t most) {
    Interval image = x.interval;
    std::optional<Interval> all;
    for (std::int64_t i = 1; i <= most; ++i) {
      if (!inside(image, kDomain)) return std::nullopt;
      image = loose(body.image(image), x.dtype);
      if (i >= least) all = all ? hull(*all, image) : image;
    }
    return all;
  }

  // At least one iteration: after none, the result would be the input itself. Compiled, the results of an iteration
  // must have the layout of its inputs.
  static void draw_while(Draft& draft) {
    Value x = draw_operand(draft, ShapeWant::any());
    const bool by_tensor = draft.choices().chance(1, 3);
    std::vector<const Body*> possible;
    for (const Body& body : kBodies)
      if (after(body, x, 1, kMostRounds)) possible.push_back(&body);
    const Body& body = *draft.choices().pick(possible);
    Call call{.op = "while_loop", .forms = kWhile, .arguments = {Ref{x.id}}};
    Interval image;
    if (by_tensor) {
      Value rounds =
          draft.input({.dtypes = {Dtype::kInt64}, .shape = ShapeWant::exactly({}), .within = {1, kMostRounds}});
      call.forms = kWhileTensor;
      call.add(Ref{rounds.id});
      image = *after(body, x, 1, kMostRounds);
    } else {
      std::int64_t rounds = draft.between(1, kMostRounds);
      call.add(rounds);
      image = *after(body, x, rounds, rounds);
    }
    call.add(std::string(body.text));
    record(draft, std::move(call), {fresh_unknown(x.dtype, x.shape, image)});
  }

  static void draw_map(Draft& draft) {
    Value x = draw_operand(draft, ShapeWant::any(1, 4, 1).upto(kMaxMapped), kAnyDtype);
    if (kPolicy.of_two.drawn(draft.choices())) return draw_map_of_two(draft, x);
    const Body& body = bodies::draw_body(draft.choices(), x);
    record(draft, {.op = "map", .forms = kMap, .arguments = {Ref{x.id}, std::string(body.text)}},
           {fresh_unknown(body.dtype(x.dtype), x.shape, image_of(body, x))});
  }

  // Along the first dimension; the carry has the shape of a slice.
  static void draw_scan(Draft& draft) {
    Value x = draw_operand(draft, ShapeWant::any(1, 4, 1).upto(kMaxMapped));
    Shape slice = x.shape;
    slice.erase(0);
    Value start = draw_beside(draft, x, slice, nullptr, settled);
    const Carry& carry = kCarries[draft.choices().below(std::size(kCarries))];
    const Given& given = kGiven[draft.choices().below(std::size(kGiven))];
    const auto slices = static_cast<double>(x.shape[0]);
    const Interval carried = rounded(carry.image(start.interval, x.interval, slices), x.dtype, slices + 8);
    // The output for the first slice depends on the start value.
    const Interval anywhere = hull(start.interval, carried);
    record(draft,
           {.op = "scan",
            .forms = kScan,
            .arguments = {Ref{start.id}, Ref{x.id}, std::string(carry.text), std::string(given.text)}},
           {fresh_unknown(x.dtype, slice, carried),
            fresh_unknown(x.dtype, x.shape, loose(given.image(anywhere, x.interval), x.dtype))});
  }

  // The second operand is the same for all slices.
  static void draw_map_of_two(Draft& draft, const Value& x) {
    Shape slice = x.shape;
    slice.erase(0);
    const bool adds = draft.flip();
    auto image = [&](const Value& y) { return bodies::met(x.dtype, adds, x.interval, y.interval); };
    Value y = draw_beside(
        draft, x, slice, [&](const Value& value) { return inside(image(value), range_of(x.dtype)); },
        [&](const Value& value) { return apart(value, x); });
    record(draft,
           {.op = "map", .forms = kMapTwo, .arguments = {Ref{x.id}, std::string(adds ? "a + b" : "a * b"), Ref{y.id}}},
           {fresh_unknown(x.dtype, x.shape, image(y))});
  }
};

const Register<Operator, Control> registered;

}  // namespace
}  // namespace jp::seedgen::control_operators
