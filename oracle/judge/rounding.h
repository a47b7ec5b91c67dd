// Decides whether a difference is rounding: what each control run says of one element, question after question.
//
// Distances are counted in tolerances (absolute + relative * |value|). Only what is known of an element itself excuses
// it: one wrong small number among large rounded ones stays wrong.
//
//   higher precision  Rounding if the compiled run is at most twice as far off as eager and one tolerance more; if
//                     it is within one and eager is not, eager is wrong. If eager is beyond `sensitive` (limits.h), the
//                     element sits on a discontinuity (floor, comparison, branch) and is not compared.
//   Monte Carlo       Eager moves by its own roundings, as far as its farthest run. Within eight times that and one
//                     tolerance, around eager or around float64: rounding. A NaN, Inf, integer or bool that changes in
//                     any of the runs is not compared.
//   casts             What the compiled run shows as eager does, once it rounds after each operator too.
//   other choices     What changes in eager if unspecified behaviour (which of equals an index names) is resolved
//                     differently may change in the compiled run. What such choices only move must be somewhere.
//   other values      Eager may be exact here by luck, or because the roundings happened inside one operator (a sum),
//                     where noise on its result doesn't show them. Therefore its distance from float64 at this element
//                     on other values of the same size counts as its own.
//
// Without any Monte Carlo run (the program does not run under it), distances over the whole tensor must decide.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "oracle/judge/elements.h"
#include "oracle/judge/rules.h"
#include "oracle/judge/tolerance.h"

namespace jp::oracle {

/// The reference on other values, and in float64 on the same.
struct OtherValues {
  Elements eager;
  Elements float64;
};

/// The evidence for one tensor: elements of as many parts as eager's. Control runs with another form are not included.
struct Evidence {
  std::optional<Elements> float32;
  std::optional<Elements> float64;
  std::optional<Elements> casts;
  std::vector<Elements> noisy;
  /// Runs in which unspecified behaviour was resolved differently.
  std::vector<Elements> chosen;
  /// Runs that list what a place may hold if only the choice among equal elements is free (free_choice.h).
  std::vector<Elements> equals;
  std::vector<OtherValues> others;
  /// The float64 run has another form here: it says nothing of the place.
  bool another_form = false;
  /// The form changes under Monte Carlo arithmetic: nothing here is compared.
  bool form_moves = false;
  /// As in ControlRuns.
  bool noise_failed = false;
  /// As in ControlRuns.
  bool small_numbers = false;
  bool float64_tried = false;
  /// A Python float, which may have been computed in float32.
  bool is_python_number = false;
  /// The largest finite number in any tensor of eager's.
  double largest_shown = 0;
  /// No run with other choices could be made, and a float in the observation lies beyond the range of this integer
  /// type: it may be the result of an undefined conversion.
  bool may_be_undefined = false;
};

enum class ElementVerdict { kRounding, kEagerWrong, kUnstable, kAllowed, kWrong };

/// "rounding", "eager_wrong", "unstable", "allowed", "wrong".
std::string_view element_verdict_name(ElementVerdict judged);

/// How many elements were settled by one rule in one way.
struct Settled {
  RuleName rule;
  ElementVerdict judged;
  std::size_t elements = 0;
};

/// The parts (numbers) of two tensors compared, by result.
struct Counts {
  std::size_t differing = 0;  // not the same bits, apart from the next three
  std::size_t zero_signs = 0;
  std::size_t nan_payloads = 0;
  std::size_t denormals = 0;     // both below the smallest normal number
  std::vector<Settled> settled;  // in the order of the questions; they sum to `differing`
  std::size_t wrong_masks = 0;   // of the wrong ones: NaN or Inf on one side only
  std::size_t worst = 0;         // the part that differs most among the wrong ones (masks first); 0 without one
  double max_absolute = 0;       // largest differences over the wrong finite parts; over all if none is wrong
  double max_relative = 0;
  double tolerances = 0;        // the largest, in tolerances, over the wrong parts; infinite with a mask
  double eager_to_float64 = 0;  // largest distances over finite parts
  double compiled_to_float64 = 0;
  bool unlisted = false;  // an element is free, and no run shows what it holds (free_choice.h)
  double spread = 0;      // largest deviation of a Monte Carlo run at the differing parts

  /// Counts one element by how it was settled.
  void enter(Settled ruling);
  std::size_t count(ElementVerdict judged) const;
  std::size_t wrong() const { return count(ElementVerdict::kWrong); }
  /// The rule by which elements are wrong; only if some are.
  RuleName wrong_rule() const;
};

/// Floating and complex elements of one shape, compared with the tolerance of `dtype`; those that a half type's `dtype`
/// doesn't describe with that of their own type.
Counts compare_inexact(const Elements& eager, const Elements& compiled, const Evidence& evidence, Dtype dtype);

/// Integers, bools and types without rules: compared exactly.
Counts compare_exact(const Elements& eager, const Elements& compiled, const Evidence& evidence);

}  // namespace jp::oracle
