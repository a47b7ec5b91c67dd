#include "campaign/triage/deferred_reductions.h"

#include <algorithm>
#include <utility>

namespace jp::campaign {

void DeferredReductions::put(const std::string& id, std::uint64_t first_test) {
  if (std::any_of(items_.begin(), items_.end(), [&](const auto& item) { return item->id == id; })) return;
  items_.push_back(std::make_unique<Item>(Item{.id = id, .first_test = first_test}));
}

DeferredReductions::Item* DeferredReductions::take() {
  // What is taken belongs to whoever took it: nothing of it is read.
  for (const auto& item : items_)
    if (!item->taken && !item->ended) {
      item->taken = true;
      return item.get();
    }
  return nullptr;
}

DeferredReductions::Item* DeferredReductions::take_ended() {
  Item* first = nullptr;
  for (const auto& item : items_)
    if (!item->taken && item->ended && (!first || item->first_test < first->first_test)) first = item.get();
  if (first) first->taken = true;
  return first;
}

void DeferredReductions::give_back(Item* item, bool done) {
  item->taken = false;
  if (done) std::erase_if(items_, [&](const auto& other) { return other.get() == item; });
}

}  // namespace jp::campaign
