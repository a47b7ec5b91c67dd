#include "seedgen/writes.h"

#include <algorithm>
#include <cmath>

namespace jp::seedgen {
namespace {

// In so many calls that could, the result goes through `out=`.
constexpr std::uint64_t kOuts = 8;

const Value& live(Draft& draft, int id) { return draft.graph().values[static_cast<std::size_t>(id)]; }

}  // namespace

bool takes_out(std::string_view form) {
  return form.starts_with("torch.") && !form.starts_with("torch.nn.") && form.ends_with(')');
}

void record_or_out(Draft& draft, Call call, Value result, Traits traits) {
  std::vector<int> storages;
  bool possible = std::any_of(call.forms.begin(), call.forms.end(), takes_out);
  for (int id : operands(call)) {
    possible = possible && !live(draft, id).requires_grad;
    storages.push_back(live(draft, id).storage);
  }
  if (!possible || !draft.choices().chance(1, kOuts)) return draft.record(std::move(call), std::move(result), traits);
  Want want{.dtypes = {result.dtype}, .shape = ShapeWant::exactly(result.shape), .written = true, .plain = true};
  want.live = [&](const Value& value) {
    return std::find(storages.begin(), storages.end(), value.storage) == storages.end();
  };
  Value target = draft.input(want);
  call.out = true;
  call.infix = "";
  call.add(Ref{target.id});
  draft.record_write(std::move(call), target, result.interval, traits);
}

void record_either(Draft& draft, bool writes, Call call, const Value& x, Value result, Traits traits) {
  if (writes) return draft.record_write(std::move(call), x, result.interval, traits);
  draft.record(std::move(call), std::move(result), traits);
}

std::optional<Interval> stored(const Value& value, Dtype target) {
  if (value.dtype == target) return value.interval;
  if (!is_integral(target)) {
    Interval image = is_integral(value.dtype) || dtype_size(target) < dtype_size(value.dtype) ||
                             target == Dtype::kBFloat16 || target == Dtype::kFloat16
                         ? rounded(value.interval, target)
                         : value.interval;
    return inside(image, range_of(target)) ? std::optional(image) : std::nullopt;
  }
  if (!value.exact && !is_integral(value.dtype)) return std::nullopt;
  if (target == Dtype::kBool) return Interval{0, 1};
  if (!inside(value.interval, range_of(target))) return std::nullopt;
  return Interval{std::trunc(value.interval.low), std::trunc(value.interval.high)};
}

double draw_small_number(Draft& draft, Dtype dtype) {
  if (dtype == Dtype::kBool) return static_cast<double>(draft.between(0, 1));
  bool negative = dtype != Dtype::kUInt8;
  return static_cast<double>(draft.between(negative ? -3 : 0, 4)) * (is_integral(dtype) ? 1 : 0.5);
}

Source draw_source(Draft& draft, const Value& target, bool writes, const SourceWant& source) {
  if (source.numbers && draft.choices().chance(1, 3)) {
    double number = draw_small_number(draft, target.dtype);
    return {python_number(target.dtype, number), {number, number}};
  }
  Want want{.dtypes = {target.dtype}, .shape = source.shape, .likely = target.dtype};
  if (source.casts) {
    want.dtypes = kAnyDtype;
    want.fits = [&](const Value& value) { return stored(value, target.dtype).has_value(); };
  }
  if (writes) draft.beside(want, target);
  Value value = draft.input(want);
  std::optional<Interval> interval = stored(value, target.dtype);
  JP_CHECK(interval.has_value(), "a source that its target can't hold");
  return {Ref{value.id}, *interval, value.dtype == target.dtype ? Exactness::kSame : Exactness::kRounded};
}

}  // namespace jp::seedgen
