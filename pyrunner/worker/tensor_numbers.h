// What is known of a tensor's elements, read from its memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/facts.h"

namespace jp::pyrunner {

/// Where the elements of a strided tensor lie. `first` may be null when only the layout is asked.
struct Strided {
  const std::vector<std::int64_t>& shape;
  const std::vector<std::int64_t>& strides;  // in elements
  const char* first = nullptr;
};

/// Elements from the first in memory to the last, those between that aren't its own included; 0 when it has none.
std::int64_t extent(const Strided& tensor);

/// Enters elements, minimum and maximum as core/facts.h says. `negated`: torch keeps the negative of what is meant.
/// Complex numbers have none of these.
void enter_numbers(NameFacts& entry, const Strided& tensor, Dtype dtype, bool negated);

/// The positions of the elements that are entered: all, or those that core/facts.h names.
std::vector<std::int64_t> known_positions(const Strided& tensor);

}  // namespace jp::pyrunner
