// A reduction whose questions are answered cheaply, and what comes of it for sure.
#pragma once

#include <functional>

#include "oracle/reduce/engine.h"

namespace jp::reduce {

/// Reduces by `reduce` with cheap answers, calls `be_sure` (from then on `problem.first_interesting` must answer for
/// sure) and asks about the result again. When it is refuted, the reduction goes on, with sure answers, from the last
/// program on the way that stands; from the start when none does. Stopped before, the result is what it is.
Reduced reduce_surely(const Problem& problem, const std::function<void()>& be_sure,
                      const std::function<Reduced(const Problem&)>& reduce);

}  // namespace jp::reduce
