// How likely everything is that the generator draws and no operator decides by itself: one place for every chance, each
// with what it makes likely and where it comes from.
//
// Where they come from: those for inputs and for the order of calls were chosen on the settings of `./dev bench papers`
// (docs/metrics.md says how far to trust the tables measured there); what a single one contributes was not measured.
// All others were chosen, not measured, unless they say otherwise. A chance that one operator alone has stands in its
// file, whose head says where it comes from. Every change changes programs: raise kGeneratorVersion with it.
#pragma once

#include <array>
#include <cstdint>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/graph.h"

namespace jp::seedgen {

/// True in `times` of `of` draws. The two are not reduced: the denominator is part of what a seed means.
struct Chance {
  std::uint64_t times = 0;
  std::uint64_t of = 1;
  bool drawn(Choices& choices) const { return choices.chance(times, of); }
};

struct DrawPolicy {
  // Whole programs.

  /// A program has gradients. Chosen, not measured.
  Chance gradients{2, 5};
  /// A program's arguments may share memory. Chosen, not measured.
  Chance sharing{1, 6};
  /// A call is a harvested one, where there are any. Chosen, not measured.
  Chance harvested{1, 4};

  // The order of calls.

  /// An operator that the graph has already is drawn again, so that there are more different ones.
  Chance seen_again{1, 4};
  /// A constant is drawn again: constants are half as frequent as others. (A chance of 0 of 4 goes to the others.)
  Chance constant_again{2, 4};
  Chance other_again{0, 4};
  /// Constants are placed in the first part of so many, so that calls read them,
  std::size_t early_part = 3;
  /// except for some.
  Chance late_constant{1, 32};

  // Which value a call reads. Each narrows the fitting values to those named, unless there are none.

  /// A new argument, where only values fit that share memory with the call's other operands: `x - x` is a constant.
  Chance new_beside_itself{15, 16};
  /// Where a discontinuous operator may read an inexact value, because it lies clear of all steps: one of those, so
  /// that what is known of ranges is tested too. The result is a constant. Chosen by DEC (docs/metrics.md).
  Chance decided{3, 8};
  /// Values that share no memory with the call's other operands.
  Chance apart{15, 16};
  /// A new argument, which can be made so, where no value is as the operator prefers.
  Chance new_preferred{1, 2};
  /// Values as the operator prefers (Want::preferred).
  Chance preferred{15, 16};
  /// A new argument, where neither the operands so far nor the fitting values depend on inputs.
  Chance new_dependent{15, 16};
  /// Values that vary: no constants and none whose elements lie within `flat` of one another.
  Chance varying{31, 32};
  double flat = 0.01;
  /// Values that depend on inputs.
  Chance dependent{7, 8};
  /// Results of calls rather than arguments, so that calls are connected.
  Chance results{31, 32};
  /// Values that nothing has read yet.
  Chance unread{3, 8};
  /// Constants that nothing has read yet, beside an operand that varies; as outputs they would test nothing.
  Chance unread_constant_partner{15, 16};
  /// The same, where the call reads only dtype and shape.
  Chance unread_constant_metadata{7, 8};
  /// First operands that such a constant can be the partner of.
  Chance mate_of_unread_constant{15, 16};

  // What an operator may prefer of an operand. Chosen, not measured.

  /// An interval as wide as this takes several steps of a discontinuous operator.
  double several_steps = 4;
  /// Both signs are there when neither reaches more than so many times as far as the other.
  double sign_ratio = 4;
  /// A constant lies inside an interval that reaches further on both sides by one part of so many of its width. Other
  /// intervals overlap it when they have such a part in common with it.
  double part_beside_constant = 8;
  double part_in_common = 4;

  // New arguments.

  /// An argument of a program that shares memory is a view of an earlier one, where one fits. Chosen, not measured.
  Chance shared_argument{1, 2};
  /// A float argument requires gradients, in a program that has some. Chosen, not measured.
  Chance gradient_argument{1, 2};
  /// The shape of a constant that nothing has read yet, so that the two can be combined. As for inputs.
  Chance unread_constant_shape{3, 4};
  /// The dtype that the operator calls likely (the partner's), where it is possible. Chosen, not measured.
  Chance likely_dtype{1, 2};
  /// A complex dtype, where it is possible; drawn before `dtypes`. Chosen, not measured.
  Chance complex_dtype{1, 16};
  /// Dtypes, each as often as it stands here. Chosen, not measured.
  std::array<Dtype, 29> dtypes = {
      Dtype::kFloat32,  Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat32,  Dtype::kFloat32,
      Dtype::kFloat32,  Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat64,  Dtype::kFloat64,
      Dtype::kFloat64,  Dtype::kFloat16, Dtype::kFloat16, Dtype::kFloat16, Dtype::kBFloat16, Dtype::kBFloat16,
      Dtype::kBFloat16, Dtype::kInt64,   Dtype::kInt64,   Dtype::kInt64,   Dtype::kInt32,    Dtype::kInt32,
      Dtype::kInt16,    Dtype::kInt8,    Dtype::kUInt8,   Dtype::kBool,    Dtype::kBool};
  /// Intervals of the elements, each as often as it stands here. Chosen, not measured.
  std::array<Interval, 8> float_intervals = {{{-1, 1}, {-1, 1}, {0, 1}, {-2, 2}, {-3, 3}, {0.5, 1.5}, {-8, 8}, {1, 2}}};
  std::array<Interval, 6> integer_intervals = {{{-9, 9}, {0, 9}, {0, 3}, {-3, 3}, {1, 7}, {-100, 100}}};
  /// A contiguous layout; the others share what is left. Chosen, not measured.
  Chance contiguous{3, 4};
  /// Elements are normally distributed and clamped, where the interval is symmetric; else uniform. Chosen, not
  /// measured.
  Chance normal{1, 2};

  // Shapes. Chosen, not measured.

  /// Of so many sizes, `empty_draws` are 0 and `large_draws` are large; the others are of `sizes`.
  std::uint64_t size_draws = 128;
  std::uint64_t empty_draws = 1;
  std::uint64_t large_draws = 5;
  /// Sizes around the widths of vector registers (8 and 16 floats) make a compiler emit main loops and tails.
  std::array<std::int64_t, 16> sizes = {1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 16, 17};
  std::array<std::int64_t, 4> large_sizes = {9, 15, 32, 33};
  /// Ranks, each as often as it stands here.
  std::array<int, 32> ranks = {0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2,
                               2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5};
  /// A shape that broadcasts to another one is that one itself; else each size is 1 with `into_one`, and leading
  /// dimensions are dropped with `into_shorter`.
  Chance into_same{1, 2};
  Chance into_one{1, 3};
  Chance into_shorter{1, 2};
  /// A size of 1 becomes larger; a shape gets another leading dimension.
  Chance grown{1, 3};
  Chance longer{1, 10};
  /// Attributes (sizes of new tensors, dtypes) don't follow those of a live value.
  Chance no_model{1, 4};
  Chance other_dtype{1, 8};

  // Forms of calls. Chosen, not measured.

  /// `out=`, where a form has it.
  Chance out{1, 8};
  /// Of so many binary calls one has a number as its first operand, and one as its second, where it may.
  std::uint64_t binary_draws = 10;
  /// The second operand of an in-place binary call is a number; likewise what a write puts into its target.
  Chance in_place_number{1, 4};
  Chance written_number{1, 3};
  /// A number that goes with the other operand's interval, where the operator prefers that. As for inputs.
  Chance preferred_number{15, 16};
  /// A complex number combined with real tensors.
  Chance complex_number{1, 24};
  /// An index counted from the back.
  Chance negative_index{1, 4};

  // What several operators may do. Chosen, not measured.

  /// A sum or a difference with `alpha=`.
  Chance scaled{1, 6};
  /// A part without elements: a slice, what is scattered into one.
  Chance empty_part{1, 16};
  /// Where many elements would be made of few: as few as the graph has room for, rather than as many as the operator
  /// can.
  Chance kept_small{7, 8};
  /// A pooling's positions beside its values.
  Chance positions_too{1, 4};
  Chance ceil_mode{1, 3};
  /// `align_corners` is said.
  Chance align_corners{2, 3};
  /// A shape that an operator expands to has another leading dimension.
  Chance one_dimension_more{1, 3};
  /// A function that a higher-order operator maps or derives has two arguments.
  Chance of_two{1, 3};
  /// A memory format is said.
  Chance memory_format{1, 4};
  /// `eps` is said.
  Chance epsilon{1, 3};

  // Dimensions. Chosen, not measured.

  /// A dimension of size 0 or 1, though the operator wants a longer one.
  Chance short_dim{1, 16};
  /// Each further dimension beside one that must be empty is empty too.
  Chance also_empty{1, 4};
  /// `dim=None`, and no dimension at all, both of which reduce the whole tensor.
  Chance dim_none{1, 16};
  Chance whole{1, 5};
  Chance keepdim{1, 3};

  // Subscripts. Chosen, not measured.

  /// An ellipsis, where it stands for dimensions, and where it may stand for none.
  Chance ellipsis{1, 3};
  Chance ellipsis_needless{1, 8};
  /// A None between two items.
  Chance none_item{1, 12};
  /// A size of 0 in the shape of the index tensors.
  Chance empty_index{1, 24};
  /// A 0-d index tensor instead of a number.
  Chance live_integer{1, 6};
  /// A slice with a step; an end that is written though it could be left out.
  Chance stepped{1, 3};
  Chance end_written{1, 8};
  /// All positions of a literal index are the same.
  Chance one_position{1, 4};
};

inline constexpr DrawPolicy kPolicy;

}  // namespace jp::seedgen
