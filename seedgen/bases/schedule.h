// Which operators a graph's calls are of: drawn evenly, and put in an order.
#pragma once

#include <vector>

#include "core/choices.h"
#include "seedgen/bases/members.h"

namespace jp::seedgen {

/// One member for each of so many calls. Each is drawn evenly; one that the graph has already is at times drawn again,
/// so that there are more different ones. Constants (Operator::constant) come half as often, and mostly stand in the
/// first third: a constant that no later call reads is an output that says nothing. Every order can come.
std::vector<Member> draw_schedule(Choices& choices, const std::vector<Member>& members, int calls);

}  // namespace jp::seedgen
