// What a profile run observed, as the worker sends it: the same structs on both sides, and one list of members for
// writing and reading. Driver and worker run on one machine, so they agree on the byte order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/name_facts.h"

namespace jp::pyrunner {

struct PackedFacts {
  /// Facts of values, each stored once; without storages.
  std::vector<NameFacts> table;
  /// In ascending order, each once.
  std::vector<std::string> names;
  /// What points may set: a name, its entry in the table, and as its storage the first name that shares it at that
  /// point, or -1.
  struct Item {
    std::int32_t name = 0;
    std::int32_t entry = 0;
    std::int32_t storage = -1;
    auto operator<=>(const Item&) const = default;  // NOLINT(modernize-use-nullptr): of the comparison with 0
  };
  std::vector<Item> items;
  /// Each point as its changes from the one before it: the number of an item that describes its name from here on, or ~
  /// the number of a name that is gone.
  std::vector<std::vector<std::int32_t>> points;
  /// {statement, number of a point}, by statement. The state after a statement and before the one that follows it is
  /// one point.
  std::vector<std::pair<std::string, std::int32_t>> before, after;
  std::vector<std::pair<std::string, std::int64_t>> visits;
  std::int64_t calls = 0;
};

std::string pack(const PackedFacts& facts);
/// Throws std::runtime_error if the bytes aren't those of pack().
PackedFacts unpack_facts(std::string_view bytes);

}  // namespace jp::pyrunner
