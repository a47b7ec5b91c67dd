// A set of numbers that mostly form ranges: finished tests.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace jp::report {

class Ranges {
 public:
  /// `number` is less than 2^64 - 1. One that is there already changes nothing.
  void add(std::uint64_t number) {
    if (contains(number)) return;
    std::uint64_t first = number;
    std::uint64_t end = number + 1;
    if (auto next = runs_.find(end); next != runs_.end()) {
      end = next->second;
      runs_.erase(next);
    }
    if (auto after = runs_.lower_bound(number); after != runs_.begin()) {
      auto before = std::prev(after);
      if (before->second == number) first = before->first;
    }
    runs_[first] = end;
  }
  bool contains(std::uint64_t number) const {
    auto after = runs_.upper_bound(number);
    return after != runs_.begin() && number < std::prev(after)->second;
  }
  std::uint64_t size() const {
    std::uint64_t size = 0;
    for (const auto& [first, end] : runs_) size += end - first;
    return size;
  }
  /// The smallest number that is not in the set.
  std::uint64_t first_missing() const { return runs_.empty() || runs_.begin()->first != 0 ? 0 : runs_.begin()->second; }
  /// First number -> one past the last, of each range.
  const std::map<std::uint64_t, std::uint64_t>& runs() const { return runs_; }

 private:
  std::map<std::uint64_t, std::uint64_t> runs_;
};

}  // namespace jp::report
