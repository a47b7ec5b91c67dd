// How a campaign goes on. Jobs (threads) share a counter of test numbers, the store and the tally, nothing else; each
// has a runner with its own warm process. A test is journaled before it runs. What a batch reports is run again alone;
// what stands then is looked up by signature, and a new signature is confirmed before it counts.
#include "app/campaign.h"

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "app/confirm.h"
#include "app/eyes.h"
#include "app/judging.h"
#include "report/store.h"

namespace jp::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Campaign {
 public:
  Campaign(const CampaignOptions& options, CampaignEvents& events, const std::atomic<bool>& stop, report::Store& store)
      : options_(options), events_(events), stop_(stop), store_(store), oracle_(find_oracle("eager_vs_compiled")) {}

  Result<Tally> run(std::unique_ptr<pyrunner::Runner> first);

 private:
  std::optional<std::uint64_t> next_number();
  void job(std::unique_ptr<pyrunner::Runner> runner, std::vector<std::uint64_t>* unfinished);
  Status test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number);
  Status judged(pyrunner::Runner& runner, const TestCase& test);
  Status diverged(pyrunner::Runner& runner, const TestCase& test, const oracle::PlanOptions& plan, const Judged& alone);
  void count(const Verdict& verdict);
  void fail(const Error& error);
  void tell();

  const CampaignOptions& options_;
  CampaignEvents& events_;
  const std::atomic<bool>& stop_;
  report::Store& store_;
  const oracle::Oracle& oracle_;

  std::mutex mutex_;  // of all that follows
  Tally tally_;
  std::optional<Error> failure_;
  std::uint64_t next_ = 0;
  std::vector<std::uint64_t> again_;  // begun but not finished by the run that is resumed
  Clock::time_point started_;
  double job_seconds_ = 0;
  double run_seconds_ = 0;
};

}  // namespace
}  // namespace jp::app
