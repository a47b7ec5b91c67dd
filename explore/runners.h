// The runners that requests share, forks of one zygote. Each serves one request at a time, and is thrown away after a
// request that was cancelled: its processes are gone.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/result.h"
#include "explore/cancel.h"
#include "pyrunner/runner.h"

namespace jp::explore {

class Runners {
 public:
  /// `most`: how many runners there may be at once. The zygote starts at once, which takes seconds.
  Runners(pyrunner::RunnerOptions options, int most);
  /// Cancels whatever runs, and waits until it has ended.
  ~Runners();
  Runners(const Runners&) = delete;
  Runners& operator=(const Runners&) = delete;

 private:
  struct Seat;

 public:
  /// A runner for one request, given back when this ends.
  class Lease {
   public:
    Lease(Runners& pool, Seat& seat) : pool_(&pool), seat_(&seat) {}
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    pyrunner::Runner& runner() const;

   private:
    Runners* pool_;
    Seat* seat_;
  };

  using Say = std::function<void(const std::string&)>;
  /// Waits for a runner. `cancel` ends the waiting and every run of the lease. `say` is told what is waited for. An
  /// Error if no worker can be started, or if it was cancelled.
  Result<Lease> take(const Cancel& cancel, const pyrunner::Limits& limits, const Say& say);

  /// Ends all runs, and refuses further ones.
  void stop();
  bool stopped() const { return stopped_.asked(); }
  /// What a worker said of itself; nothing before the first one is warm.
  std::optional<pyrunner::WorkerInfo> info() const;

 private:
  struct Seat {
    std::unique_ptr<pyrunner::Runner> runner;
    std::shared_ptr<Cancel> cancel;  // of the request that has it
    // Guarded by the mutex.
    bool taken = false;
    bool starting = false;
    bool warm = false;
  };
  Result<Lease> filled(Seat& seat, const Cancel& cancel, const pyrunner::Limits& limits, const Say& say);
  Seat* free_seat();
  bool is_starting() const;
  void keep_one_warm();
  bool lacks_warm_one() const;
  Status start(Seat& seat);
  void give_back(Seat& seat);

  pyrunner::RunnerOptions options_;
  std::unique_ptr<pyrunner::Runner> first_;  // runs nothing: the others are made from it; of whoever starts one
  std::vector<std::unique_ptr<Seat>> seats_;
  Cancel stopped_;
  mutable std::mutex mutex_;  // guards what the seats say, and what follows
  std::condition_variable changed_;
  std::optional<pyrunner::WorkerInfo> info_;
  bool can_start_ = true;
  std::thread warming_;
};

}  // namespace jp::explore
