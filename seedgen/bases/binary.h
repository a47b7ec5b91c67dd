// Operators of two operands, each a tensor or a Python number: how both are drawn, with torch's type promotion and with
// a result that stays in range. Families of binary operators differ by a table of rules.
#pragma once

#include <optional>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// One operand of a call as drawn.
struct BinaryOperand {
  Argument argument;
  Operand type;
  Interval interval;
  /// The tensor; id -1 for a number.
  Value value;
};

/// What a binary operator asks of its operands and gives back.
struct BinaryRule {
  DtypeSet dtypes = kAnyDtype;
  /// The interval of the result, computed in the promoted type; nothing when these operands must not meet. Must give
  /// something for some operand where all elements of the second one are `neutral`.
  std::optional<Interval> (*image)(Dtype type, Interval a, Interval b) = nullptr;
  /// Where the first operand lies.
  Interval first = kEverything;
  /// Where the second operand lies.
  Interval second = kEverything;
  /// The second operand keeps that far from 0.
  double away = 0;
  double neutral = 0;
  /// The result's dtype from the promoted one; nullptr: the same.
  Dtype (*result)(Dtype type) = nullptr;
  /// Both operands must be exact where they are floats: the operator jumps.
  bool discontinuous = false;
  /// Autograd has no derivative: no operand requires gradients.
  bool plain = false;
  /// The second operand has gradients only where the first one is at least that (a logarithm of it).
  double gradients_from = -1e300;
  /// The first operand is rather of this kind; where there is none and the operator jumps, it takes steps.
  bool (*preferred_first)(const Value&) = nullptr;
  /// So is the second one.
  bool (*preferred_second)(const Value&) = nullptr;
  /// The intervals of both rather go together so; among numbers mostly.
  bool (*preferred_meeting)(Interval a, Interval b) = nullptr;
  /// In place: nothing is left of the first operand.
  bool overwrites = false;
  /// In place: results are 0 or 1, which every dtype holds, whatever the common type of the operands is.
  bool truths = false;
  /// Which operands may be numbers.
  bool number_first = false;
  bool number_second = true;
  /// The same as `image` where the promoted type is complex; nullptr: no operand is.
  std::optional<Interval> (*complex)(const ComplexBound& a, const ComplexBound& b) = nullptr;
};

struct BinaryDraw {
  BinaryOperand a;
  BinaryOperand b;
  Dtype type = Dtype::kFloat32;  // promoted
  Value result;
  bool number_first = false;
};

/// Draws in-degree, first input, second input or number, and infers the result.
BinaryDraw draw_binary(Draft& draft, const BinaryRule& rule);

/// Draws a target and then another operand that broadcasts into it; the result, computed in the promoted type, must fit
/// the target's dtype. `result` of the draw is the target with its new interval.
BinaryDraw draw_binary_in_place(Draft& draft, const BinaryRule& rule);

/// A factor of the second operand, as sums and differences take it.
struct Alpha {
  Argument number;
  /// Of the whole result.
  Interval image;
  /// A power of two, which rounds nothing by itself.
  bool exact = true;
};

/// Draws `alpha=` for a sum, or a difference where `sign` is -1; nothing where the result would leave its dtype or the
/// common type is bool.
std::optional<Alpha> draw_alpha(Draft& draft, const BinaryDraw& drawn, double sign);

}  // namespace jp::seedgen
