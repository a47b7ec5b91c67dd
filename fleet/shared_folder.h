// A pool of processes that see a shared folder: an array of jobs of a cluster, for example. The
// driver has the campaign; the folder holds what they need and what they give back, and may lie on a network file
// system:
//
//   campaign.json            the terms of all leases (campaign/lease.h), and how many tests a range has
//   tables/EPOCH.json        the tables of an epoch, once they stand
//   done/BEGIN-END.json      the results of a range of tests, one object a line
//   unlike/BEGIN-END.INDEX.json  results that were unlike those that are in done/
//   driver                   a number that grows while the driver lives; without that the others end, too
//   ended                    there is nothing more to do
//
// Every file is written beside its place, synced and renamed. A range that nobody gives back is made by another
// process. The first result of a range counts; a process that comes second compares.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "campaign/common/stopwatch.h"
#include "campaign/lease_pool.h"
#include "codec/json.h"
#include "core/result.h"
#include "fleet/ranges.h"

namespace jp::fleet {

/// The driver's side.
class SharedFolder : public campaign::LeasePool {
 public:
  /// Makes the folder, or goes on with it; an Error if another campaign uses it.
  static Result<std::unique_ptr<SharedFolder>> open(const std::string& folder,
                                                    const campaign::LeasedCampaign& campaign);
  /// Stores the tables, unless they are there.
  Status put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make) override;
  /// The results of a range that were not taken yet, if any are there. Says that the driver is alive, too.
  Result<std::vector<campaign::Tested>> take() override;
  /// Ranges for which a second process came to something else.
  std::vector<std::string> take_notes() override;
  Status end() override;

 private:
  SharedFolder(std::string folder, campaign::LeasedCampaign campaign)
      : folder_(std::move(folder)), campaign_(std::move(campaign)) {}
  Status beat();
  Result<std::vector<campaign::Tested>> results_in(const std::string& file) const;

  const std::string folder_;
  const campaign::LeasedCampaign campaign_;
  std::vector<std::uint64_t> open_;  // epochs whose tables are there, but for those all of whose results were taken
  std::set<std::string> said_;       // files of which take_notes has spoken
  std::uint64_t beats_ = 0;
  campaign::Stopwatch beaten_;
};

/// Whether two results of a range say the same, but for times and memory. An Error if one is damaged.
Result<bool> same_results(const std::string& one, const std::string& other);

/// The other side: makes ranges of tests until the campaign has ended or `stop` is set. `index` of `count`: which
/// ranges come first, so that processes begin with different ones.
struct Served {
  std::uint64_t tests = 0;
  std::string refused = "";  // the sentence that says why this machine can't
};
Result<Served> serve(const std::string& folder, std::uint64_t index, std::uint64_t count, const std::atomic<bool>& stop,
                     const std::function<void(const std::string&)>& note);

}  // namespace jp::fleet
