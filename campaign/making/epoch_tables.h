// The tables by which a campaign's tests are made, epoch by epoch: masks, the guide's, and what was learnt. Shared by
// all jobs. Tables of an epoch stand once all tests have ended that it learns from: those of epochs up to the last but
// one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "campaign/feedback/guide.h"
#include "campaign/feedback/suppressions.h"
#include "campaign/feedback/test_log.h"
#include "campaign/making/test_maker.h"
#include "report/store.h"

namespace jp::campaign {

class EpochTables {
 public:
  /// Reads what the campaign in the store has learnt so far. Options and store must outlive it.
  static Result<std::unique_ptr<EpochTables>> open(const MakerOptions& options, const report::Store& store);

  /// What holds a test's tables while it is made.
  struct Held {
    const Suppressions* suppressions = nullptr;
    std::shared_ptr<const GuideTable> guide;
    std::shared_ptr<const FeedbackState> feedback;
    Tables tables() const { return {suppressions, guide.get(), feedback.get()}; }
  };
  /// The tables of a test's epoch, the masks kept on disk before they are first used; nothing while tests that they
  /// depend on go on.
  Result<std::optional<Held>> tables_for(std::uint64_t number);
  /// Whether there are tables of the test's epoch yet.
  bool stand_for(std::uint64_t number) const;
  /// What a test was made of, how the compiler took it, and what a generated seed covered.
  Status learn(const TestCase& test, TestRecord row);

 private:
  EpochTables(const MakerOptions& options, const report::Store& store) : options_(options), store_(store) {}
  Result<const Suppressions*> suppressions_of_epoch(std::uint64_t epoch);

  const MakerOptions& options_;
  const report::Store& store_;
  std::mutex mutex_;                                    // of all that follows
  std::map<std::uint64_t, Suppressions> suppressions_;  // by epoch; none is ever taken out
  std::optional<GuideLog> guide_;                       // of a guided campaign
  std::optional<TestLog> test_log_;
};

}  // namespace jp::campaign
