// Which operators a graph's calls have: drawn uniformly, and put in an order.
#pragma once

#include <vector>

#include "core/choices.h"
#include "seedgen/bases/members.h"

namespace jp::seedgen {

/// One member for each of so many calls. Each is drawn uniformly; one that the graph has already is sometimes drawn
/// again, so that there are more different ones. Constants (Operator::constant) are drawn half as often, and are mostly
/// placed in the first third: a constant that no later call reads is an output that tests nothing. Every order is
/// possible.
std::vector<Member> draw_schedule(Choices& choices, const std::vector<Member>& members, int calls);

}  // namespace jp::seedgen
