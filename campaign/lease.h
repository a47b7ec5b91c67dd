// Tests of a campaign that another process makes, perhaps on another machine: what it is told, and what it gives back.
//
// It is told of the campaign once, of an epoch's tables before its first test, and then of ranges of tests, or of a
// divergence to study (case_lease.h). It gives back a result a test (Tested), or the answers, and has no state but what
// it was told: nothing of a campaign is written by it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/common/stop_condition.h"
#include "campaign/known/known_judge.h"
#include "campaign/known/known_state.h"
#include "campaign/making/epoch_tables.h"
#include "campaign/making/options.h"
#include "campaign/tested.h"
#include "codec/json.h"
#include "core/result.h"

namespace jp::campaign {

/// What is to be known of a campaign: the driver's `fingerprint` (campaign/fingerprint.h), its settings (with the
/// machine and the limits, as they are stored), and which known bugs reproduce.
codec::Json lease_terms(const codec::Json& fingerprint, const codec::Json& settings,
                        const std::vector<Standing>& standings);

/// An epoch's tables, with a hash of their text as "hash".
codec::Json leased_tables(std::uint64_t epoch, const EpochTables::Held& tables);

/// The process that makes the tests.
class Lessee {
 public:
  /// Epochs whose tables are kept: ranges lag behind by one at most.
  static constexpr std::size_t kMostTables = Epochs::kOpen + 1;

  struct Started {
    std::unique_ptr<Lessee> lessee;  // null if refused
    std::string refused;  // the sentence that says in what this process or its machine is unlike the campaign's
  };
  /// Starts a warm process and runs the self-test. An Error if it can't, or if the terms are damaged. `alive` is
  /// called several times a second while a program runs.
  static Result<Started> start(const codec::Json& terms, const StopCondition& stop_condition,
                               const std::function<void()>& alive = {});

  /// Takes the tables of an epoch; an Error if they are damaged.
  Status know(const codec::Json& tables);
  bool knows(std::uint64_t epoch) const { return tables_.contains(epoch); }
  const Epochs& epochs() const { return options_.maker.epochs; }
  /// Makes a test whose epoch's tables are known. Nothing if it was stopped before the end.
  Result<std::optional<Tested>> test(std::uint64_t number);
  /// Studies a case (campaign/case_lease.h). Nothing if it was stopped before the end.
  Result<std::optional<codec::Json>> study(const codec::Json& asked);

 private:
  struct Known {
    Suppressions suppressions;
    FeedbackState feedback;
  };
  explicit Lessee(const StopCondition& stop_condition) : stop_condition_(stop_condition) {}
  std::optional<Seen> look(const Divergence& met, std::uint64_t test);

  const StopCondition& stop_condition_;
  CampaignOptions options_;
  std::unique_ptr<pyrunner::Runner> runner_;
  std::optional<KnownJudge> known_;
  std::optional<Tester> tester_;
  std::map<std::uint64_t, Known> tables_;  // by epoch
};

}  // namespace jp::campaign
