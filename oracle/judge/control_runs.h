// The further runs that are heard when two runs differ: the panel. Each is the same program run otherwise, and says
// something about every place that it reaches in the form in which the reference has it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/observation.h"

namespace jp::oracle {

/// How a run of the panel was made.
enum class ControlKind {
  kFloat32,       // the reference in float32, where half types are present
  kFloat64,       // the reference in float64
  kNoise,         // the reference under Monte Carlo arithmetic
  kChoices,       // the reference, free choices made otherwise
  kCasts,         // the observed run, rounding after each operator
  kOtherEager,    // the reference on other values …
  kOtherFloat64,  // … and the same in float64; `number` pairs the two
};

struct ControlRun {
  ControlKind kind = ControlKind::kFloat64;
  int number = 0;
  const Observation* observation = nullptr;
};

/// The runs, and what the two that are compared are called in sentences.
struct ControlRuns {
  std::vector<ControlRun> runs;
  /// Monte Carlo runs were tried and none came to its end: coarser rules must do.
  bool noise_failed = false;
  /// Lines of the program whose result nothing reads.
  std::vector<std::int64_t> dead_lines;
  /// Whether the two may stand on different devices.
  bool any_device = false;
  std::string reference = "eager";
  std::string observed = "compiled";

  bool has(ControlKind kind) const {
    for (const ControlRun& run : runs)
      if (run.kind == kind) return true;
    return false;
  }
};

/// What one run of the panel says of one place.
enum class Presence {
  kAbsent,     // it ended before this place, or differently: nothing
  kDisagrees,  // it is there, and of another form than the reference
  kPresent,
};

/// The same place in a run of the panel. `value` is set exactly when present.
struct ControlValue {
  Presence presence = Presence::kAbsent;
  const Value* value = nullptr;
};

/// One for each run of the panel, in its order.
using ControlValues = std::vector<ControlValue>;

}  // namespace jp::oracle
