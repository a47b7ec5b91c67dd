#include "seedgen/draw/want.h"

#include <algorithm>
#include <cmath>

#include "seedgen/draw/policy.h"
namespace jp::seedgen {
namespace {

std::int64_t bounded_size(Choices& choices, const Bounds& bounds, std::int64_t least, std::int64_t most) {
  if (!bounds.narrow()) return draw_size(choices, least, most);
  std::int64_t low = std::max(least, bounds.min_size);
  return std::clamp(choices.between(low, std::max(low, bounds.max_size)), least, std::max(least, most));
}

double margin_of(Interval interval) { return std::ldexp(std::max(largest(interval), 1.0), -6); }

// Whether floor() of all elements is one number, with the margin. Wide intervals end here, before a cast to an integer.
bool between_steps(Interval interval, double offset) {
  const double margin = margin_of(interval);
  return std::floor(interval.low - margin + offset) == std::floor(interval.high + margin + offset);
}

}  // namespace

bool takes_steps(const Value& value) { return value.interval.high - value.interval.low >= kPolicy.several_steps; }

bool both_signs(const Value& value) {
  return std::min(-value.interval.low, value.interval.high) * kPolicy.sign_ratio >
         std::max(-value.interval.low, value.interval.high);
}

bool has_fractions(const Value& value) { return !is_integral(value.dtype) && !value.whole; }

bool some_zeros(const Value& value) {
  return !has_fractions(value) && holds(value.interval, 0) && value.interval.low < value.interval.high;
}

bool overlap(Interval a, Interval b) {
  const double width = a.high - a.low;
  const double beside = width / kPolicy.part_beside_constant;
  if (b.low == b.high) return b.low - a.low > beside && a.high - b.low > beside;
  return std::min(a.high, b.high) - std::max(a.low, b.low) > width / kPolicy.part_in_common;
}

bool clear_of_integers(const Value& value) { return !is_complex(value.dtype) && between_steps(value.interval, 0); }

bool clear_of_halves(const Value& value) { return !is_complex(value.dtype) && between_steps(value.interval, 0.5); }

bool clear_of_zero(const Value& value) { return !is_complex(value.dtype) && clear_of(value.interval, {0, 0}); }

bool clear_of(Interval a, Interval b) {
  const double margin = margin_of(hull(a, b));
  return a.low > b.high + margin || b.low > a.high + margin;
}

Interval room_beside(Interval interval, bool above) {
  // Twice the margin of an interval so near that it doesn't enlarge the margin by more.
  const double margin = 4 * margin_of(interval);
  return above ? Interval{interval.high + margin, kEverything.high} : Interval{kEverything.low, interval.low - margin};
}

bool Bounds::hold(const Shape& shape) const {
  return shape.size() <= max_rank &&
         std::all_of(shape.begin(), shape.end(), [&](auto size) { return size >= min_size && size <= max_size; });
}

std::int64_t draw_size(Choices& choices, std::int64_t least, std::int64_t most) {
  const std::uint64_t kind = choices.below(kPolicy.size_draws);
  const bool large = kind < kPolicy.empty_draws + kPolicy.large_draws;
  std::int64_t size =
      large ? kPolicy.large_sizes[kind % kPolicy.large_sizes.size()] : kPolicy.sizes[kind % kPolicy.sizes.size()];
  if (kind < kPolicy.empty_draws) size = 0;
  return std::clamp(size, least, std::max(least, most));
}

ShapeWant ShapeWant::any(int min_rank, int max_rank, std::int64_t min_size) {
  ShapeWant want;
  want.min_rank_ = min_rank;
  want.max_rank_ = max_rank;
  want.min_size_ = min_size;
  return want;
}

ShapeWant ShapeWant::exactly(const Shape& shape) {
  ShapeWant want;
  want.kind_ = Kind::kExactly;
  want.shape_ = shape;
  return want;
}

ShapeWant ShapeWant::broadcasting(const Shape& shape) {
  ShapeWant want = exactly(shape);
  want.kind_ = Kind::kBroadcasting;
  return want;
}

ShapeWant ShapeWant::into(const Shape& shape) {
  ShapeWant want = exactly(shape);
  want.kind_ = Kind::kInto;
  return want;
}

ShapeWant ShapeWant::pattern(const Shape& sizes, std::int64_t min_size, std::int64_t max_size) {
  ShapeWant want = exactly(sizes);
  want.kind_ = Kind::kPattern;
  want.min_size_ = min_size;
  want.max_size_ = max_size;
  return want;
}

ShapeWant ShapeWant::upto(std::int64_t elements) const {
  ShapeWant want = *this;
  want.max_elements_ = elements;
  return want;
}

// How large the next size may be after some that multiply to `elements`.
std::int64_t ShapeWant::room_for(std::int64_t elements) const {
  return std::min(max_elements_, kMaxArgumentElements) / std::max<std::int64_t>(elements, 1);
}

bool ShapeWant::fits(const Shape& shape) const {
  // Weights of many channels are larger than results may be: only the call that they were made for reads them.
  return of_kind(shape) && extent(shape) <= max_elements_;
}

bool ShapeWant::of_kind(const Shape& shape) const {
  switch (kind_) {
    case Kind::kExactly:
      return shape == shape_;
    case Kind::kBroadcasting:
      return broadcast(shape, shape_).has_value();
    case Kind::kInto:
      return expands_to(shape, shape_);
    case Kind::kPattern:
      if (shape.size() != shape_.size()) return false;
      for (int i = 0; i < shape.size(); ++i)
        if (shape_[i] < 0 ? shape[i] < min_size_ || shape[i] > max_size_ : shape[i] != shape_[i]) return false;
      return true;
    case Kind::kAny:
      break;
  }
  return shape.size() >= min_rank_ && shape.size() <= max_rank_ &&
         std::all_of(shape.begin(), shape.end(), [&](std::int64_t size) { return size >= min_size_; });
}

Shape ShapeWant::draw(Choices& choices, const Bounds& bounds) const {
  switch (kind_) {
    case Kind::kExactly:
      return shape_;
    case Kind::kBroadcasting:
      return draw_broadcasting(choices, bounds);
    case Kind::kInto:
      return draw_into(choices);
    case Kind::kPattern:
      return draw_pattern(choices, bounds);
    case Kind::kAny:
      break;
  }
  return draw_any(choices, bounds);
}

Shape ShapeWant::draw_any(Choices& choices, const Bounds& bounds) const {
  const int max_rank = std::max(min_rank_, std::min(max_rank_, bounds.max_rank));
  int rank = bounds.narrow() ? -1 : kPolicy.ranks[choices.below(kPolicy.ranks.size())];
  if (rank < min_rank_ || rank > max_rank) rank = static_cast<int>(choices.between(min_rank_, max_rank));
  Shape shape;
  std::int64_t elements = 1;
  for (int i = 0; i < rank; ++i) {
    std::int64_t room = room_for(elements);
    // Leaves room for the least sizes of the remaining dimensions.
    for (int later = i + 1; later < rank; ++later) room /= std::max<std::int64_t>(min_size_, 1);
    shape.push_back(bounded_size(choices, bounds, min_size_, room));
    elements *= std::max<std::int64_t>(shape.back(), 1);
  }
  return shape;
}

Shape ShapeWant::draw_pattern(Choices& choices, const Bounds& bounds) const {
  Shape shape = shape_;
  std::int64_t elements = extent(shape_);
  for (std::int64_t& size : shape) {
    if (size >= 0) continue;
    size = bounded_size(choices, bounds, min_size_, std::min(max_size_, room_for(elements)));
    elements *= std::max<std::int64_t>(size, 1);
  }
  return shape;
}

Shape ShapeWant::draw_into(Choices& choices) const {
  Shape shape = shape_;
  if (kPolicy.into_same.drawn(choices)) return shape;
  for (std::int64_t& size : shape)
    if (kPolicy.into_one.drawn(choices)) size = 1;
  auto dropped = static_cast<int>(choices.below(static_cast<std::uint64_t>(shape.size()) + 1));
  if (kPolicy.into_shorter.drawn(choices))
    for (int i = 0; i < dropped; ++i) shape.erase(0);
  return shape;
}

// As into, and then sizes of 1 may grow and dimensions may be added in front, while the result stays small.
Shape ShapeWant::draw_broadcasting(Choices& choices, const Bounds& bounds) const {
  Shape shape = draw_into(choices);
  std::int64_t elements = extent(shape_);
  for (int i = 1; i <= shape.size(); ++i) {
    if (shape_[shape_.size() - i] != 1 || !kPolicy.grown.drawn(choices)) continue;
    std::int64_t& size = shape[shape.size() - i];
    size = bounded_size(choices, bounds, 1, room_for(elements));
    elements *= size;
  }
  if (shape.size() == shape_.size() && shape.size() < bounds.max_rank && kPolicy.longer.drawn(choices)) {
    std::int64_t size = bounded_size(choices, bounds, 1, std::min<std::int64_t>(4, room_for(elements)));
    shape.insert(0, size);
  }
  return shape;
}

}  // namespace jp::seedgen
