// A campaign's tests made by other processes that see a shared folder: an array of jobs of a cluster, for example. The
// driver has the campaign; the folder holds what they need and what they give back, and may lie on a network file
// system:
//
//   campaign.json            the terms of all leases (campaign/lease.h), and how many tests a range has
//   tables/EPOCH.json        the tables of an epoch, once they stand
//   done/BEGIN-END.json      the results of a range of tests, one object a line
//   driver                   a number that grows while the driver lives; without that the others end, too
//   ended                    there is nothing more to do
//
// Every file is written beside its place, synced and renamed. A range that nobody gives back is made by another
// process; two results of one range are the same, and the first one counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/common/epochs.h"
#include "campaign/common/stopwatch.h"
#include "campaign/tested.h"
#include "codec/json.h"
#include "core/result.h"

namespace jp::campaign {

/// Tests in a range. Chosen, not measured: some seconds of work, so that little is lost with a process.
inline constexpr std::uint64_t kLeasedTests = 10;

/// The ranges into which the tests of an epoch below `tests` are divided: begin and end of each.
std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_of(const Epochs& epochs, std::uint64_t epoch,
                                                               std::optional<std::uint64_t> tests);

/// The driver's side.
class SharedFolder {
 public:
  /// Makes the folder, or goes on with it; an Error if another campaign uses it.
  static Result<std::unique_ptr<SharedFolder>> open(const std::string& folder, const codec::Json& terms,
                                                    const Epochs& epochs, std::optional<std::uint64_t> tests);
  /// Stores the tables of an epoch, which `make` gives, unless they are there.
  Status put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make);
  /// The epochs whose tables are there, ascending, but for those all of whose results were taken.
  const std::vector<std::uint64_t>& epochs() const { return open_; }
  /// The results of a range that were not taken yet, if any are there; of tests that `ended` holds for nothing is read.
  Result<std::vector<Tested>> take(const std::function<bool(std::uint64_t)>& ended);
  /// Says that the driver is alive; to be called again and again.
  Status beat();
  /// Tells all processes to end.
  Status end();

 private:
  SharedFolder(std::string folder, const Epochs& epochs, std::optional<std::uint64_t> tests)
      : folder_(std::move(folder)), epochs_(epochs), tests_(tests) {}

  const std::string folder_;
  const Epochs epochs_;
  const std::optional<std::uint64_t> tests_;
  std::vector<std::uint64_t> open_;
  std::uint64_t beats_ = 0;
  Stopwatch beaten_;
};

/// The other side: makes ranges of tests until the campaign has ended or `stop` is set. `index` of `count`: which
/// ranges come first, so that processes begin with different ones.
struct Served {
  std::uint64_t tests = 0;
  std::string refused = "";  // the sentence that says why this machine can't
};
Result<Served> serve(const std::string& folder, std::uint64_t index, std::uint64_t count, const std::atomic<bool>& stop,
                     const std::function<void(const std::string&)>& note);

}  // namespace jp::campaign
