#include "seedgen/draw/want.h"

#include <algorithm>
#include <array>

namespace jp::seedgen {
namespace {

// Sizes around the widths of vector registers (8 and 16 floats) make a compiler write main loops and tails.
constexpr std::array<std::int64_t, 16> kSizes = {1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 16, 17};
constexpr std::array<std::int64_t, 4> kLargeSizes = {9, 15, 32, 33};

constexpr std::array<int, 32> kRanks = {0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2,
                                        2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5};

std::int64_t bounded_size(Choices& choices, const Bounds& bounds, std::int64_t least, std::int64_t most) {
  if (!bounds.narrow()) return draw_size(choices, least, most);
  std::int64_t low = std::max(least, bounds.min_size);
  return std::clamp(choices.between(low, std::max(low, bounds.max_size)), least, std::max(least, most));
}

}  // namespace

bool takes_steps(const Value& value) { return value.interval.high - value.interval.low >= 4; }

bool both_signs(const Value& value) {
  return std::min(-value.interval.low, value.interval.high) * 4 > std::max(-value.interval.low, value.interval.high);
}

bool has_fractions(const Value& value) { return !is_integral(value.dtype) && !value.whole; }

bool some_zeros(const Value& value) {
  return !has_fractions(value) && holds(value.interval, 0) && value.interval.low < value.interval.high;
}

bool overlap(Interval a, Interval b) {
  const double width = a.high - a.low;
  if (b.low == b.high) return b.low - a.low > width / 8 && a.high - b.low > width / 8;
  return std::min(a.high, b.high) - std::max(a.low, b.low) > width / 4;
}

bool Bounds::hold(const Shape& shape) const {
  return shape.size() <= max_rank &&
         std::all_of(shape.begin(), shape.end(), [&](auto size) { return size >= min_size && size <= max_size; });
}

std::int64_t draw_size(Choices& choices, std::int64_t least, std::int64_t most) {
  std::uint64_t kind = choices.below(128);
  std::int64_t size = kind < 1 ? 0 : kind < 6 ? kLargeSizes[kind % 4] : kSizes[kind % 16];
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
  int rank = bounds.narrow() ? -1 : kRanks[choices.below(kRanks.size())];
  if (rank < min_rank_ || rank > max_rank) rank = static_cast<int>(choices.between(min_rank_, max_rank));
  Shape shape;
  std::int64_t elements = 1;
  for (int i = 0; i < rank; ++i) {
    std::int64_t room = room_for(elements);
    // Room is kept for the least sizes of the dimensions to come.
    for (int later = i + 1; later < rank; ++later) room /= std::max<std::int64_t>(min_size_, 1);
    shape.push_back(bounded_size(choices, bounds, min_size_, room));
    elements *= std::max<std::int64_t>(shape.back(), 1);
  }
  return shape;
}

Shape ShapeWant::draw_pattern(Choices& choices, const Bounds& bounds) const {
  Shape shape = shape_;
  std::int64_t elements = 1;
  for (std::int64_t size : shape_) elements *= std::max<std::int64_t>(size, 1);
  for (std::int64_t& size : shape) {
    if (size >= 0) continue;
    size = bounded_size(choices, bounds, min_size_, std::min(max_size_, room_for(elements)));
    elements *= std::max<std::int64_t>(size, 1);
  }
  return shape;
}

Shape ShapeWant::draw_into(Choices& choices) const {
  Shape shape = shape_;
  if (choices.chance(1, 2)) return shape;
  for (std::int64_t& size : shape)
    if (choices.chance(1, 3)) size = 1;
  auto dropped = static_cast<int>(choices.below(static_cast<std::uint64_t>(shape.size()) + 1));
  if (choices.chance(1, 2))
    for (int i = 0; i < dropped; ++i) shape.erase(0);
  return shape;
}

// As into, and then sizes of 1 may grow and dimensions may come in front, while the result stays small.
Shape ShapeWant::draw_broadcasting(Choices& choices, const Bounds& bounds) const {
  Shape shape = draw_into(choices);
  std::int64_t elements = extent(shape_);
  for (int i = 1; i <= shape.size(); ++i) {
    if (shape_[shape_.size() - i] != 1 || !choices.chance(1, 3)) continue;
    std::int64_t& size = shape[shape.size() - i];
    size = bounded_size(choices, bounds, 1, room_for(elements));
    elements *= size;
  }
  if (shape.size() == shape_.size() && shape.size() < bounds.max_rank && choices.chance(1, 10)) {
    std::int64_t size = bounded_size(choices, bounds, 1, std::min<std::int64_t>(4, room_for(elements)));
    shape.insert(0, size);
  }
  return shape;
}

}  // namespace jp::seedgen
