#include "seedgen/bases/unary.h"

#include <deque>
#include <string>

#include "seedgen/bases/writes.h"

namespace jp::seedgen {
namespace {

// A number inside the domain for which the function's result is small.
double neutral_of(const UnaryRule& rule) { return clip({1, 1}, rule.domain).low; }

Want want_of(const UnaryRule& rule) {
  Want want{.dtypes = rule.complex_image ? rule.dtypes | kComplex : rule.dtypes,
            .within = rule.domain,
            .exact = rule.discontinuous,
            .neutral = neutral_of(rule)};
  want.plain = rule.plain;
  if (rule.clear != nullptr) want.clear = rule.clear;
  if (rule.live != nullptr) want.live = rule.live;
  if (rule.discontinuous) want.preferred = [](const Value& value) { return takes_steps(value) && both_signs(value); };
  if (rule.preferred != nullptr) want.preferred = rule.preferred;
  want.fits = [&rule](const Value& value) { return unary_image(rule, value.dtype, value.interval).has_value(); };
  return want;
}

Exactness exactness_of(const UnaryRule& rule, Dtype dtype) {
  return is_complex(dtype) ? rule.complex_exactness : rule.exactness;
}

Traits traits_of(const UnaryRule& rule, const Value& x) {
  return {.exactness = exactness_of(rule, x.dtype),
          .saves = rule.saves,
          .whole = rule.whole,
          .decided = rule.discontinuous && !x.exact};
}

// The image of a wave over x, from its values at the ends, and how many half turns lie before each end since a maximum.
Interval wave_image(Interval ends, double turns_low, double turns_high) {
  Interval image = {std::min(ends.low, ends.high), std::max(ends.low, ends.high)};
  // Each turning point between the ends: even ones are maxima, odd ones minima.
  const double first = std::ceil(turns_low);
  const double last = std::floor(turns_high);
  if (first > last) return image;
  if (last > first || std::fmod(first, 2) == 0) image.high = 1;
  if (last > first || std::fmod(first, 2) != 0) image.low = -1;
  return image;
}

constexpr double kHalfTurn = 3.141592653589793;

}  // namespace

std::vector<UnaryRule> in_place(std::vector<UnaryRule> rules) {
  static std::deque<std::string> names;
  for (UnaryRule& rule : rules) rule.name = names.emplace_back(std::string(rule.name) + "_");
  return rules;
}

std::optional<Interval> unary_image(const UnaryRule& rule, Dtype dtype, Interval x) {
  if (!inside(x, is_complex(dtype) ? rule.complex_domain : rule.domain)) return std::nullopt;
  Dtype result = unary_dtype(rule, dtype);
  if (!inside(x, range_of(result))) return std::nullopt;
  Interval image = is_complex(dtype) ? rule.complex_image(x) : rule.image(x);
  if (exactness_of(rule, dtype) != Exactness::kSame) image = rounded(image, result, 2);
  return inside(image, range_of(result)) ? std::optional(image) : std::nullopt;
}

Interval cosine_image(Interval x) {
  return wave_image({std::cos(x.low), std::cos(x.high)}, x.low / kHalfTurn, x.high / kHalfTurn);
}

Interval erf_image(Interval x) {
  constexpr double kError = 0x1p-22;
  return {std::max(std::erf(x.low) - kError, -1.0), std::min(std::erf(x.high) + kError, 1.0)};
}

Interval sine_image(Interval x) {
  return wave_image({std::sin(x.low), std::sin(x.high)}, x.low / kHalfTurn - 0.5, x.high / kHalfTurn - 0.5);
}

void draw_unary(Draft& draft, const UnaryRule& rule, Forms forms, std::string_view infix) {
  Value x = draft.input(want_of(rule));
  Value result = elementwise(unary_dtype(rule, x.dtype), *unary_image(rule, x.dtype, x.interval), {&x});
  Call call{.op = rule.name, .forms = forms, .infix = infix, .arguments = {Ref{x.id}}};
  const Traits traits = traits_of(rule, x);
  bool has_out = rule.name != "clone" && rule.name != "relu" && rule.name != "resolve_conj";
  if (!has_out) return draft.record(std::move(call), result, traits);
  record_or_out(draft, std::move(call), result, traits);
}

void draw_unary_in_place(Draft& draft, const UnaryRule& rule, Forms forms) {
  Want want = want_of(rule);
  want.written = true;
  want.metadata_only = rule.name == "zero_";
  if (rule.floating) want.dtypes = want.dtypes & (kFloats | kComplex);
  Value x = draft.input(want);
  draft.record_write({.op = rule.name, .forms = forms, .arguments = {Ref{x.id}}}, x,
                     *unary_image(rule, x.dtype, x.interval), traits_of(rule, x));
}

}  // namespace jp::seedgen
