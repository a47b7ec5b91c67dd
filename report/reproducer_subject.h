// What a finding is about: all that its reproducer compares.
#pragma once

#include <string>
#include <string_view>

#include "core/verdict.h"

namespace jp::report {

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
  bool refused = false;  // the compiler fails on what eager refuses, too
};

}  // namespace jp::report
