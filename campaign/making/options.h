// What a campaign is asked to do, what it counts, and what it reports while it runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/common/internal_errors.h"
#include "campaign/common/job_clocks.h"
#include "campaign/common/jobs_at_work.h"
#include "campaign/common/lazy_runner.h"
#include "campaign/making/test_maker.h"
#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/known.h"
#include "report/store.h"

namespace jp::campaign {

/// What is known before a campaign begins.
struct KnownBefore {
  /// As they were asked for: absolute paths, {"none"}, or empty for the project's corpus.
  std::vector<std::string> folders;
  /// Findings that are one of them, where it reproduces on this torch, are counted and not reported.
  std::vector<report::KnownBug> bugs;
  /// Folders of earlier campaigns, whose findings are suppressed.
  std::vector<std::string> campaigns;
};

struct CampaignOptions {
  MakerOptions maker;
  int jobs = 1;
  std::optional<double> seconds;       // from the first test on, confirmations included
  std::optional<std::uint64_t> tests;  // numbers 0 .. tests-1
  std::optional<std::uint64_t> only;   // this number and no other
  /// Ends as if time were up once this run of the campaign has so many distinct, confirmed findings.
  std::optional<std::uint64_t> until_findings;
  std::string folder;
  /// The existing folder that each judged program is written to, as test_NUMBER.py; "" for none.
  std::string keep_programs = "";
  pyrunner::RunnerOptions runner;
  /// Whoever has run the user's programs: the jobs share its zygote. It is taken when they start; null for none.
  std::shared_ptr<LazyRunner> tried_by = nullptr;
  /// Programs tried at most to make a new finding small; 0 leaves findings as they are.
  std::int64_t reduce = 150;
  /// Whether reductions continue to their end after the last test: true even past `seconds`, false not at all. By
  /// default they continue as long as `seconds` allow.
  std::optional<bool> finish;
  KnownBefore known;
};

/// What came of divergences.
struct KeptCounts {
  std::uint64_t findings = 0;  // distinct and confirmed
  std::uint64_t known = 0;     // the same, of known bugs
  std::uint64_t flaky = 0;
  std::uint64_t candidates = 0;  // the campaign ended before they were confirmed: --resume does that first
  std::uint64_t waiting = 0;     // divergences whose turn has not come: --resume decides them
  std::uint64_t unfinished = 0;  // confirmed, and not fully reduced
};

/// Counts of a campaign. A test is one compiled program with its eager reference; vacuous ones are not counted.
struct Tally {
  std::uint64_t tests = 0;
  std::uint64_t valid = 0;  // seeds that eager accepted
  std::uint64_t rejected = 0;
  std::uint64_t vacuous = 0;
  std::uint64_t unstable = 0;
  std::uint64_t eager_wrong = 0;    // of those that agree: only the compiled run agrees with a higher precision
  std::uint64_t only_in_batch = 0;  // differed in a batch, and neither alone nor with memory filled
  // With other processes (campaign/lease_pool.h):
  std::uint64_t made_elsewhere = 0;     // tests that they made, and that this run of the campaign stored
  double store_seconds = 0;             // spent on that
  std::uint64_t studied_elsewhere = 0;  // new findings of which they found out whether they reproduce
  std::uint64_t divergences = 0;        // tests whose divergence reproduced when run again alone
  /// What jitprobe's own worker could not do on this torch, and the number of runs in which that happened.
  std::map<std::string, std::int64_t> broken;
  KeptCounts kept;
  std::vector<InternalErrorOf> internal_errors;  // of this run of the campaign
  std::vector<SeedCount> seeds;                  // by source, earlier starts of the campaign included
  double seconds = 0;                            // from the first test to the last
  JobTime time;                                  // where the time went, from the first test to the end of the campaign
  double tests_per_second() const { return seconds > 0 ? static_cast<double>(tests) / seconds : 0; }
};

/// A campaign at one moment.
struct CampaignNow {
  Tally tally;
  std::vector<JobAtWork> jobs;
};

/// What a campaign reports while it runs; called from its threads, one at a time.
class CampaignEvents {
 public:
  virtual ~CampaignEvents() = default;
  virtual void note(const std::string& line) = 0;
  /// Called twice a second from the first test on.
  virtual void progress(const CampaignNow& now) = 0;
  /// `like`: what is said of known bugs that the finding looks like; mostly "".
  virtual void finding(const Finding& finding, const std::string& title, const std::string& like) = 0;
};

}  // namespace jp::campaign
