// What is known of a tensor's elements, read from its memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/facts.h"

namespace jp::pyrunner {

/// The memory of a strided tensor's elements. `first` may be null if only the layout is asked.
struct Strided {
  const std::vector<std::int64_t>& shape;
  const std::vector<std::int64_t>& strides;  // in elements
  const char* first = nullptr;
};

/// The number of elements from the first in memory to the last, including those in between that aren't its own; 0 if it
/// has none.
std::int64_t extent(const Strided& tensor);

/// Enters elements, minimum, maximum and sum as core/facts.h says. `negated`: torch keeps the negative of what is
/// meant. Complex numbers have none of these.
void enter_numbers(NameFacts& entry, const Strided& tensor, Dtype dtype, bool negated);

/// The positions of the elements that are recorded: all, or those that core/facts.h names.
std::vector<std::int64_t> known_positions(const Strided& tensor);

}  // namespace jp::pyrunner
