// What an operator wants of its next input, as data: a live value is tested against it, a new argument is made from it.
// Therefore nothing is drawn twice and nothing fails.
#pragma once

#include <optional>

#include "core/choices.h"
#include "seedgen/types/interval.h"
#include "seedgen/types/types.h"
#include "seedgen/types/value_test.h"

namespace jp::seedgen {

/// Limits of arguments and of the shapes of live values that are read again. If a want leaves no choice, it takes
/// precedence.
struct Bounds {
  /// Dtypes of new arguments.
  DtypeSet dtypes = kEveryDtype;
  int max_rank = kMaxRank;
  std::int64_t min_size = 0;
  std::int64_t max_size = kMaxElements;

  /// Whether the limits are tighter than the defaults: ranks and sizes are then drawn uniformly.
  bool narrow() const { return max_rank < kMaxRank || min_size > 0 || max_size < kMaxElements; }
  bool hold(const Shape& shape) const;
};

/// The permitted shapes.
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
  /// The same, restricted to shapes with at most that many elements; not for exact ones.
  ShapeWant upto(std::int64_t elements) const;

  bool fits(const Shape& shape) const;
  /// The same without the bound on the number of elements, which is ours and not the operator's.
  bool of_kind(const Shape& shape) const;
  /// The only shape that fits, or nullptr.
  const Shape* exact() const { return kind_ == Kind::kExactly ? &shape_ : nullptr; }
  /// A shape that fits, of at most kMaxArgumentElements unless the want itself names more.
  Shape draw(Choices& choices, const Bounds& bounds = {}) const;

 private:
  enum class Kind : std::uint8_t { kAny, kExactly, kBroadcasting, kInto, kPattern };
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

/// Wide enough that the whole parts of its elements differ.
bool takes_steps(const Value& value);
/// Has elements of both signs, as far as is known.
bool both_signs(const Value& value);
/// Not all of them are whole numbers, as far as is known.
bool has_fractions(const Value& value);
/// Whole numbers, some of which are 0 as far as is known.
bool some_zeros(const Value& value);
/// Neither is always the larger one, as far as is known: they have a fourth of `a` in common, or `b` is a number in it.
bool overlap(Interval a, Interval b);

/// Distances by which an inexact value's interval keeps clear of the steps of a discontinuous function: rounding moves
/// no element across one, whoever rounds. Intervals contain what rounding does in the value's own dtype already; the
/// margin is 2^-6, and 2^-6 of the largest element, four times a rounding to bfloat16. Complex values are never clear.
bool clear_of_integers(const Value& value);
bool clear_of_halves(const Value& value);
bool clear_of_zero(const Value& value);
/// Neither interval reaches the other, by that margin.
bool clear_of(Interval a, Interval b);
/// What is clear of an interval on one side of it; only for intervals within kComparable.
Interval room_beside(Interval interval, bool above);
inline constexpr Interval kComparable = {-1000, 1000};

/// The requirements on an input.
struct Want {
  DtypeSet dtypes = kAnyDtype;
  ShapeWant shape;
  /// All elements lie in it.
  Interval within = kEverything;
  /// All elements are at least that far from 0, on one side of it; 0 for no such requirement.
  double away = 0;
  /// The operator is discontinuous, and accepts exact values only: see Value::exact.
  bool exact = false;
  /// Beside `exact`: inexact values are accepted too if this holds, which must say that rounding can't decide the
  /// result. Such a result is the same for all elements: the call passes Traits::decided.
  ValueTest clear = nullptr;
  /// Discontinuous unless the operand satisfies `preferred`.
  bool discontinuous = false;
  /// The operator writes to it: no leaf, nothing saved for backward, no overlapping elements.
  bool written = false;
  /// Any further test of dtype, shape and interval. It must hold for some dtype if all elements are `neutral`, and must
  /// not depend on anything that a new argument can't choose.
  ValueTest fits = nullptr;
  /// It does not require gradients.
  bool plain = false;
  /// The call reads only its type, not its elements.
  bool metadata_only = false;
  /// A constant here would decide the result whatever the other operands are: a mask, an exponent, a bound.
  bool settles = false;
  /// Another operand is combined with it elementwise, and can be made to match it.
  bool paired = false;
  /// A test of live values only; a new argument always passes.
  ValueTest live = nullptr;
  /// A preference, of the interval: live values and new arguments mostly satisfy it if any can.
  ValueTest preferred = nullptr;
  /// Intervals of new arguments are narrowed towards it until `fits` holds.
  double neutral = 0;
  /// The dtype that a new argument has half of the time, if permitted.
  std::optional<Dtype> likely = std::nullopt;
};

}  // namespace jp::seedgen
