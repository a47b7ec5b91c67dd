// A reduction whose questions are answered cheaply, and what comes of it for sure.
#pragma once

#include <functional>

#include "oracle/reduce/engine.h"

namespace jp::reduce {

/// What turns cheap answers into sure ones.
struct VerificationHooks {
  /// From then on `Problem::first_interesting` must answer for sure.
  std::function<void()> verify_from_now;
  /// True once answers mean nothing any more, not even those of a stopped reduction about its result. May be empty.
  std::function<bool()> given_up;
};

struct VerifiedReduction {
  Reduced reduced;
  /// The result was asked about for sure. False where it was given up before, or where nothing on the way stood.
  bool verified = false;
};

/// Reduces by `reduce` with cheap answers, calls `be_sure` and asks about the result again. When it is refuted, the
/// reduction goes on, with sure answers, from the last program on the way that stands; from the start when none does.
/// Stopped before, the result is the last on the way that stands: so the list of one program that asks for it must be
/// answered although `Problem::stop` says true, until `given_up` does.
VerifiedReduction reduce_then_verify(const Problem& problem, const VerificationHooks& sureness,
                                     const std::function<Reduced(const Problem&)>& reduce);

}  // namespace jp::reduce
