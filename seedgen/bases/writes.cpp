#include "seedgen/bases/writes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "seedgen/draw/policy.h"

namespace jp::seedgen {
namespace {

// Functions without `out=` that share a call's forms with others that take it: torch.linalg.det does. The table's
// column says of fewer functions that they take it than do, for it comes from samples.
constexpr std::string_view kWithoutOut[] = {"torch.det(", "torch.logdet(", "torch.pinverse(", "torch.matrix_exp(",
                                            "torch.linalg.matrix_exp("};

const Value& live(Draft& draft, int id) { return draft.graph().values[static_cast<std::size_t>(id)]; }

// Memory that an `out=` must not share.
struct Taken {
  std::vector<std::int64_t> storages;
};

// Decides whether the call is written with `out=`, and records that in it.
std::optional<Taken> draw_out(Draft& draft, Call& call) {
  if (!kPolicy.out.drawn(draft.choices()) || std::none_of(call.forms.begin(), call.forms.end(), takes_out))
    return std::nullopt;
  Taken taken;
  for (int id : operands(call)) {
    if (live(draft, id).requires_grad) return std::nullopt;
    taken.storages.push_back(live(draft, id).storage);
  }
  call.out = true;
  call.infix = "";
  return taken;
}

Want want_out(const Value& result, const std::vector<std::int64_t>& taken) {
  Want want{.dtypes = {result.dtype},
            .shape = ShapeWant::exactly(result.shape),
            .written = true,
            .plain = true,
            .metadata_only = true};
  want.live = [&taken](const Value& value) {
    return std::find(taken.begin(), taken.end(), value.storage) == taken.end();
  };
  return want;
}

}  // namespace

bool takes_out(std::string_view form) {
  const bool functional = form.starts_with("torch.nn.");
  const bool takes = !functional || form.starts_with("torch.nn.functional.hardshrink(") ||
                     form.starts_with("torch.nn.functional.normalize(");
  if (!form.starts_with("torch.") || !takes || !form.ends_with(')')) return false;
  const std::size_t first = form.find('(');
  if (form.substr(first).starts_with("(*")) return false;  // a tuple's items are the operands
  // What follows the first call (`torch.f(...)[0]`, `torch.f(...).abs()`) has no `out=` of its own.
  int open = 0;
  for (std::size_t i = first; i < form.size(); ++i) {
    if (form[i] == '(') ++open;
    if (form[i] == ')' && --open == 0 && i + 1 < form.size()) return false;
  }
  return std::none_of(std::begin(kWithoutOut), std::end(kWithoutOut),
                      [&](std::string_view function) { return form.starts_with(function); });
}

void record_or_out(Draft& draft, Call call, Value result, Traits traits) {
  if (std::optional<Taken> taken = draw_out(draft, call)) {
    Value target = draft.input(want_out(result, taken->storages));
    call.add(Ref{target.id});
    return draft.record_write(std::move(call), target, result.interval, traits);
  }
  draft.record(std::move(call), std::move(result), traits);
}

void record_joined(Draft& draft, Call call, Value result, Traits traits) {
  if (element_count(result.shape) == 1) return draft.record(std::move(call), std::move(result), traits);
  record_or_out(draft, std::move(call), std::move(result), traits);
}

void record_product(Draft& draft, Call call, Value result, Traits traits) {
  const std::vector<int> read = operands(call);
  result.lazy =
      is_complex(result.dtype) && std::any_of(read.begin(), read.end(), [&](int id) { return live(draft, id).lazy; });
  record_or_out(draft, std::move(call), std::move(result), traits);
}

void record_or_outs(Draft& draft, Call call, std::vector<Value> results, Traits traits) {
  std::optional<Taken> taken = draw_out(draft, call);
  if (!taken) return draft.record(std::move(call), std::move(results), traits);
  std::vector<Value> targets;
  std::vector<Ref> refs;
  std::vector<Interval> images;
  for (const Value& result : results) {
    targets.push_back(draft.input(want_out(result, taken->storages)));
    taken->storages.push_back(targets.back().storage);
    refs.push_back({targets.back().id});
    images.push_back(result.interval);
  }
  call.add(refs);
  draft.record_writes(std::move(call), targets, images, traits);
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
  if (source.numbers && kPolicy.written_number.drawn(draft.choices())) {
    double number = draw_small_number(draft, target.dtype);
    return {python_number(target.dtype, number), of_number(target.dtype, number)};
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
