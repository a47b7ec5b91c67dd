// The control runs made when two runs differ. Each is the same program run differently, and provides evidence about
// every place that it reaches in the same form as the reference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/observation.h"

namespace jp::oracle {

/// How a control run was made.
enum class ControlKind {
  kFloat32,       // the reference in float32, where half types are present
  kFloat64,       // the reference in float64
  kNoise,         // the reference under Monte Carlo arithmetic
  kChoices,       // the reference, unspecified behaviour resolved differently
  kEquals,        // the reference, with another one of equal elements where that is free; nothing else
  kCasts,         // the run under test, rounding after each operator
  kOtherEager,    // the reference on other values …
  kOtherFloat64,  // … and the same in float64; `number` pairs the two
};

/// Whether the run has other dtypes than the reference by design.
inline bool is_other_precision(ControlKind kind) {
  return kind == ControlKind::kFloat32 || kind == ControlKind::kFloat64;
}

struct ControlRun {
  ControlKind kind = ControlKind::kFloat64;
  int number = 0;
  const Observation* observation = nullptr;
};

/// The control runs, and what the two compared runs are called in sentences.
struct ControlRuns {
  std::vector<ControlRun> runs;
  /// Monte Carlo runs were tried and none finished: coarser rules must decide.
  bool noise_failed = false;
  /// The same of runs with other choices.
  bool choices_failed = false;
  /// Whether tensors of small numbers are compared by the rule of that name, and whether float64 was tried, which that
  /// rule needs.
  bool small_numbers = false;
  bool float64_tried = false;
  /// Lines of the program whose result nothing reads.
  std::vector<std::int64_t> dead_lines;
  /// As Plan::straight.
  bool straight = false;
  /// Whether the two may run on different devices.
  bool any_device = false;
  /// Whether the reference is the plain run that the control runs vary, so that their numbers are about it.
  bool plain_reference = true;
  std::string reference = "eager";
  std::string observed = "compiled";

  bool has(ControlKind kind) const {
    for (const ControlRun& run : runs)
      if (run.kind == kind) return true;
    return false;
  }
};

/// What one control run says of one place.
enum class Presence {
  kAbsent,     // it ended before this place, or differently: it says nothing
  kDisagrees,  // the place is there, with another form than in the reference
  kPresent,
};

/// The same place in a control run. `value` is set exactly if present.
struct ControlValue {
  Presence presence = Presence::kAbsent;
  const Value* value = nullptr;
};

/// One for each control run, in the same order.
using ControlValues = std::vector<ControlValue>;

}  // namespace jp::oracle
