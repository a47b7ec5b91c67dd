// The tables by which a campaign's tests are made, epoch by epoch: suppressions and the feedback
// state. Shared by all jobs. An epoch's tables exist once all tests are decided that they are computed from: those of
// epochs up to the last but one; suppressions lag behind by as much or more (campaign/common/epochs.h). What comes of
// later tests is left out of them, whenever they are computed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaign/feedback/suppressions.h"
#include "campaign/feedback/test_log.h"
#include "campaign/making/test_maker.h"
#include "report/store.h"

namespace jp::campaign {

class EpochTables {
 public:
  /// Reads what the campaign in the store has learnt so far. Options and store must outlive it. `decided`: the number
  /// below which all tests have their verdicts and their divergences have their triage decisions.
  static Result<std::unique_ptr<EpochTables>> open(const MakerOptions& options, const report::Store& store,
                                                   std::function<std::uint64_t()> decided);

  /// Says what was known before the campaign. A campaign that has begun keeps to what it was told then: triggers that
  /// are stored, or none.
  Status know(std::vector<Features> triggers);

  /// Keeps a test's tables alive while it is made.
  struct Held {
    const Suppressions* suppressions = nullptr;
    std::shared_ptr<const FeedbackState> feedback;
    Tables tables() const { return {suppressions, feedback.get()}; }
  };
  /// The tables of a test's epoch; suppressions are stored on disk before they are first used. Nothing while tests that
  /// the tables depend on are running.
  Result<std::optional<Held>> tables_for(std::uint64_t number);
  /// Whether the tables of the test's epoch exist yet.
  bool stand_for(std::uint64_t number) const;
  /// Stores the suppressions that no divergence of this test or a later one may change. To be called before the triage
  /// decision on one of this test.
  Status seal(std::uint64_t number);
  /// Adds tests: what they were made of, and how the compiler took them.
  Status learn(std::vector<TestRecord> rows);

 private:
  EpochTables(const MakerOptions& options, const report::Store& store, std::function<std::uint64_t()> decided)
      : options_(options), store_(store), decided_(std::move(decided)) {}
  Result<const Suppressions*> suppressions_of_epoch(std::uint64_t epoch);

  const MakerOptions& options_;
  const report::Store& store_;
  const std::function<std::uint64_t()> decided_;
  std::mutex mutex_;                                    // guards everything below
  std::vector<Features> known_;                         // what was known before the campaign
  std::map<std::uint64_t, Suppressions> suppressions_;  // by epoch; entries are never removed
  std::optional<TestLog> test_log_;
};

}  // namespace jp::campaign
