// When a campaign must end: it was asked to, or its time is up. One way out for both, whatever is under way.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace jp::campaign {

/// Shared by all threads of a campaign; once reached it stays so (but see forget_time).
class StopCondition {
 public:
  /// How often a job that waits for something else looks at it: a signal handler, which may set `stop`, can wake
  /// nobody. Chosen, not measured: short for a person.
  static constexpr std::chrono::milliseconds kPolled{100};

  /// `stop` belongs to whoever asks for the end, and is never taken back.
  explicit StopCondition(const std::atomic<bool>& stop) : stop_(stop) {}

  /// From now on the time counts; without `seconds` there is no end to it.
  void start(std::optional<double> seconds) {
    if (seconds) deadline_ = now() + static_cast<std::int64_t>(*seconds * 1e9);
  }
  /// Time that is up is so no longer, and no end to it is set: whoever asked for the end still gets it. For what comes
  /// after all that ended by it.
  void forget_time() { deadline_ = std::numeric_limits<std::int64_t>::max(); }
  /// Somebody asked for the end.
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
