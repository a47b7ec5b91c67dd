// Operators of two operands, each a tensor or a Python number: draws both, with torch's type promotion and with a
// result that stays in range. Families of binary operators differ by a table of rules.
#pragma once

#include <optional>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// One operand of a call as drawn.
struct BinaryOperand {
  Argument argument;
  PromotionOperand type;
  Interval interval;
  /// The tensor; id -1 for a number.
  Value value;
};

/// Where the result of a discontinuous operator changes, if operands that are clear of it may be inexact (Want::clear;
/// only in draw_binary): nowhere known, where the operands meet, or where either is 0.
enum class Steps : std::uint8_t { kUnknown, kMeeting, kZero };

/// What a binary operator requires of its operands, and its result.
struct BinaryRule {
  DtypeSet dtypes = kAnyDtype;
  /// The interval of the result, computed in the promoted type; nothing if these operands must not be combined. Must
  /// return an interval for some first operand if all elements of the second one are `neutral`.
  std::optional<Interval> (*image)(Dtype type, Interval a, Interval b) = nullptr;
  /// The permitted interval of the first operand.
  Interval first = kEverything;
  /// The permitted interval of the second operand.
  Interval second = kEverything;
  /// The least distance of the second operand from 0.
  double away = 0;
  double neutral = 0;
  /// The result's dtype from the promoted one; nullptr: the same.
  Dtype (*result)(Dtype type) = nullptr;
  /// Discontinuous: both operands must be exact if they are floats.
  bool discontinuous = false;
  Steps steps = Steps::kUnknown;
  /// Autograd has no derivative: no operand requires gradients.
  bool plain = false;
  /// The second operand may require gradients only if the first one is at least this (its gradient is a logarithm of
  /// it).
  double gradients_from = -1e300;
  /// The second operand requires no gradients beside a first one of bools: its gradient negates that, which torch
  /// refuses.
  bool plain_behind_bools = false;
  /// Preferred first operands; if null and the operator is discontinuous, ones that span several of its steps.
  bool (*preferred_first)(const Value&) = nullptr;
  /// Preferred second operands.
  bool (*preferred_second)(const Value&) = nullptr;
  /// Preferred pairs of intervals; numbers mostly satisfy it.
  bool (*preferred_meeting)(Interval a, Interval b) = nullptr;
  /// In place: nothing of the first operand's old value remains.
  bool overwrites = false;
  /// In place: results are 0 or 1, which every dtype holds, whatever the common type of the operands.
  bool truths = false;
  /// Which operands may be numbers.
  bool number_first = false;
  bool number_second = true;
  /// Autograd has no derivative if the first operand is a number.
  bool plain_behind_number = false;
  /// The same as `image` if the promoted type is complex; nullptr: complex operands are not supported.
  std::optional<Interval> (*complex)(const ComplexBound& a, const ComplexBound& b) = nullptr;
};

struct BinaryDraw {
  BinaryOperand a;
  BinaryOperand b;
  Dtype type = Dtype::kFloat32;  // promoted
  Value result;
  bool number_first = false;
  /// An operand is inexact, and rounding can't decide the result (Traits::decided).
  bool decided = false;
};

/// Draws in-degree, first input, second input or number, and infers the result.
BinaryDraw draw_binary(Draft& draft, const BinaryRule& rule);

/// Draws a target and then another operand that broadcasts into it; the result, computed in the promoted type, must fit
/// the target's dtype. The draw's `result` is the target with its new interval.
BinaryDraw draw_binary_in_place(Draft& draft, const BinaryRule& rule);

/// A factor of the second operand, as sums and differences take it.
struct Alpha {
  Argument number;
  /// The interval of the whole result.
  Interval image;
  /// A power of two, so that the multiplication is exact.
  bool exact = true;
};

/// Draws `alpha=` for a sum, or for a difference if `sign` is -1; nothing if the result would leave its dtype or the
/// common type is bool.
std::optional<Alpha> draw_alpha(Draft& draft, const BinaryDraw& drawn, double sign);

}  // namespace jp::seedgen
