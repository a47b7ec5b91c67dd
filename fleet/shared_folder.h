// A pool of processes that see a shared folder: an array of jobs of a cluster, for example. The
// driver has the campaign; the folder holds what they need and what they give back, and may lie on a network file
// system:
//
//   campaign.json            the terms of all leases (campaign/lease.h), and how many tests a range has
//   tables/EPOCH.json        the tables of an epoch, once they stand
//   done/BEGIN-END.json      the results of a range of tests, one object a line
//   unlike/BEGIN-END.INDEX.json  results that were unlike those that are in done/
//   driver                   the driver's process, and a number that grows while it lives; else the others end, too
//   ended                    there is nothing more to do
//
// Every file is written beside its place, synced and put there whole. A range that nobody gives back is made by another
// process. The first result of a range counts; a process that comes second compares.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/common/stopwatch.h"
#include "campaign/common/ticker.h"
#include "campaign/lease_pool.h"
#include "codec/json.h"
#include "core/result.h"
#include "fleet/ranges.h"

namespace jp::fleet {

/// A driver says so often, in its folder, that it lives. Chosen, not measured.
constexpr std::chrono::seconds kBetweenBeats{10};
/// In seconds: a driver that says nothing for so long is taken for dead. Chosen, not measured.
constexpr double kSilence = 600;

/// The driver's side. A thread of its own says that it lives, whatever the campaign's jobs do.
class SharedFolder : public campaign::LeasePool {
 public:
  /// Makes the folder, or goes on with it; an Error if another campaign uses it.
  static Result<std::unique_ptr<SharedFolder>> open(const std::string& folder, const campaign::LeasedCampaign& campaign,
                                                    std::chrono::milliseconds between_beats = kBetweenBeats);
  /// Stores the tables, unless they are there.
  Status put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make) override;
  /// The results of a range that were not taken yet, if any are there. An Error if a file of them is damaged or lacks
  /// a test, or if the folder can't be written.
  Result<std::vector<campaign::Tested>> take() override;
  /// Ranges for which a second process came to something else.
  std::vector<std::string> take_notes() override;
  Status end() override;

 private:
  SharedFolder(std::string folder, campaign::LeasedCampaign campaign)
      : folder_(std::move(folder)), campaign_(std::move(campaign)) {}
  void beat();
  Status alive();
  Result<std::vector<campaign::Tested>> results_of(const Range& range) const;

  const std::string folder_;
  const campaign::LeasedCampaign campaign_;
  std::vector<std::uint64_t> open_;  // epochs whose tables are there, but for those all of whose results were taken
  std::set<std::string> said_;       // files of which take_notes has spoken

  std::mutex mutex_;  // guards everything below
  std::uint64_t beats_ = 0;
  Status beaten_ = Done{};  // the last time

  std::optional<campaign::Ticker> beating_;  // last: it uses the others
};

/// Whether the driver's file still changes, by this machine's own clock.
class DriverWatch {
 public:
  explicit DriverWatch(const std::string& folder, double silence = kSilence);
  bool lives();

 private:
  const std::string file_;
  const double silence_;  // seconds
  std::string said_;
  campaign::Stopwatch since_;
};

/// Whether two results of a range say the same, but for times and memory. An Error if one is damaged.
Result<bool> same_results(const std::string& one, const std::string& other);

/// Puts the results of a range in the folder, one object a line, unless another process was first: then they are
/// compared, and kept in unlike/ if they differ. `index`: of the process.
Status give_back(const std::string& folder, const Range& range, std::uint64_t index, const std::string& lines);

/// The other side: makes ranges of tests until the campaign has ended or `stop` is set. `index` of `count`: which
/// ranges come first, so that processes begin with different ones. An Error if the driver falls silent.
struct Served {
  std::uint64_t tests = 0;
  std::string refused = "";  // the sentence that says why this machine can't
};
Result<Served> serve(const std::string& folder, std::uint64_t index, std::uint64_t count, const std::atomic<bool>& stop,
                     const std::function<void(const std::string&)>& note);

}  // namespace jp::fleet
