// Waiting for a mutex that another thread may hold for seconds.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

namespace jp::pyrunner {

/// How often one who waits looks whether to give up.
inline constexpr auto kCancelPeriod = std::chrono::milliseconds(100);

/// The lock; one that owns nothing if `given_up` (RunnerOptions::given_up) said so before it was free.
inline std::unique_lock<std::timed_mutex> lock_unless(std::timed_mutex& mutex, const std::function<bool()>& given_up) {
  std::unique_lock lock(mutex, std::defer_lock);
  while (!lock.try_lock_for(kCancelPeriod))
    if (given_up && given_up()) break;
  return lock;
}

}  // namespace jp::pyrunner
