#include "seedgen/bases/binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/draw/policy.h"

namespace jp::seedgen {
namespace {

constexpr std::array<std::int64_t, 10> kIntegers = {1, 2, 3, 0, 5, -1, -2, 7, -3, 10};
constexpr std::array<double, 10> kFractions = {0.5, 2.0, 1.5, -1.0, 0.25, -0.5, 3.0, 0.125, 1.0, -2.0};

Dtype result_of(const BinaryRule& rule, Dtype type) { return rule.result ? rule.result(type) : type; }

// What is known of an operand's elements.
struct Side {
  Dtype dtype;
  Interval interval;
};
Side side_of(const Value& value) { return {value.dtype, value.interval}; }
Side side_of(const BinaryOperand& operand) { return {operand.type.dtype, operand.interval}; }
Side constant(double number) { return {Dtype::kFloat32, {number, number}}; }

DtypeSet dtypes_of(const BinaryRule& rule) { return rule.complex ? rule.dtypes | kComplex : rule.dtypes; }

// The interval of the result, or nothing: if it leaves its dtype, if the common type can't hold an operand, or if the
// rule refuses.
std::optional<Interval> meet(const BinaryRule& rule, Dtype type, Side a, Side b) {
  if (!inside(a.interval, range_of(type)) || !inside(b.interval, range_of(type))) return std::nullopt;
  if (is_complex(type) && !rule.complex) return std::nullopt;
  std::optional<Interval> image = is_complex(type)
                                      ? rule.complex(bound_of(a.dtype, a.interval), bound_of(b.dtype, b.interval))
                                      : rule.image(type, a.interval, b.interval);
  if (!image) return std::nullopt;
  Dtype result = result_of(rule, type);
  Interval wide = rounded(*image, result, 2);
  if (!inside(wide, range_of(result))) return std::nullopt;
  return wide;
}

bool may_be_second(const BinaryRule& rule, Interval b) {
  return inside(b, rule.second) && (rule.away == 0 || b.low >= rule.away || b.high <= -rule.away);
}

BinaryOperand tensor(const Value& value) { return {Ref{value.id}, operand_of(value), value.interval, value}; }

BinaryOperand number(std::int64_t integer) {
  auto at = static_cast<double>(integer);
  return {integer, {PromotionOperand::Kind::kNumber, Dtype::kInt64}, {at, at}, {}};
}

BinaryOperand number(double fraction) {
  return {fraction, {PromotionOperand::Kind::kNumber, Dtype::kFloat32}, {fraction, fraction}, {}};
}

constexpr std::array<std::pair<double, double>, 5> kComplexes = {{{0, 1}, {0, -1}, {0.5, 2}, {-1, 0.5}, {2, -3}}};

BinaryOperand number(std::pair<double, double> parts) {
  auto [re, im] = parts;
  Interval interval = hull({re, re}, {im, im});
  return {fmt::format("({} {} {}j)", re, im < 0 ? '-' : '+', std::abs(im)),
          {PromotionOperand::Kind::kNumber, Dtype::kComplex64},
          interval,
          {}};
}

// A Python number that passes the test, and mostly suits the other operand's interval; the neutral one if none of the
// usual ones passes.
template <typename Test>
BinaryOperand draw_number(Draft& draft, const BinaryRule& rule, double neutral, bool fractions, bool complexes,
                          Interval other, Test&& fits) {
  std::array<BinaryOperand, kIntegers.size() + kFractions.size() + kComplexes.size()> numbers;
  std::size_t count = 0;
  auto consider = [&](const BinaryOperand& candidate) {
    if (fits(candidate)) numbers[count++] = candidate;
  };
  for (std::int64_t integer : kIntegers) consider(number(integer));
  if (fractions)
    for (double fraction : kFractions) consider(number(fraction));
  if (complexes)
    for (const auto& parts : kComplexes) consider(number(parts));
  if (count == 0) return number(static_cast<std::int64_t>(neutral));
  if (rule.preferred_meeting != nullptr && kPolicy.preferred_number.drawn(draft.choices())) {
    auto* const end = numbers.data() + count;
    auto* const left = std::remove_if(
        numbers.data(), end, [&](const BinaryOperand& one) { return !rule.preferred_meeting(other, one.interval); });
    if (left != numbers.data()) count = static_cast<std::size_t>(left - numbers.data());
  }
  return numbers[draft.choices().below(count)];
}

bool draw_complexes(Draft& draft, const BinaryRule& rule, Dtype dtype) {
  return rule.complex && (is_complex(dtype) || kPolicy.complex_number.drawn(draft.choices()));
}

Want want_first(const BinaryRule& rule) {
  Want want{.dtypes = dtypes_of(rule), .within = rule.first, .exact = rule.discontinuous, .neutral = rule.neutral};
  want.plain = rule.plain;
  want.preferred = rule.preferred_first;
  if (rule.discontinuous && rule.preferred_first == nullptr) want.preferred = takes_steps;
  if (rule.preferred_first != nullptr) want.likely = Dtype::kInt64;
  want.fits = [&rule](const Value& value) {
    return meet(rule, value.dtype, side_of(value), constant(rule.neutral)).has_value();
  };
  return want;
}

// Whether a constant second operand would decide the result by itself: a bound, an exponent, what is compared with.
bool settles(const BinaryRule& rule) {
  return rule.discontinuous || rule.preferred_meeting != nullptr || rule.second.high < 1e6;
}

// Which second operands are preferred, given the first.
void prefer_second(Want& want, const BinaryRule& rule, const BinaryOperand& first) {
  want.settles = settles(rule);
  want.preferred = rule.preferred_second;
  if (rule.preferred_meeting == nullptr) return;
  want.preferred = [&rule, other = first.interval](const Value& value) {
    return rule.preferred_meeting(other, value.interval) &&
           (rule.preferred_second == nullptr || rule.preferred_second(value));
  };
}

// Which inexact first operands rounding can't decide the result of: of comparisons those that leave room for a second
// one.
ValueTest clear_first(const BinaryRule& rule) {
  if (rule.steps == Steps::kZero) return clear_of_zero;
  if (rule.steps != Steps::kMeeting) return nullptr;
  return [](const Value& value) { return !is_complex(value.dtype) && inside(value.interval, kComparable); };
}

// The same of second operands, given the first; one beside an inexact first operand is made to be so.
void keep_clear(Want& want, const BinaryRule& rule, const Value& first, bool above) {
  if (rule.steps == Steps::kZero) want.clear = clear_of_zero;
  if (rule.steps != Steps::kMeeting) return;
  want.clear = [other = first.interval](const Value& value) {
    return !is_complex(value.dtype) && clear_of(other, value.interval);
  };
  if (first.exact) return;
  want.within = clip(want.within, room_beside(first.interval, above));
  want.preferred = nullptr;
}

// Operands that promote to complex32 are never drawn.
Dtype computed_in(const BinaryDraw& draw) {
  std::optional<Dtype> type = promote({draw.a.type, draw.b.type});
  JP_CHECK(type.has_value(), "operands that promote to no dtype of ours");
  return *type;
}

// What the target holds after the call; nothing if it can't hold that, or if the operands must not meet.
std::optional<Interval> stored_in(const BinaryRule& rule, const Value& target, PromotionOperand b, Interval interval) {
  const std::optional<Dtype> type = promote({operand_of(target), b});
  if (!type || (!rule.truths && !can_cast(*type, target.dtype))) return std::nullopt;
  const std::optional<Interval> image = meet(rule, *type, side_of(target), {b.dtype, interval});
  if (!image) return std::nullopt;
  const Interval stored = rule.truths ? Interval{0, 1} : rounded(*image, target.dtype);
  return inside(stored, range_of(target.dtype)) ? std::optional(stored) : std::nullopt;
}

void infer(BinaryDraw& draw, const BinaryRule& rule) {
  draw.type = computed_in(draw);
  std::optional<Interval> image = meet(rule, draw.type, side_of(draw.a), side_of(draw.b));
  JP_CHECK(image.has_value(), "two operands that must not meet");
  Dtype dtype = result_of(rule, draw.type);
  if (draw.a.value.id < 0)
    draw.result = elementwise(dtype, *image, {&draw.b.value});
  else if (draw.b.value.id < 0)
    draw.result = elementwise(dtype, *image, {&draw.a.value});
  else
    draw.result = elementwise(dtype, *image, {&draw.a.value, &draw.b.value});
}

}  // namespace

BinaryDraw draw_binary(Draft& draft, const BinaryRule& rule) {
  BinaryDraw draw;
  std::uint64_t kind = draft.choices().below(kPolicy.binary_draws);
  if (kind == 0 && rule.number_first) {
    draw.number_first = true;
    Want want{.dtypes = dtypes_of(rule),
              .within = rule.second,
              .away = rule.away,
              .exact = rule.discontinuous,
              .neutral = rule.neutral};
    want.plain = rule.plain || rule.plain_behind_number;
    want.fits = [&](const Value& value) { return meet(rule, value.dtype, constant(1), side_of(value)).has_value(); };
    draw.b = tensor(draft.input(want));
    bool complexes = draw_complexes(draft, rule, draw.b.type.dtype);
    auto fits = [&](const BinaryOperand& a) {
      std::optional<Dtype> type = promote({a.type, draw.b.type});
      return type && meet(rule, *type, side_of(a), side_of(draw.b)).has_value();
    };
    draw.a = draw_number(draft, rule, 1, rule.dtypes.has(Dtype::kFloat32), complexes, draw.b.interval, fits);
    infer(draw, rule);
    return draw;
  }
  const bool takes_number = kind <= 1 && rule.number_second;
  Want first = want_first(rule);
  first.paired = !takes_number && !settles(rule);
  if (!takes_number) first.clear = clear_first(rule);
  draw.a = tensor(draft.input(first));
  auto fits = [&](const BinaryOperand& b) {
    std::optional<Dtype> type = promote({draw.a.type, b.type});
    return type && may_be_second(rule, b.interval) && meet(rule, *type, side_of(draw.a), side_of(b)).has_value();
  };
  if (takes_number) {
    bool complexes = draw_complexes(draft, rule, draw.a.type.dtype);
    draw.b = draw_number(draft, rule, rule.neutral, rule.dtypes.has(Dtype::kFloat32), complexes, draw.a.interval, fits);
  } else {
    Want want{.dtypes = dtypes_of(rule),
              .shape = ShapeWant::broadcasting(draw.a.value.shape),
              .within = rule.second,
              .away = rule.away,
              .exact = rule.discontinuous,
              .neutral = rule.neutral,
              .likely = draw.a.value.dtype};
    want.plain = rule.plain || draw.a.interval.low < rule.gradients_from ||
                 (rule.plain_behind_bools && draw.a.type.dtype == Dtype::kBool);
    want.fits = [&](const Value& value) {
      std::optional<Dtype> type = promote({draw.a.type, operand_of(value)});
      return type && meet(rule, *type, side_of(draw.a), side_of(value)).has_value();
    };
    prefer_second(want, rule, draw.a);
    if (rule.steps != Steps::kUnknown) keep_clear(want, rule, draw.a.value, draft.flip());
    draw.b = tensor(draft.input(want));
    draw.decided = rule.discontinuous && !(draw.a.value.exact && draw.b.value.exact);
  }
  infer(draw, rule);
  return draw;
}

BinaryDraw draw_binary_in_place(Draft& draft, const BinaryRule& rule) {
  BinaryDraw draw;
  Want first = want_first(rule);
  first.fits = [&rule](const Value& value) {
    return stored_in(rule, value, operand_of(value), {rule.neutral, rule.neutral}).has_value();
  };
  first.written = true;
  first.metadata_only = rule.overwrites;
  first.paired = !settles(rule);
  if (rule.result) first.dtypes = first.dtypes & (kFloats | kComplex);
  draw.a = tensor(draft.input(first));
  const Value& target = draw.a.value;
  auto lands = [&](PromotionOperand b, Interval interval) { return stored_in(rule, target, b, interval); };
  auto fits = [&](const BinaryOperand& b) {
    return may_be_second(rule, b.interval) && lands(b.type, b.interval).has_value();
  };
  if (kPolicy.in_place_number.drawn(draft.choices()) && target.dtype != Dtype::kBool && rule.number_second) {
    bool complexes = rule.complex && is_complex(target.dtype);
    draw.b = draw_number(draft, rule, rule.neutral, has_gradients(target.dtype), complexes, draw.a.interval, fits);
  } else {
    Want want{.dtypes = dtypes_of(rule),
              .shape = ShapeWant::into(target.shape),
              .within = rule.second,
              .away = rule.away,
              .exact = rule.discontinuous,
              .neutral = rule.neutral,
              .likely = target.dtype};
    want.fits = [&](const Value& value) { return lands(operand_of(value), value.interval).has_value(); };
    prefer_second(want, rule, draw.a);
    draft.beside(want, target);
    want.plain = want.plain || target.interval.low < rule.gradients_from;
    draw.b = tensor(draft.input(want));
  }
  draw.type = computed_in(draw);
  draw.result = target;
  std::optional<Interval> stored = lands(draw.b.type, draw.b.interval);
  JP_CHECK(stored.has_value(), "a result that its target can't hold");
  draw.result.interval = *stored;
  return draw;
}

std::optional<Alpha> draw_alpha(Draft& draft, const BinaryDraw& drawn, double sign) {
  constexpr std::array<double, 6> kFactors = {2, -1, 3, 0.5, -2, 1};
  if (drawn.type == Dtype::kBool) return std::nullopt;
  const double factor = kFactors[draft.choices().below(kFactors.size())];
  const Dtype target = drawn.result.dtype;
  const bool fraction = factor != std::floor(factor);
  if (is_integral(drawn.type) && (fraction || (factor < 0 && drawn.type == Dtype::kUInt8))) return std::nullopt;
  Interval a = drawn.a.interval;
  Interval b = scaled(drawn.b.interval, factor * sign);
  if (is_complex(drawn.type)) a = hull(a, {0, 0}), b = hull(b, {0, 0});
  const Interval image = rounded(rounded(a + b, drawn.type, 4), target);
  for (Interval part : {rounded(b, drawn.type), image})
    if (!inside(part, range_of(drawn.type)) || !inside(image, range_of(target))) return std::nullopt;
  return Alpha{python_number(drawn.type, factor), image, factor != 3};
}

}  // namespace jp::seedgen
