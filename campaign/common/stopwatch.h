// How long something took.
#pragma once

#include <chrono>

namespace jp::campaign {

/// Runs from its construction on, by a clock that never goes back.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_ = Clock::now();
};

}  // namespace jp::campaign
