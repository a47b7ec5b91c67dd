// How long a pool waits for those who make its tests, and how often it tries again.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codec/json.h"

namespace jp::fleet {

/// Processes that may fail under one test before it is skipped, or under one case before it is left to the driver.
inline constexpr int kMostFailures = 3;

/// In seconds.
struct Patience {
  double deadline = 0;     // without a sign of life, after which a server is taken for lost
  double least_long = 30;  // of a lease or a study before it gets a second copy
};

/// A lease or a study gets a second copy after so many times the mean duration of all, and at least
/// Patience::least_long. Chosen, not measured: the second copy is made by a server without work, and costs no other
/// test its time.
inline constexpr double kLong = 3;

/// Patience::least_long of a study, which reduces programs: a server that studies a second time makes no tests until it
/// has ended. Chosen, not measured.
inline constexpr double kLeastLongStudy = 300;

/// Whether something that takes `seconds` is long, where `made` others took `sum` seconds.
inline bool is_long(const Patience& patience, double seconds, double sum, std::uint64_t made) {
  const double mean = made > 0 ? sum / static_cast<double>(made) : 0;
  return seconds > std::max(patience.least_long, kLong * mean);
}

/// Seconds without a result, or in a study without a program that runs, after which a process is taken for lost.
/// `terms`: of the leases (campaign/lease.h). A test makes some dozen runs at most, and the first of a process warms it
/// up. Chosen, not measured.
double deadline_of(const codec::Json& terms);

}  // namespace jp::fleet
