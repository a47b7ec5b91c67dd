// Every number that judging decides by, with its unit and where it comes from. The default tolerances of torch.testing
// are not ours and stand in tolerance.cpp.
//
// Distances between numbers are counted in tolerances: absolute + relative * |value| of the element's type.
#pragma once

#include <cstddef>

#include "core/dtype.h"

namespace jp::oracle {

/// A limit in tolerances. One tolerance of a half type is so large a part of the number itself that the limit of wider
/// types would excuse everything.
struct LimitByType {
  double float16 = 0;
  double bfloat16 = 0;
  double wider = 0;  // float32, float64, complex types

  constexpr double of(Dtype dtype) const {
    if (dtype == Dtype::kFloat16) return float16;
    return dtype == Dtype::kBFloat16 ? bfloat16 : wider;
  }
};

struct JudgingLimits {
  // How many further runs a difference asks for.

  /// Monte Carlo runs of the first round. Chosen, not measured.
  int first_noise_runs = 4;
  /// Monte Carlo runs altogether. Calculated: a change of 1 unit in one result is drawn in one of three runs, so a jump
  /// that one rounding decides would be missed by twelve independent ones with a chance of (2/3)^12 = 0.8 %; runs come
  /// in pairs that draw the opposite, so that it is less.
  int all_noise_runs = 12;
  /// The same where most elements that differ are explained: of hundreds of jumps twelve runs miss some. Calculated as
  /// above: (2/3)^36 = 5e-7 for each jump.
  int most_noise_runs = 36;
  /// "Most" are explained when the elements that differ are at least so many times those that are left: three in four.
  /// Chosen, not measured.
  double differing_to_left = 4;
  /// Runs with free choices made otherwise: one backwards, the others at random. Chosen, not measured, so that of three
  /// equal elements most runs meet another one.
  int choice_runs = 4;
  /// Runs that list which of equal elements indices may name, in each combination, where there are no more combinations
  /// (runtime/controls/equal_elements.py has the same number). Chosen, not measured: four elements have 24 orders.
  int equal_runs = 40;
  /// Sets of other values in eager and float64. Chosen, not measured.
  int other_value_runs = 3;
  /// Sets of other values on which the compiled run is made too (each costs a compilation): a small difference that
  /// shows on none of them is borderline. Chosen, not measured.
  int compiled_value_runs = 2;
  /// The run that rounds after each operator (half types; costs a compilation) is asked for only where the difference
  /// is at most so many times what Monte Carlo runs move the element by. Chosen, not measured.
  double casts_reach = 32;

  // What is rounding.

  /// A run that is at most so many times as far from higher precision as eager is, and one tolerance more, is rounded.
  /// Chosen, not measured.
  double times_own_distance = 2;
  /// In tolerances: how far off a run may be beside that, and within what it agrees with a run of higher precision. One
  /// tolerance is what torch.testing grants any two results.
  double slack = 1;
  /// A difference of at most so many times the farthest Monte Carlo run is rounding. Chosen, not measured; more than 1
  /// because a few runs don't reach the worst case.
  double spreads = 8;
  /// A tensor is noise if of at least so many elements beyond the tolerance moved roundings move all but one in
  /// `noise_others` by this share of its largest number. Chosen, not measured.
  std::size_t noise_elements = 100;
  std::size_t noise_others = 4;
  double noise_share = 0.25;
  /// Then those others are noise, too, that are moved by so much of the largest number at least, and are off by so much
  /// at most. Chosen, not measured.
  double noise_least = 0x1p-10;
  double noise_most = 2;
  /// In tolerances: what stands in for `slack` where a half type is judged by the whole tensor alone, because no Monte
  /// Carlo run tells the element's own spread. Chosen, not measured.
  double half_slack = 8;
  /// In tolerances: how far eager may lie from float64 and still be called rounded. Farther off, the element sits on a
  /// jump (floor, comparison, branch) or on cancellation and is not compared. Chosen, not measured: about 0.13 % of the
  /// number for float32, 5 % for float16, 16 % for bfloat16.
  LimitByType sensitive{.float16 = 50, .bfloat16 = 10, .wider = 1000};
  /// In tolerances: a difference below this may be borderline. Chosen, not measured; a hundred tolerances of a half
  /// type would be more than the number itself.
  LimitByType borderline{.float16 = 20, .bfloat16 = 4, .wider = 100};
  /// The whole tensor's distance says nothing when eager is beyond `sensitive` in more than one of so many elements.
  /// Chosen, not measured.
  std::size_t undescribed_share = 2;
  /// In epsilons of the type, and as a part of the number: how near to the type's largest number a float64 result may
  /// be in the narrower type either that number or an infinity. Chosen, not measured.
  double overflow_epsilons = 16;
  double overflow_part = 0.1;
  /// As a part of the float64 result: how far the compiled run may be off it where eager overflows or has a NaN, and
  /// still be called right. Chosen, not measured: the terms that eager can't hold may cancel.
  double finite_share = 0.5;
  /// Two printed numbers are alike within one unit of their last digit, times this: a unit of ten is not exact in
  /// binary. Chosen, not measured.
  double printed_units = 1.01;

  // Tensors of small numbers.

  /// As a part of the tensor's largest number: what its elements may differ by where this is finer than the absolute
  /// part of the default tolerance. Chosen, not measured.
  double small_share = 0.5;
  /// How many times more accurate eager itself has to be, on the tensor's values and on others: otherwise terms cancel
  /// inside an operator. Chosen: by luck the rest of such a cancellation is so accurate once in some fifty elements.
  double small_accuracy = 64;
  /// In epsilons of the largest number that the observation shows: what the elements may differ by in any case. An
  /// operator may be more accurate inside than a kernel of the same type (variances are computed in float64), so that
  /// eager's accuracy is not the compiler's. Chosen, not measured.
  double small_epsilons = 4;
  /// Tensors of smaller numbers are not compared in this way: their squares and cubes are rounded to zero. Chosen, not
  /// measured.
  double small_least = 1e-12;

  // What the oracle "cost" calls in proportion.

  /// Against a seed: a counter may grow so many times as fast as the lines of code, and by so much beside that. Chosen,
  /// not measured.
  double cost_growth = 4;
  double cost_slack = 64;
  /// Without a seed: at most so many for each line of code. Chosen, not measured, far above ordinary programs: a line
  /// of those makes a fraction of a graph, about one kernel and some ten guards; a loop that is unrolled makes many.
  double graphs_a_line = 20;
  double recompiles_a_line = 20;
  double kernels_a_line = 100;
  double guards_a_line = 1000;
  double ir_nodes_a_line = 5000;

  // Bounds on work.

  /// Differences of one strength, or decisions, that are kept; further ones say nothing new. Chosen, not measured.
  std::size_t kept_differences = 64;
  /// How many strong differences are looked at before some of them are explained. Chosen, not measured; more would fill
  /// memory.
  std::size_t looked_at_differences = 4096;
};

inline constexpr JudgingLimits kLimits;

}  // namespace jp::oracle
