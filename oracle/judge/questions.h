// What is asked about a pair of runs that differ, round by round, each only where the one before has left something
// open; the runs of a round are made together.
//
//   1. eager again; float64 (and float32, where half types are seen), when rounding could explain a difference.
//   2. Monte Carlo arithmetic, four runs.
//   3. Eight more; eager and float64 on three other sets of values; the compiled run that rounds after each operator
//      (half types only). Not where no float is to be seen and nothing moved in four runs.
//   4. Differences of numbers that are still there and small: the compiled run on two of the other sets of values. When
//      it agrees with eager on both, the difference is borderline: a real bug grows or stays.
#pragma once

#include <string>
#include <vector>

#include "oracle/judge/comparison.h"
#include "oracle/judge/control_runs.h"
#include "oracle/judge/runs.h"

namespace jp::oracle {

/// Which two runs are compared, and where further runs come from.
struct Sides {
  std::string reference = "eager";
  std::string observed = "compiled";
  /// The plain run of the same program, of which the further runs are variants. Their roles end in `suffix`.
  std::string eager = "eager";
  std::string suffix;
  bool any_device = false;
};

/// What was found, and the runs that are still wanted; the comparison is final when there are none.
struct ComparisonRound {
  Comparison comparison;
  std::vector<RunRequest> wanted;
};

/// Compares the two runs (both have finished) with all further runs that have answers, and asks for more where that may
/// change what stands.
ComparisonRound compare_with_controls(const Runs& runs, const Sides& sides);

/// A second run of the plain program, as the oracle asks for it.
RunRequest again_request(const Runs& runs, const Sides& sides);

}  // namespace jp::oracle
