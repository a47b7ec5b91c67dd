// A running campaign: what its jobs share.
//
// Jobs (threads) share a counter of test numbers, the cases that tests left, the store and the tally, nothing else;
// each has a runner with its own warm process. A job does what comes first of
//
//   the triage decision on the case of the smallest test, once all tests before it have their verdicts: one at a time,
//   runs about a later case that is unlike all before it, so that its decision will take no time,
//   the next test, if the tables of its epoch stand,
//   the continuation of a deferred reduction.
//
// Where other processes make the tests, a thread of its own stores what they give back, so that they have work while
// jobs decide; they make those runs about later cases, too.
//
// A test is journaled before it runs. What a batch reports is run again alone; what still diverges then is a case. It
// is on disk before the test's verdict is.
//
// A campaign ends in one way, whether time is up, enough was found or somebody asked for the end: runs under way are
// given up. A test that was cut off has no verdict and is made again on --resume; a confirmation that was cut off
// leaves its candidate, which --resume confirms before it decides anything else.
//
// A test in which an invariant of jitprobe breaks ends as `internal_error`; what it shares with others is left as it
// stood between two steps (locks and children belong to scopes), and the job takes the next number. If an invariant
// breaks in a reduction that no test waits for, the finding stays as it is stored.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/common/job_clocks.h"
#include "campaign/common/stop_condition.h"
#include "campaign/common/stopwatch.h"
#include "campaign/known/known_state.h"
#include "campaign/lease_pool.h"
#include "campaign/making/broken_promises.h"
#include "campaign/making/epoch_tables.h"
#include "campaign/tested.h"
#include "campaign/triage/open_cases.h"
#include "campaign/triage/triager.h"
#include "report/store.h"

namespace jp::campaign {

class Campaign {
 public:
  Campaign(const CampaignOptions& options, CampaignEvents& events, StopCondition& stop_condition, report::Store& store,
           const OpenPool& open_pool)
      : options_(options),
        events_(events),
        stop_condition_(stop_condition),
        store_(store),
        open_pool_(open_pool),
        seeds_(options.maker.seed_sources) {}

  Result<Tally> run(std::vector<std::unique_ptr<pyrunner::Runner>> runners);

 private:
  std::uint64_t decided() const;
  std::uint64_t border() const;
  bool over();
  void job(pyrunner::Runner& runner, PhaseClock& clock);
  bool has_work();
  bool is_done();
  bool decide_next(pyrunner::Runner& runner);
  Status decide(pyrunner::Runner& runner, const OpenCases::Taken& taken);
  void end_if_enough();
  Status finish_earlier(pyrunner::Runner& runner);
  OpenCases::WorthAhead worth_ahead(bool alike) const;
  bool study_ahead(pyrunner::Runner& runner);
  bool has_next();
  std::optional<std::uint64_t> next_number();
  bool test_next(pyrunner::Runner& runner, Tester& tester);
  Status open_pool();
  void keep_results();
  bool take_results();
  Status lease_cases();
  Status take_studies(bool& any);
  void return_cases();
  Status open_epochs();
  Status take_from_pool(bool& any);
  Status test(Tester& tester, std::uint64_t number);
  Status begin(const Tested& begun);
  Status keep_promises(const std::vector<TestPromises>& tests);
  Status keep_program(const Tested& tested) const;
  void count(const Tested& tested);
  Status record(const std::vector<Tested>& results);
  Status end_broken(const Tested& tested);
  void bide(pyrunner::Runner& runner);
  bool wants_finish();
  void finish(pyrunner::Runner& runner);
  bool keep_late();
  void guarded(const std::function<void()>& work);
  void side_by_side(const std::function<void(std::size_t job)>& work);
  Status load(std::vector<std::unique_ptr<pyrunner::Runner>> runners);
  void make_tests();
  void finish_all();
  Status know();
  Status as_far_as_it_goes(const std::function<Status()>& work);
  void note_broken(const std::string& what);
  void count_seed(std::uint64_t number);
  void fail(const Error& error);
  bool has_failed();
  void show();
  void count_all();

  const CampaignOptions& options_;
  CampaignEvents& events_;
  StopCondition& stop_condition_;
  report::Store& store_;
  const OpenPool& open_pool_;
  std::optional<Triager> triager_;
  std::unique_ptr<OpenCases> cases_;
  std::unique_ptr<EpochTables> tables_;
  std::optional<BrokenPromises> promises_;  // guarded by promises_mutex_
  std::mutex promises_mutex_;
  InternalErrors broken_;
  std::vector<Standing> standings_;  // of the known bugs
  std::unique_ptr<LeasePool> pool_;  // if other processes make the tests
  std::uint64_t pool_epoch_ = 0;     // the next that is to be opened there; of the thread that stores results
  std::map<std::uint64_t, OpenCases::Taken> leased_;        // that other processes study, by test; of the same thread
  std::vector<std::unique_ptr<pyrunner::Runner>> runners_;  // one a job
  std::unique_ptr<JobClocks> clocks_;                       // from the first test on
  std::unique_ptr<JobsAtWork> at_work_;

  std::atomic<bool> enough_ = false;  // is found: nothing more is decided

  std::mutex mutex_;  // guards everything below
  Tally tally_;
  std::optional<Error> failure_;
  std::uint64_t next_ = 0;
  SeedLog seeds_;
  Stopwatch started_;                   // when the first test began
  std::size_t testing_ = 0;             // jobs that have not ended
  std::size_t making_ = 0;              // tests under way
  bool finishing_ = false;              // what earlier runs of the campaign left is being finished
  bool looking_ = false;                // results of other processes are being stored
  std::condition_variable progressed_;  // there may be other work, or none
};

}  // namespace jp::campaign
