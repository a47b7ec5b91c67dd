// Which tensors are one object, and which share memory: compared as relations, since the numbers themselves mean
// nothing between two runs. Two runs agree when "same number" on one side is "same number" on the other.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace jp::oracle {

/// A one-to-one pairing of numbers, built up pair by pair.
class Pairing {
 public:
  /// Takes a pair in; false when it contradicts an earlier one (which then stays).
  bool agrees(std::int64_t eager, std::int64_t compiled) {
    const bool there = forward_.emplace(eager, compiled).first->second == compiled;
    const bool back = backward_.emplace(compiled, eager).first->second == eager;
    return there && back;
  }

 private:
  std::map<std::int64_t, std::int64_t> forward_;
  std::map<std::int64_t, std::int64_t> backward_;
};

/// The relations of one pair of runs.
struct Links {
  Pairing storages;
  Pairing identities;
};

}  // namespace jp::oracle
