// The first step of a reduction where one output shows the fault: the others go at once, with all that only they need.
// It saves most of the asking, and keeps the reduction from slipping to another fault that another output shows.
#pragma once

#include <cstddef>
#include <vector>

#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// The program with output `at` of its entry alone, the boldest first: without assignments and arguments that nobody
/// reads any more, then with the arguments, then with both. Empty when the entry doesn't end in its only return, of a
/// tuple or list that has such an item and others.
std::vector<mutate::Parsed> focus(const mutate::Parsed& parsed, std::size_t at);

}  // namespace jp::reduce
