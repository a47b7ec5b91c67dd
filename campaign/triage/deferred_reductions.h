// Reductions of a campaign that reached their bound before they were finished: deferred, and continued when there is
// nothing better to do. One that was continued stays in memory with its answers, so that continuing it again costs no
// repeated runs; of the others, which may be many in a long campaign, only the IDs do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/triage/reduction.h"
#include "core/verdict.h"

namespace jp::campaign {

/// Not thread-safe: its owner locks.
class DeferredReductions {
 public:
  struct Work {
    Finding finding;
    Reduction reducing;
  };
  struct Item {
    std::string id;  // of the finding, which is in the campaign's folder
    std::uint64_t first_test = 0;
    bool taken = false;
    /// From when it is first continued until it has ended.
    std::optional<Work> work = std::nullopt;
    /// The result, once no pass makes it smaller. What it met on the way is still to be looked at.
    std::optional<Piece> ended = std::nullopt;
  };

  /// Defers a finding's reduction; one that is there already stays as it is.
  void put(const std::string& id, std::uint64_t first_test);
  /// The first that has not ended and that no job is working on, for the caller alone until it is given back; nullptr
  /// if there is none.
  Item* take();
  /// The same of those that have ended, in the order of tests.
  Item* take_ended();
  /// Returns an item; `done`: it needs no further work.
  void give_back(Item* item, bool done);
  std::size_t size() const { return items_.size(); }

 private:
  std::vector<std::unique_ptr<Item>> items_;
};

}  // namespace jp::campaign
