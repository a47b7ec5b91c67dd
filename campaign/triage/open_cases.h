// The cases of a campaign that have no triage decision yet. They are decided in the order of tests, one at a time; runs
// about those that are unlike all earlier ones may be made ahead.
//
// A case is on disk (waiting/NUMBER.json) before its test's verdict is, and until it is decided, so that a campaign
// that was killed decides it without making the test again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/triage/case.h"
#include "core/result.h"

namespace jp::campaign {

/// The cases that a campaign's folder holds, by test; those of tests without a verdict count for nothing (`ended`:
/// whether a test has one).
Result<std::set<std::uint64_t>> waiting_cases(const std::string& folder,
                                              const std::function<bool(std::uint64_t)>& ended);

/// Thread-safe.
class OpenCases {
 public:
  /// Opens those in the campaign's folder.
  static Result<std::unique_ptr<OpenCases>> open(const std::string& folder,
                                                 const std::function<bool(std::uint64_t)>& ended);

  /// A case's JSON text, as it is on disk.
  using Text = std::shared_ptr<const std::string>;
  /// Their texts, in the same order. On disk when it returns; they are not seen before the next call of `enter`.
  Result<std::vector<Text>> keep(const std::vector<const Case*>& cases) const;
  /// The case of that test takes its place: to be called before its test gets its verdict. `text`: what `keep` gave;
  /// null if it isn't at hand.
  void enter(const Case& one, Text text = nullptr);
  /// The smallest test with a case; nothing if there is none.
  std::optional<std::uint64_t> first() const;
  /// Cases that no job has begun with.
  std::uint64_t waiting() const;

  /// A case that a job works on, and what is remembered of it.
  struct Taken {
    Case one;
    std::shared_ptr<CaseMemory> memory;
    StudyParts parts = {};  // of one that is taken ahead
    Text text = nullptr;    // null if it isn't at hand
  };
  /// The first case, to be decided, if its test is below `border` and no job works on it or decides another; else
  /// nothing.
  Result<std::optional<Taken>> take_first(std::uint64_t border);
  /// Whether take_first would give one.
  bool has_turn(std::uint64_t border) const;
  /// A case about which runs are worth making ahead, and which ones: the first such one that no job has worked on.
  struct WorthAhead {
    /// Whether the campaign has findings of an unrefined signature. All runs are worth making about a case that is
    /// unlike all before it.
    std::function<bool(const Signature&)> known;
    /// Whether the place of one that looks like that is worth measuring.
    std::function<bool(const Signature&)> place;
    /// About one that is like others its place is measured, if that is worth it; else it is left to its decision.
    bool alike = false;
  };
  Result<std::optional<Taken>> take_ahead(const WorthAhead& worth);
  /// To be called with what was taken: it is open still.
  void give_back(const Taken& taken);
  /// The same: it has its decision.
  Status decided(const Taken& taken);

 private:
  struct Item {
    Signature signature;  // unrefined
    std::shared_ptr<CaseMemory> memory = std::make_shared<CaseMemory>();
    /// Until somebody has looked whether runs about it are worth making ahead: mostly that is at once.
    std::shared_ptr<const Case> fresh = nullptr;
    Text text = nullptr;  // as long as `fresh`
    bool taken = false;
    bool ahead = false;  // runs were made ahead
    bool begun = false;
  };
  explicit OpenCases(std::string folder) : folder_(std::move(folder)) {}
  std::string file_of(std::uint64_t test) const;
  Result<std::optional<Taken>> take(std::uint64_t test);

  const std::string folder_;
  mutable std::mutex mutex_;             // guards everything below
  std::map<std::uint64_t, Item> items_;  // by test
  std::optional<std::uint64_t> deciding_;
};

}  // namespace jp::campaign
