#include "core/names.h"

#include <algorithm>
#include <stdexcept>

namespace jp {
namespace {

using Entries = std::vector<Names::Entry>;

Entries::const_iterator place_of(const Entries& entries, std::string_view name) {
  return std::lower_bound(entries.begin(), entries.end(), name,
                          [](const Names::Entry& entry, std::string_view wanted) { return entry->first < wanted; });
}

}  // namespace

Names::Names(std::initializer_list<value_type> known) {
  for (const auto& [name, facts] : known) set(name, facts);
}

const std::vector<Names::Entry>& Names::all() const {
  static const Entries kNone;
  return entries_ ? *entries_ : kNone;
}

Names::const_iterator Names::find(std::string_view name) const {
  auto place = place_of(all(), name);
  if (place == all().end() || (*place)->first != name) return end();
  return const_iterator(&*place);
}

const NameFacts& Names::at(std::string_view name) const {
  auto found = find(name);
  if (found == end()) throw std::out_of_range("a name that isn't live: " + std::string(name));
  return found->second;
}

void Names::set(const std::string& name, NameFacts facts) {
  Entries entries = all();
  auto entry = std::make_shared<const value_type>(name, std::move(facts));
  auto place = entries.begin() + (place_of(entries, name) - entries.cbegin());
  if (place != entries.end() && (*place)->first == name) {
    *place = std::move(entry);
  } else {
    entries.insert(place, std::move(entry));
  }
  entries_ = std::make_shared<const Entries>(std::move(entries));
}

bool Names::operator==(const Names& other) const {
  if (entries_ == other.entries_) return true;
  return std::equal(begin(), end(), other.begin(), other.end());
}

}  // namespace jp
