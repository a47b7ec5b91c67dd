#include "seedgen/constraints/input_breaches.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {
namespace {

// Steps outside of what is permitted: of a size, and of elements.
constexpr std::int64_t kFarSize = 7;
constexpr double kNearElements = 1;
constexpr double kFarElements = 1000;

// Bool, integer, float, complex: the order in which torch promotes.
int category(Dtype dtype) {
  if (dtype == Dtype::kBool) return 0;
  return is_integral(dtype) ? 1 : is_floating(dtype) ? 2 : 3;
}

bool is_far(Dtype from, Dtype to) { return std::abs(category(from) - category(to)) > 1; }

// More than one step: of one size by one, or to one dimension more or less.
bool is_far(const Shape& from, const Shape& to) {
  if (from.size() != to.size()) return std::abs(from.size() - to.size()) > 1;
  std::int64_t steps = 0;
  for (int i = 0; i < from.size(); ++i) steps += std::abs(from[i] - to[i]);
  return steps > 1;
}

void add_size_steps(const Shape& shape, std::vector<Shape>& shapes) {
  for (int i = 0; i < shape.size(); ++i)
    for (std::int64_t step : {std::int64_t{1}, std::int64_t{-1}, kFarSize}) {
      if (shape[i] + step < 0) continue;
      shapes.push_back(shape);
      shapes.back()[i] += step;
    }
}

void add_rank_steps(const Shape& shape, std::vector<Shape>& shapes) {
  if (shape.size() < kMaxRank) {
    shapes.push_back(shape);
    shapes.back().insert(0, 1);
    shapes.push_back(shape);
    shapes.back().push_back(2);
  }
  if (!shape.empty()) {
    shapes.push_back(shape);
    shapes.back().erase(0);
  }
  for (int rank : {0, kMaxRank})
    if (std::abs(rank - shape.size()) > 1) shapes.push_back(Ints::filled(rank, 2));
}

// Shapes that are a step or more away.
std::vector<Shape> neighbours(const Shape& shape) {
  std::vector<Shape> shapes;
  add_size_steps(shape, shapes);
  add_rank_steps(shape, shapes);
  Shape larger = shape;
  for (std::int64_t& size : larger) size += kFarSize;
  shapes.push_back(larger);
  std::erase_if(shapes, [](const Shape& one) { return extent(one) > kMaxElements; });
  return shapes;
}

// The ends, where numbers of the dtype lie between them; else a number as near as there is one.
Interval within_dtype(Interval interval, Dtype dtype) {
  interval = clip(interval, range_of(dtype));
  if (!is_integral(dtype)) return interval;
  const Interval whole{std::ceil(interval.low), std::floor(interval.high)};
  if (whole.low <= whole.high) return whole;
  return {std::floor(interval.low), std::floor(interval.low)};
}

Value argument_like(const Value& taken, Dtype dtype, const Shape& shape) {
  Value value = fresh(dtype, shape, taken.interval);
  value.interval = within_dtype(taken.interval, dtype);
  return value;
}

// Whether the want's own test refuses the type, whatever the elements are.
bool refused_by_relation(const Want& want, const Value& value) {
  if (!want.fits || !holds(range_of(value.dtype), want.neutral)) return false;
  Value trial = value;
  trial.interval = {want.neutral, want.neutral};
  trial.exact = true;
  return !want.fits(trial);
}

// The one constraint of dtype and shape that the value breaks; nothing if it breaks none or several.
std::optional<Constraint> broken_type(const Want& want, const Value& taken, const Value& value) {
  const bool dtype = want.dtypes.has(value.dtype);
  const bool shape = want.shape.of_kind(value.shape);
  if (!dtype && !shape) return std::nullopt;
  if (!dtype) return Constraint::kDtype;
  if (!shape) return value.shape.size() == taken.shape.size() ? Constraint::kSize : Constraint::kRank;
  return refused_by_relation(want, value) ? std::optional(Constraint::kRelation) : std::nullopt;
}

void add_type(const Want& want, const Value& taken, Value value, int live, std::vector<Breach>& breaches) {
  const std::optional<Constraint> broken = broken_type(want, taken, value);
  if (!broken) return;
  if (*broken == Constraint::kRelation) value.interval = within_dtype({want.neutral, want.neutral}, value.dtype);
  const bool far = is_far(taken.dtype, value.dtype) || is_far(taken.shape, value.shape);
  breaches.push_back({.constraint = *broken, .far = far, .value = value, .live = live});
}

// All elements are one number beyond an end of the domain.
void add_values(const Want& want, const Value& taken, std::vector<Breach>& breaches) {
  const Interval range = range_of(taken.dtype);
  for (bool far : {false, true}) {
    const double step = far ? kFarElements : kNearElements;
    for (double number : {want.within.high + step, want.within.low - step}) {
      if (!holds(range, number) || holds(want.within, number)) continue;
      if (is_integral(taken.dtype) && number != std::floor(number)) continue;
      Value value = argument_like(taken, taken.dtype, taken.shape);
      value.interval = {number, number};
      breaches.push_back({.constraint = Constraint::kValues, .far = far, .value = value});
    }
  }
}

void add_memory(const Want& want, const Value& taken, std::vector<Breach>& breaches) {
  Value value = argument_like(taken, taken.dtype, taken.shape);
  if (want.written && !taken.shape.empty() && taken.shape[0] > 1)
    breaches.push_back({.constraint = Constraint::kOverlap, .value = value, .layout = Layout::kExpanded});
  if (!has_gradients(taken.dtype) || !(want.written || want.plain)) return;
  value.requires_grad = true;
  breaches.push_back({.constraint = want.written ? Constraint::kLeaf : Constraint::kGradients, .value = value});
}

}  // namespace

std::vector<Breach> input_breaches(const Want& want, const Value& taken, const std::vector<GraphValue>& live) {
  std::vector<Breach> breaches;
  for (Dtype dtype : all_dtypes()) add_type(want, taken, argument_like(taken, dtype, taken.shape), -1, breaches);
  for (const Shape& shape : neighbours(taken.shape))
    add_type(want, taken, argument_like(taken, taken.dtype, shape), -1, breaches);
  if (!want.written)
    for (const GraphValue& value : live)
      if (!(want.plain && value.requires_grad)) add_type(want, taken, value, value.id, breaches);
  add_values(want, taken, breaches);
  add_memory(want, taken, breaches);
  // Of a tensor without elements operators often check neither dtype nor indices.
  std::erase_if(breaches, [](const Breach& breach) { return element_count(breach.value.shape) == 0; });
  for (Breach& breach : breaches) breach.taken = taken;
  return breaches;
}

}  // namespace jp::seedgen
