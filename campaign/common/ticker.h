// Calls a function again and again, on a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace jp::campaign {

class Ticker {
 public:
  /// `tick` is called after each pause until the ticker is destroyed. It must not throw.
  Ticker(std::chrono::milliseconds pause, std::function<void()> tick)
      : thread_([this, pause, tick = std::move(tick)] {
          std::unique_lock lock(mutex_);
          while (!ended_.wait_for(lock, pause, [this] { return over_; })) tick();
        }) {}
  ~Ticker() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace jp::campaign
