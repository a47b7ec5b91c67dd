// When a campaign must end: it was asked to, or its time is up. Both end it in the same way, whatever is under way.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace jp::campaign {

/// Shared by all threads of a campaign; once reached it stays reached (but see forget_time).
class StopCondition {
 public:
  /// How often a job that waits for something else looks at it: a signal handler, which may set `stop`, can wake
  /// nobody. Chosen, not measured: short for a person.
  static constexpr std::chrono::milliseconds kPolled{100};

  /// `stop` belongs to whoever asks for the end, and is never reset.
  explicit StopCondition(const std::atomic<bool>& stop) : stop_(stop) {}

  /// Starts the clock; without `seconds` there is no time limit.
  void start(std::optional<double> seconds) {
    if (seconds) deadline_ = now() + static_cast<std::int64_t>(*seconds * 1e9);
  }
  /// Ends the campaign as if its time were up.
  void reach() { deadline_ = 0; }
  /// Removes the time limit, also one that has passed; a request to end still holds. For work that comes after
  /// everything that the time limit ended.
  void forget_time() { deadline_ = std::numeric_limits<std::int64_t>::max(); }
  /// Whether somebody asked for the end.
  bool asked() const { return stop_; }
  bool reached() const { return stop_ || now() >= deadline_; }

 private:
  static std::int64_t now() {
    auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  }
  const std::atomic<bool>& stop_;
  std::atomic<std::int64_t> deadline_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace jp::campaign
