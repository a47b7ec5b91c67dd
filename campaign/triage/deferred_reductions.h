// Reductions of a campaign that reached their bound before they came to the end: put aside, and gone on with when there
// is nothing better to do. Each stays in memory with what it knows, so that going on costs nothing that was asked
// before.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "campaign/triage/reduction.h"
#include "core/verdict.h"

namespace jp::campaign {

/// Not safe by itself: its owner locks.
class DeferredReductions {
 public:
  struct Item {
    Finding finding;
    Reduction reducing;
    bool taken = false;
  };

  /// Puts a finding's reduction aside; one that is there already stays as it is.
  void put(const Finding& finding, Reduction reducing);
  /// The first that nobody is at, for the caller alone until it is given back; nullptr when there is none.
  Item* take();
  /// Gives it back; `done`: nobody needs to go on with it.
  void give_back(Item* item, bool done);
  std::size_t size() const { return items_.size(); }

 private:
  std::vector<std::unique_ptr<Item>> items_;
};

}  // namespace jp::campaign
