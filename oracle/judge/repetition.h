// Whether eager repeats itself. A program that doesn't is random, or reads unwritten memory, and can't be judged. One
// that tells the time or draws a name for itself can: in everything else.
#pragma once

#include <optional>

#include "oracle/judge/oracle.h"
#include "oracle/judge/runs.h"
#include "oracle/judge/sides.h"

namespace jp::oracle {

/// Compares eager's second run with its first: a verdict if the program can't be judged, runs that are wanted to tell,
/// or nothing if the two are the same or there is no second.
///
/// Where only numbers and texts of Python's differ, they may if they are free (runs with other choices have others) and
/// if a third run, whose fresh memory is filled as the second's is, has yet others: then they are not read from memory.
std::optional<Judgement> judge_repetition(const Runs& runs, const Sides& sides);

}  // namespace jp::oracle
