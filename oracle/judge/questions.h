// The control runs for a pair of runs that differ, round by round, each only if the one before has left something open;
// the runs of a round are made together.
//
//   1. eager again; float64 (and float32, if half types are involved), if rounding could explain a difference.
//   2. Monte Carlo arithmetic, four runs.
//   3. Eight more; eager and float64 on three other sets of values; the compiled run that rounds after each operator
//      (half types only). Not if no float is visible and nothing moved in four runs.
//   4. Differences of numbers that remain and are small: the compiled run on two of the other sets of values. If
//      it agrees with eager on both, the difference is borderline: a real bug grows or stays.
#pragma once

#include <vector>

#include "oracle/judge/comparison.h"
#include "oracle/judge/control_runs.h"
#include "oracle/judge/runs.h"
#include "oracle/judge/sides.h"

namespace jp::oracle {

/// The comparison so far, and the runs that are still wanted; the comparison is final if there are none.
struct ComparisonRound {
  Comparison comparison;
  std::vector<RunRequest> wanted;
};

/// Compares the two runs (both have finished) using all control runs that have outcomes, and asks for more if they may
/// change the result.
ComparisonRound compare_with_controls(const Runs& runs, const Sides& sides);

/// A second run of the plain program, as the oracle asks for it.
RunRequest again_request(const Runs& runs, const Sides& sides);

/// The plain program with unspecified behaviour resolved otherwise, and those of these runs that finished as controls.
std::vector<RunRequest> choice_requests(const Runs& runs, const Sides& sides);
ControlRuns choice_controls(const Runs& runs, const Sides& sides);

}  // namespace jp::oracle
