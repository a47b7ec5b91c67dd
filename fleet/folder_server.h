// A process of a shared folder: makes ranges of tests and studies cases of a campaign that a driver has
// (fleet/shared_folder.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "campaign/common/stopwatch.h"
#include "core/result.h"

namespace jp::fleet {

/// In seconds: a driver that says nothing for so long is taken for dead, and a folder without a campaign by then is
/// refused. Chosen, not measured.
constexpr double kSilence = 600;

/// Whether the driver's file still changes, by this machine's own clock, and whether it is still the same driver.
class DriverWatch {
 public:
  explicit DriverWatch(const std::string& folder, double silence = kSilence);
  bool lives();
  /// Whether another driver was seen than the one before, since it was asked last.
  bool is_another();

 private:
  const std::string file_;
  const double silence_;  // seconds
  std::string said_;
  bool another_ = false;
  campaign::Stopwatch since_;
};

/// Studies cases and makes ranges of tests until the campaign has ended or `stop` is set. `index` of `count`: which
/// cases and ranges come first, so that processes begin with different ones. An Error if there is no folder with a
/// campaign after `patience` seconds, or if the driver falls silent. What it is doing when the campaign ends is given
/// up. Ends the process with status 2 if a test or a
/// study in it is overdue (fleet/patience.h).
struct Served {
  std::uint64_t tests = 0;
  std::uint64_t cases = 0;
  std::string refused = "";  // the sentence that says why this machine can't
  bool stopped = false;      // before the campaign had ended
};
Result<Served> serve(const std::string& folder, std::uint64_t index, std::uint64_t count, const std::atomic<bool>& stop,
                     const std::function<void(const std::string&)>& note, double patience = kSilence);

}  // namespace jp::fleet
