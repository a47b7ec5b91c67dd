// Which breach of a call is made.
#pragma once

#include <string_view>
#include <vector>

#include "core/choices.h"
#include "seedgen/constraints/constraint.h"

namespace jp::seedgen {

/// One of them, which are not empty: first the constraint, then the way, then the value, so that a constraint with many
/// ways comes as often as one with few. A value that the program has already is as likely as a new argument.
Breach drawn_breach(const std::vector<Breach>& breaches, Choices& choices);

/// Those of the operator's breaches that break what torch asks for too.
std::vector<Breach> torchs_own(std::vector<Breach> breaches, std::string_view op);

}  // namespace jp::seedgen
