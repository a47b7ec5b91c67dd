// What each job of a campaign does at the moment, for people who watch.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "campaign/common/stopwatch.h"

namespace jp::campaign {

struct JobAtWork {
  std::string doing;   // "test 12 on inductor", "reducing 3f2a…"; "": nothing that was said
  double seconds = 0;  // since it began with that
};

/// Thread-safe.
class JobsAtWork {
 public:
  explicit JobsAtWork(std::size_t jobs) : jobs_(jobs) {}

  /// From now on this thread works for that job.
  static void in(std::size_t job);
  /// What this thread's job does from now on. Nothing changes if that is what it does already.
  void say(const std::string& doing);
  /// All of them, by the job's number.
  std::vector<JobAtWork> now() const;

 private:
  struct Job {
    std::string doing;
    Stopwatch since;
  };
  mutable std::mutex mutex_;
  std::vector<Job> jobs_;
};

}  // namespace jp::campaign
