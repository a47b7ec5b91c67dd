#include "campaign/common/jobs_at_work.h"

namespace jp::campaign {
namespace {

thread_local std::size_t job_of_thread = 0;

}  // namespace

void JobsAtWork::in(std::size_t job) { job_of_thread = job; }

void JobsAtWork::say(const std::string& doing) {
  std::lock_guard lock(mutex_);
  Job& job = jobs_.at(job_of_thread);
  if (job.doing != doing) job = {doing, {}};
}

std::vector<JobAtWork> JobsAtWork::now() const {
  std::lock_guard lock(mutex_);
  std::vector<JobAtWork> all;
  for (const Job& job : jobs_) all.push_back({job.doing, job.since.seconds()});
  return all;
}

}  // namespace jp::campaign
