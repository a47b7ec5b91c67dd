// What a finding is about: all that its reproducer compares.
#pragma once

#include <string>
#include <string_view>

#include "core/observation.h"
#include "core/verdict.h"

namespace jp::report {

/// Whether arguments or state hold tensors after the last call that an autograd graph has computed, at which backward
/// may then begin.
bool stores_graphs(const Observation& seen);

struct Subject {
  explicit Subject(const Finding& finding);

  /// Whether each side needs a process of its own.
  bool process() const;
  /// Whether the runs have a backward, `planned` if the finding's had: it is compared, or it may change what comes
  /// later or be what fails.
  bool backward(bool planned) const;
  bool at(std::string_view name) const { return !process() && place == name; }

  Mismatch mismatch = Mismatch::kValue;
  std::string place = "output";  // part_of_call()
  int call = 0;
  bool stored = false;   // backward begins at tensors that the call has stored, too
  bool refused = false;  // the compiler fails on what eager refuses, too
};

}  // namespace jp::report
