// The first step of a reduction if one output shows the fault: the others are removed at once, with everything that
// only they need. It saves most of the questions, and keeps the reduction from slipping to another fault that another
// output shows.
#pragma once

#include <cstddef>
#include <vector>

#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// The program with output `at` of its entry alone, the smallest first: without assignments and arguments that nothing
/// reads any more, then with the arguments, then with both. Empty if the entry doesn't end in its only return, of a
/// tuple or list that has such an item and others.
std::vector<mutate::Parsed> focus(const mutate::Parsed& parsed, std::size_t at);

}  // namespace jp::reduce
