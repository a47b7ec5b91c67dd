// The arguments of a draft: new ones made to fit a want, or views of earlier ones.
#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/draw/draft.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen {
namespace {

// Bits of a mantissa that every float dtype holds.
constexpr int kCommonBits = 7;

// The preferred part of `drawn`; if it is empty or a single point, a part of `within` near it, with room for two
// numbers that every float dtype holds.
Interval welcome(Interval drawn, Interval within) {
  Interval common = clip(drawn, within);
  if (common.low < common.high || within.low == within.high) return common;
  const double room = std::max(2.0, std::ldexp(largest(common), 2 - kCommonBits));
  return common.low < within.high ? Interval{common.low, std::min(common.low + room, within.high)}
                                  : Interval{std::max(common.high - room, within.low), common.high};
}

// Rounds the ends to so many bits, so that scaling random numbers never rounds past them.
Interval representable(Interval a, bool whole, int bits = kCommonBits) {
  if (whole) return {std::ceil(a.low), std::floor(a.high)};
  auto up = [&](double x) {
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent);
    return std::ldexp(std::ceil(std::ldexp(mantissa, bits)), exponent - bits);
  };
  Interval inner = {up(a.low), -up(-a.high)};
  return inner.low <= inner.high ? inner : a;
}

// Bits of a float dtype's mantissa, including the leading one.
int mantissa_bits(Dtype dtype) { return 1 - std::ilogb(epsilon(dtype)); }

Interval narrowed(Interval a, double towards, bool whole) {
  auto closer = [&](double end) {
    double half = towards + (end - towards) / 2;
    return whole ? towards + std::trunc((end - towards) / 2) : half;
  };
  return {closer(a.low), closer(a.high)};
}

// The views of an argument that another argument may be, each with its text.
struct View {
  Value value;
  std::string_view text;
};

std::vector<View> views_of(const Value& base) {
  std::vector<View> views = {{base, ""}, {base, "[...]"}};
  int rank = base.shape.size();
  if (rank == 0) return views;
  views.push_back({view_of(base, {element_count(base.shape)}, {1}), ".view(-1)"});
  if (base.shape[0] >= 2) {
    Value tail = base;
    --tail.shape[0];
    views.push_back({tail, "[1:]"});
    Value row = base;
    row.shape.erase(0);
    row.strides.erase(0);
    views.push_back({row, "[0]"});
  }
  if (rank >= 2) {
    Value turned = base;
    std::swap(turned.shape[0], turned.shape[1]);
    std::swap(turned.strides[0], turned.strides[1]);
    views.push_back({turned, ".transpose(0, 1)"});
  }
  return views;
}

}  // namespace

Dtype Draft::draw_dtype(const Want& want, const Shape& shape) {
  std::optional<Dtype> drawn = draw_dtype(want, shape, bounds_.dtypes);
  if (!drawn) drawn = draw_dtype(want, shape, kEveryDtype);
  JP_CHECK(drawn.has_value(), "no argument of shape ({}) can fit the wish", fmt::join(shape, ", "));
  return *drawn;
}

std::optional<Dtype> Draft::draw_dtype(const Want& want, const Shape& shape, DtypeSet among) {
  Value trial = fresh_unknown(Dtype::kFloat32, shape, {want.neutral, want.neutral});
  auto possible = [&](Dtype dtype) {
    if (!want.dtypes.has(dtype) || !among.has(dtype)) return false;
    // A narrow domain would leave a single integer: floats are more useful there.
    Interval common = clip(want.within, range_of(dtype));
    bool several = std::floor(common.high) - std::ceil(common.low) >= 1;
    if (!several && is_integral(dtype) && want.dtypes.has(Dtype::kFloat32)) return false;
    trial.dtype = dtype;
    return !want.fits || want.fits(trial);
  };
  if (want.likely && possible(*want.likely) && kPolicy.likely_dtype.drawn(choices_)) return *want.likely;
  std::array<Dtype, kPolicy.dtypes.size()> dtypes{};
  std::size_t count = 0;
  Dtype last = Dtype::kComplex128;
  bool last_possible = false;
  for (Dtype dtype : kPolicy.dtypes) {
    if (dtype != last) last_possible = possible(last = dtype);
    if (last_possible) dtypes[count++] = dtype;
  }
  if (want.dtypes.meets(kComplex) && (count == 0 || kPolicy.complex_dtype.drawn(choices_))) {
    bool wide = flip();
    for (Dtype complex : {wide ? Dtype::kComplex128 : Dtype::kComplex64, wide ? Dtype::kComplex64 : Dtype::kComplex128})
      if (possible(complex)) return complex;
  }
  if (count == 0) return std::nullopt;
  return dtypes[choices_.below(count)];
}

Interval Draft::draw_interval(const Want& want, const Value& argument) {
  bool whole = is_integral(argument.dtype);
  Interval drawn = whole ? kPolicy.integer_intervals[choices_.below(kPolicy.integer_intervals.size())]
                         : kPolicy.float_intervals[choices_.below(kPolicy.float_intervals.size())];
  drawn = clip(drawn, range_of(argument.dtype));
  if (want.away > 0) {
    double least = whole ? std::ceil(want.away) : want.away;
    bool positive =
        want.within.high >= least && (want.within.low > -least || argument.dtype == Dtype::kUInt8 || flip());
    Interval side = positive ? Interval{least, std::max(drawn.high, 2 * least)} : Interval{-2 * least, -least};
    drawn = side;
  }
  const int bits = whole ? 0 : mantissa_bits(argument.dtype);
  auto made = [&](Interval row) {
    const Interval room = welcome(row, clip(want.within, range_of(argument.dtype)));
    const Interval common = representable(room, whole);
    return whole || common != room ? common : representable(room, whole, bits);
  };
  drawn = made(drawn);
  if (want.preferred) {
    Value trial = argument;
    auto pleases = [&](Interval interval) { return trial.interval = interval, want.preferred(trial); };
    auto look = [&](const auto& rows) {
      for (std::size_t i = 0; i < rows.size() && !pleases(drawn); ++i)
        if (Interval other = made(clip(rows[i], range_of(argument.dtype))); pleases(other)) drawn = other;
    };
    whole ? look(kPolicy.integer_intervals) : look(kPolicy.float_intervals);
  }
  if (!want.fits) return drawn;
  Value trial = argument;
  trial.interval = drawn;
  for (int i = 0; i < 16 && !want.fits(trial); ++i)
    trial.interval = i < 15 ? representable(narrowed(trial.interval, want.neutral, whole), whole, bits)
                            : Interval{want.neutral, want.neutral};
  JP_CHECK(want.fits(trial), "an argument of {} can't be made to fit", dtype_name(argument.dtype));
  return trial.interval;
}

// Mostly contiguous; else a layout that the argument's shape allows.
Layout Draft::draw_layout(const Want& want, const Value& argument) {
  int rank = argument.shape.size();
  if (rank == 0 || kPolicy.contiguous.drawn(choices_)) return Layout::kContiguous;
  switch (choices_.below(4)) {
    case 0:
      return rank >= 2 ? Layout::kTransposed : Layout::kContiguous;
    case 1:
      return rank == 4 ? Layout::kChannelsLast : Layout::kContiguous;
    case 2:
      return Layout::kStepped;
    default:
      return argument.shape[0] > 1 && !want.written && !argument.requires_grad ? Layout::kExpanded
                                                                               : Layout::kContiguous;
  }
}

// A view of an earlier argument that fits, or nothing. Only arguments without gradients that are known to be contiguous
// are considered.
std::optional<Value> Draft::shared_argument(const Want& want) {
  std::vector<View> fitting;
  std::vector<int> bases;
  for (const Input& input : graph_.inputs) {
    if (input.base >= 0 || input.requires_grad || input.layout != Layout::kContiguous) continue;
    if (!live(input.value).strides_known) continue;
    for (View& view : views_of(live(input.value))) {
      if (!fits(view.value, want)) continue;
      fitting.push_back(std::move(view));
      bases.push_back(input.value);
    }
  }
  if (fitting.empty()) return std::nullopt;
  std::size_t drawn = choices_.below(fitting.size());
  Value argument = fitting[drawn].value;
  argument.id = static_cast<int>(graph_.values.size());
  ++storage(argument).values;
  graph_.inputs.push_back({.value = argument.id, .base = bases[drawn], .view = fitting[drawn].text});
  graph_.values.push_back(argument);
  add_known(argument, InputSensitivity::kDependent);
  return argument;
}

// Mostly the shape of an unread constant, so that the two can be combined and it does not become an output.
Shape Draft::draw_shape(const Want& want) {
  if (!known_.unread_constants().empty() && kPolicy.unread_constant_shape.drawn(choices_)) {
    const Shape unread_constants =
        live(known_.unread_constants().at(choices_.below(known_.unread_constants().count()))).shape;
    const bool small = element_count(unread_constants) <= kMaxArgumentElements && !unread_constants.empty();
    if (small && shape_fits(unread_constants, want)) return unread_constants;
  }
  return want.shape.draw(choices_, bounds_);
}

Value Draft::new_argument(const Want& want) {
  if (shares_ && kPolicy.shared_argument.drawn(choices_))
    if (std::optional<Value> shared = shared_argument(want)) return *shared;
  Value argument;
  argument.shape = draw_shape(want);
  argument.dtype = draw_dtype(want, argument.shape);
  argument.input = true;
  Input input;
  input.interval = draw_interval(want, argument);
  argument.interval = input.interval;
  argument.requires_grad = gradients_ && has_gradients(argument.dtype) && !want.written && !want.plain &&
                           kPolicy.gradient_argument.drawn(choices_);
  input.requires_grad = argument.requires_grad;
  input.layout = draw_layout(want, argument);
  argument.overlaps_itself = input.layout == Layout::kExpanded;
  argument.strides_known = input.layout == Layout::kContiguous;
  if (argument.strides_known) argument.strides = contiguous_strides(argument.shape);
  argument.storage = new_storage({.argument = true, .leaf = argument.requires_grad, .values = 1});
  argument.id = input.value = static_cast<int>(graph_.values.size());
  graph_.inputs.push_back(input);
  graph_.values.push_back(argument);
  add_known(argument, is_integral(argument.dtype) && element_count(argument.shape) < 4 ? InputSensitivity::kStepwise
                                                                                       : InputSensitivity::kDependent);
  return argument;
}

}  // namespace jp::seedgen
