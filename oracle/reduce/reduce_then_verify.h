// Reduce then verify: a reduction that uses cheap answers, and whose result is then judged in full.
#pragma once

#include <functional>

#include "oracle/reduce/engine.h"

namespace jp::reduce {

/// Switches from cheap answers to full ones.
struct VerificationHooks {
  /// From then on `Problem::first_interesting` must answer by full judgements.
  std::function<void()> verify_from_now;
  /// True once answers are meaningless, even those of a stopped reduction about its result. May be empty.
  std::function<bool()> given_up;
  /// Reduces the last verified program on the path further, if the result is refuted. Empty: with all passes.
  std::function<Reduced(const Parsed&, const Problem&)> go_on = nullptr;
};

struct VerifiedReduction {
  Reduced reduced;
  /// The result was verified by a full judgement. False if it was given up before, or if no program on the path was
  /// verified.
  bool verified = false;
};

/// Reduces by `reduce` with cheap answers, calls `verify_from_now` and asks about the result again. If it is refuted,
/// the reduction continues, with full answers, from the last verified program on the path; from the start if none is
/// verified. If it was stopped before, the result is the last verified program on the path: therefore the list of one
/// program that asks for it must be answered although `Problem::stop` says true, until `given_up` does.
VerifiedReduction reduce_then_verify(const Problem& problem, const VerificationHooks& sureness,
                                     const std::function<Reduced(const Problem&)>& reduce);

}  // namespace jp::reduce
