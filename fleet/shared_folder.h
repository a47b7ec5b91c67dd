// A pool of processes that see a shared folder: an array of jobs of a cluster, for example. The driver has the
// campaign; the folder holds what they need and what they give back (fleet/folder_files.h).
//
// A process notes what it is doing, and that it lives. One that says nothing for some beats has died. A test in which
// kMostFailures died is skipped; a case in whose study so many died is left to the driver.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
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
#include "fleet/folder_files.h"
#include "fleet/ranges.h"
#include "fleet/sign.h"
#include "report/files.h"

namespace jp::fleet {

/// A driver says so often, in its folder, that it lives. Chosen, not measured.
constexpr std::chrono::seconds kBetweenBeats{10};
/// The driver's side. A thread of its own says that it lives, whatever the campaign's jobs do.
class SharedFolder : public campaign::LeasePool {
 public:
  /// A process that says nothing for so many beats has died. Chosen, not measured.
  static constexpr int kSilentBeats = 6;
  /// How many results are taken at once, about. Chosen, not measured.
  static constexpr std::size_t kAtOnce = 500;

  /// Whether a campaign of these settings, driven by a process of this fingerprint, may use the folder, as far as that
  /// can be known before it has begun. Makes the folder with its parts if there is no campaign in it.
  static Status check(const std::string& folder, const codec::Json& fingerprint, const codec::Json& settings);
  /// Makes the folder, or goes on with it; an Error if another campaign or another driver uses it.
  static Result<std::unique_ptr<SharedFolder>> open(const std::string& folder, const campaign::LeasedCampaign& campaign,
                                                    std::chrono::milliseconds between_beats = kBetweenBeats);
  /// Stores the tables; an Error if others are there.
  Status put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make) override;
  /// Results that were not taken yet, those of whole ranges, about kAtOnce at most. An Error if a file of them is
  /// damaged or lacks a test, or if the folder can't be written.
  Result<std::vector<campaign::Tested>> take() override;
  Status put_case(std::uint64_t test, const std::string& asked) override;
  /// An answer that is damaged counts as none.
  std::vector<StudiedCase> take_cases() override;
  /// What a person should know: who died, what a second process came to that is unlike, what was mended.
  std::vector<std::string> take_notes() override;
  Status end() override;

 private:
  SharedFolder(std::string folder, campaign::LeasedCampaign campaign, std::chrono::milliseconds between_beats)
      : folder_(std::move(folder)), campaign_(std::move(campaign)), between_beats_(between_beats) {}
  void beat();
  Status alive();
  Status count_deaths();
  Status mend();
  Status look_into(std::uint64_t thousand, std::set<std::uint64_t>& open, std::vector<campaign::Tested>& results) const;
  Status look_at(const std::string& name, std::set<std::uint64_t>& open, std::vector<campaign::Tested>& results) const;
  Status add_results(const Range& range, std::vector<campaign::Tested>& results) const;
  void add_skipped(std::vector<campaign::Tested>& results) const;

  const std::string folder_;
  const campaign::LeasedCampaign campaign_;
  const std::string name_ = name_of_process();
  std::unique_ptr<report::Lock> lock_;
  const std::chrono::milliseconds between_beats_;
  /// First tests of ranges whose results are waited for, by thousand.
  std::map<std::uint64_t, std::set<std::uint64_t>> open_;
  std::set<std::uint64_t> cases_;    // put and not taken
  std::set<std::uint64_t> skipped_;  // tests
  std::set<std::string> said_;       // files of which take_notes has spoken
  std::vector<std::string> notes_;
  std::string terms_;                            // as text
  std::map<std::uint64_t, std::string> tables_;  // of the open epochs, as text
  Deaths deaths_;
  struct Watched {
    Note note;
    campaign::Stopwatch since;  // it was first seen
  };
  std::map<std::string, Watched> watched_;  // by process
  campaign::Stopwatch looked_;              // since deaths were counted
  int absent_ = 0;                          // beats in a row in which no process was there

  std::mutex mutex_;  // guards everything below
  std::uint64_t beats_ = 0;
  Status beaten_ = Done{};  // the last time

  std::optional<campaign::Ticker> beating_;  // last: it uses the others
};

}  // namespace jp::fleet
