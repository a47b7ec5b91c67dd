// Where other processes make a campaign's tests: what the campaign asks of such a pool. Which machines they run on and
// how they are reached is the pool's matter (fleet/).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/common/epochs.h"
#include "campaign/tested.h"
#include "codec/codec.h"
#include "core/result.h"

namespace jp::campaign {

/// What a pool is told of a campaign.
struct LeasedCampaign {
  codec::Json terms;  // of all leases (campaign/lease.h)
  Epochs epochs;
  std::optional<std::uint64_t> tests;  // numbers 0 .. tests-1; nothing: without end
  std::string folder;                  // the campaign's own, for what is kept for a person to read
  /// Whether a test has its result: it is not made again. Called from any thread.
  std::function<bool(std::uint64_t)> ended;
};

/// Used by one thread at a time.
class LeasePool {
 public:
  virtual ~LeasePool() = default;
  /// Opens an epoch, whose tables `make` gives; epochs come in ascending order.
  virtual Status put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make) = 0;
  /// Results of tests that have none yet, in any order; to be called again and again. An Error if no more will come.
  virtual Result<std::vector<Tested>> take() = 0;
  /// Has a case studied (`asked`: JSON text, campaign/case_lease.h), before tests are made.
  virtual Status put_case(std::uint64_t test, const std::string& asked) = 0;
  /// Cases that were, in any order; without answers if nobody could.
  struct StudiedCase {
    std::uint64_t test = 0;
    std::optional<codec::Json> answers;
  };
  virtual std::vector<StudiedCase> take_cases() = 0;
  /// What a person should know of since the last call.
  virtual std::vector<std::string> take_notes() { return {}; }
  /// Tells all processes to end.
  virtual Status end() = 0;
};

/// Opens the pool for a campaign, or says why that can't be.
using OpenPool = std::function<Result<std::unique_ptr<LeasePool>>(const LeasedCampaign&)>;

}  // namespace jp::campaign
