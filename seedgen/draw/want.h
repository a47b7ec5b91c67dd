// What an operator wants of its next input, as data: a live value is tested against it, a new argument is made from
// it. So nothing is drawn twice and nothing fails.
#pragma once

#include <optional>

#include "core/choices.h"
#include "seedgen/types/interval.h"
#include "seedgen/types/types.h"
#include "seedgen/types/value_test.h"

namespace jp::seedgen {

/// What bounds arguments and the shapes of live values that are read again. Where a wish leaves no choice, it wins.
struct Bounds {
  /// Of new arguments.
  DtypeSet dtypes = kEveryDtype;
  int max_rank = kMaxRank;
  std::int64_t min_size = 0;
  std::int64_t max_size = kMaxElements;

  /// Shapes other than what holds always: ranks and sizes are then drawn evenly.
  bool narrow() const { return max_rank < kMaxRank || min_size > 0 || max_size < kMaxElements; }
  bool hold(const Shape& shape) const;
};

/// The shapes that are welcome.
class ShapeWant {
 public:
  /// Any shape of these ranks; every size at least `min_size`.
  static ShapeWant any(int min_rank = 0, int max_rank = kMaxRank, std::int64_t min_size = 0);
  static ShapeWant exactly(const Shape& shape);
  /// Shapes that broadcast with this one, to at most kMaxElements.
  static ShapeWant broadcasting(const Shape& shape);
  /// Shapes that can be expanded to this one.
  static ShapeWant into(const Shape& shape);
  /// Exactly these sizes, where -1 is any size from `min_size` to `max_size`.
  static ShapeWant pattern(const Shape& sizes, std::int64_t min_size = 0, std::int64_t max_size = kMaxElements);
  /// The same wish, of shapes with at most that many elements; not for exact ones.
  ShapeWant upto(std::int64_t elements) const;

  bool fits(const Shape& shape) const;
  /// A shape that fits, of at most kMaxArgumentElements unless the wish itself names more.
  Shape draw(Choices& choices, const Bounds& bounds = {}) const;

 private:
  enum class Kind : std::uint8_t { kAny, kExactly, kBroadcasting, kInto, kPattern };
  bool of_kind(const Shape& shape) const;
  Shape draw_any(Choices& choices, const Bounds& bounds) const;
  Shape draw_into(Choices& choices) const;
  Shape draw_broadcasting(Choices& choices, const Bounds& bounds) const;
  Shape draw_pattern(Choices& choices, const Bounds& bounds) const;
  std::int64_t room_for(std::int64_t elements) const;

  Kind kind_ = Kind::kAny;
  Shape shape_;
  int min_rank_ = 0;
  int max_rank_ = kMaxRank;
  std::int64_t min_size_ = 0;
  std::int64_t max_size_ = kMaxElements;
  std::int64_t max_elements_ = kMaxElements;
};

/// A size of a dimension, mostly small, sometimes at the edge of a vector register, rarely 0; in [least, most].
std::int64_t draw_size(Choices& choices, std::int64_t least = 0, std::int64_t most = 33);

/// Wide enough that whole parts of its elements differ.
bool takes_steps(const Value& value);
/// Has elements of both signs, as far as is known.
bool both_signs(const Value& value);
/// Not all of them are whole numbers, as far as is known.
bool has_fractions(const Value& value);
/// Whole numbers, of which some are 0 as far as is known.
bool some_zeros(const Value& value);
/// Neither is always the larger one, as far as is known: they have a fourth of `a` in common, or `b` is a number in it.
bool overlap(Interval a, Interval b);

/// What an input must be.
struct Want {
  DtypeSet dtypes = kAnyDtype;
  ShapeWant shape;
  /// All elements lie in it.
  Interval within = kEverything;
  /// All elements are at least that far from 0, on one side of it; 0 for no such wish.
  double away = 0;
  /// The operator jumps, and takes exact values only: see Value::exact.
  bool exact = false;
  /// The operator may jump at what isn't as `rather` says.
  bool discontinuous = false;
  /// The operator writes to it: no leaf, nothing saved for backward, no element twice.
  bool written = false;
  /// Any further test of dtype, shape and interval. It must hold for some dtype when all elements are `neutral`, and
  /// must not depend on anything that a new argument can't choose.
  ValueTest fits = nullptr;
  /// It does not require gradients.
  bool plain = false;
  /// The call reads its type alone, not its elements.
  bool metadata_only = false;
  /// A constant here would settle the result whatever the others are: a mask, an exponent, a bound.
  bool settles = false;
  /// A further operand meets it in the result, and can be made to go with it.
  bool paired = false;
  /// A test of live values only; a new argument always passes.
  ValueTest live = nullptr;
  /// A preference, of the interval: live values and new arguments mostly pass it where any can.
  ValueTest preferred = nullptr;
  /// Intervals of new arguments are narrowed towards it until `fits` holds.
  double neutral = 0;
  /// The dtype that a new argument has half of the time, if it may.
  std::optional<Dtype> likely = std::nullopt;
};

}  // namespace jp::seedgen
