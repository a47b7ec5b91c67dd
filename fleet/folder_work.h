// What a process of a shared folder does next. Cases come before tests, since decisions wait for them, and earlier
// epochs before later ones; of cases, and of the ranges of an epoch, its own come first, then those of others that
// nobody is at work on. Last comes what takes another one long.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/common/epochs.h"
#include "core/result.h"
#include "fleet/ranges.h"
#include "fleet/sign.h"

namespace jp::fleet {

class FolderWork {
 public:
  /// Every `count`-th case and range from `index` on are this process's own.
  struct Own {
    std::uint64_t index = 0;
    std::uint64_t count = 1;
  };
  /// What is done with what was chosen and claimed.
  struct Does {
    /// Makes a range of an epoch's tests, and puts its results in the folder.
    std::function<Status(std::uint64_t epoch, const Range& range)> make;
    /// Studies the case of a test, and puts the answers in the folder.
    std::function<Status(std::uint64_t test)> study;
  };
  /// `tests`: how many the campaign has; nothing: without end.
  FolderWork(std::string folder, Own own, const campaign::Epochs& epochs, std::optional<std::uint64_t> tests,
             Sign& sign, Does does, Clock clock = steady_clock());

  /// Studies a case or makes a range; false if there is none at the moment. An exception in it counts as a death of
  /// the process.
  Result<bool> next();
  /// Looks for all results again: those that were there may have been removed.
  void forget();
  /// In seconds, for a process that has found nothing.
  double between_looks() const { return between_looks_; }

 private:
  // Slots of a claim. The second one is for what takes others long.
  enum Slot { kFirst = 0, kSecond = 1 };
  struct Durations {
    double seconds = 0;
    std::uint64_t count = 0;
  };
  struct Seen {
    std::string owner;
    double since = 0;
  };

  bool may_look(std::uint64_t epoch);
  bool is_slow(const std::string& name, double least, const Durations& own);
  std::set<std::uint64_t> open_cases() const;
  std::set<std::string> claims() const;
  Result<bool> study_next(const std::set<std::uint64_t>& cases, bool own, Slot slot);
  Result<bool> make_own(std::uint64_t epoch, const std::vector<Range>& ranges);
  Result<bool> make_others(std::uint64_t epoch, const std::vector<Range>& ranges, const std::set<std::string>& claims,
                           Slot slot);
  Result<bool> copy_slow(const std::set<std::uint64_t>& cases, const std::vector<std::uint64_t>& epochs);
  Result<bool> claim_and_do(const std::string& name, Slot slot, const std::string& result, Durations& durations,
                            const std::function<Status()>& work);
  Status finish(const std::function<Status()>& work);
  void look_for_results(const std::vector<Range>& ranges);
  bool all_done(const std::vector<Range>& ranges) const;

  const std::string folder_;
  const Own own_;
  const campaign::Epochs epochs_;
  const std::optional<std::uint64_t> tests_;
  Sign& sign_;
  const Does does_;
  const Clock clock_;
  const double between_looks_;              // seconds
  std::map<std::uint64_t, double> looked_;  // when the results of an epoch were listed
  std::set<std::uint64_t> done_;            // first tests of ranges that have results, as far as it has looked
  std::map<std::string, Seen> seen_;        // who has a claim, and since when it has seen that
  Durations ranges_;                        // of its own
  Durations studies_;                       // of its own
  std::uint64_t first_ = 0;                 // all ranges of earlier epochs have results
};

}  // namespace jp::fleet
