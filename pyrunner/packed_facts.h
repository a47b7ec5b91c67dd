// What a profile run saw, as the worker sends it: the same structs on both sides, and one list of members for writing
// and reading. Driver and worker run on one machine, and so agree on the order of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/name_facts.h"

namespace jp::pyrunner {

struct PackedFacts {
  /// What is known of values, each said once; without storages.
  std::vector<NameFacts> table;
  /// In their order, each once.
  std::vector<std::string> names;
  /// What points may put: a name, its entry in the table, and as the storage in which it lies the first name that lies
  /// there at that point, or -1.
  struct Item {
    std::int32_t name = 0;
    std::int32_t entry = 0;
    std::int32_t storage = -1;
    auto operator<=>(const Item&) const = default;  // NOLINT(modernize-use-nullptr): of the comparison with 0
  };
  std::vector<Item> items;
  /// Each point by what changes from the one before it: the number of an item that stands for its name from here on, or
  /// ~ the number of a name that is gone.
  std::vector<std::vector<std::int32_t>> points;
  /// {statement, number of a point}, by statement. What is known behind a statement and before the one that follows it
  /// is one point.
  std::vector<std::pair<std::string, std::int32_t>> before, after;
  std::vector<std::pair<std::string, std::int64_t>> visits;
  std::int64_t calls = 0;
};

std::string pack(const PackedFacts& facts);
/// Throws std::runtime_error where the bytes aren't those of pack().
PackedFacts unpack_facts(std::string_view bytes);

}  // namespace jp::pyrunner
