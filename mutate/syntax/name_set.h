// A set of names as a sorted vector. The set of surely bound names is copied at each statement; copying a std::set of
// such short strings costs several times as much.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace jp::mutate {

class NameSet {
 public:
  using value_type = std::string;
  using iterator = std::vector<std::string>::const_iterator;
  using const_iterator = iterator;

  NameSet() = default;
  NameSet(std::initializer_list<std::string_view> names) { insert(names.begin(), names.end()); }

  iterator begin() const { return names_.begin(); }
  iterator end() const { return names_.end(); }
  bool empty() const { return names_.empty(); }
  std::size_t size() const { return names_.size(); }
  bool contains(std::string_view name) const {
    const iterator at = place(name);
    return at != names_.end() && *at == name;
  }

  /// Returns true if the name was not in the set before.
  bool insert(std::string_view name) {
    const iterator at = place(name);
    if (at != names_.end() && *at == name) return false;
    names_.emplace(at, name);
    return true;
  }
  template <typename Iterator>
  void insert(Iterator first, Iterator last) {
    for (; first != last; ++first) insert(*first);
  }
  void erase(std::string_view name) {
    const iterator at = place(name);
    if (at != names_.end() && *at == name) names_.erase(at);
  }
  /// The intersection.
  NameSet operator&(const NameSet& other) const {
    NameSet both;
    std::set_intersection(begin(), end(), other.begin(), other.end(), std::back_inserter(both.names_));
    return both;
  }
  bool operator==(const NameSet& other) const = default;

 private:
  iterator place(std::string_view name) const {
    return std::lower_bound(names_.begin(), names_.end(), name,
                            [](const std::string& one, std::string_view other) { return one < other; });
  }

  std::vector<std::string> names_;
};

}  // namespace jp::mutate
