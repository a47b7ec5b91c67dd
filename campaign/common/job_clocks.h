// The clocks of a campaign's jobs, and phases.json in its folder: the sums over all starts of the campaign, so that
// others can look while it runs and later.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "campaign/common/phases.h"
#include "campaign/common/stopwatch.h"
#include "codec/json.h"
#include "core/result.h"

namespace jp::campaign {

struct JobTime {
  double job_seconds = 0;  // number of jobs times wall time; measured by itself, not as the sum of `phases`
  PhaseTable phases;
};

/// {"job_seconds", "phases": [{"phase", "backend", "seconds"}]}, in the order of Phase; "backend" only where it isn't
/// "".
codec::Json to_json(const JobTime& time);
/// What a campaign has stored; nothing in campaigns of older versions, which have no such file.
Result<JobTime> load_job_time(const std::string& folder);
/// The path of that file.
std::string job_time_file(const std::string& folder);

class JobClocks {
 public:
  /// All clocks start now. What earlier starts of the campaign have stored is added to what this one stores.
  static Result<std::unique_ptr<JobClocks>> start(const std::string& folder, std::size_t jobs);

  PhaseClock& of(std::size_t job) { return *clocks_[job]; }
  void enter_all(Phase phase);
  /// Of this start of the campaign, until now.
  JobTime time() const;
  /// Stores the sums: always, or if they were not stored in the last seconds.
  Status keep();
  Status keep_if_due();

 private:
  JobClocks(std::string folder, JobTime earlier) : folder_(std::move(folder)), earlier_(std::move(earlier)) {}

  const std::string folder_;
  const JobTime earlier_;
  const Stopwatch started_;
  std::vector<std::unique_ptr<PhaseClock>> clocks_;  // one a job
  std::mutex mutex_;                                 // guards the file and what is below
  Stopwatch kept_;                                   // since the last time
};

}  // namespace jp::campaign
