// How the arguments of a drawn call may break what their parameters take: something else than a tensor, a literal of
// another type, an unknown word, another number of items.
#pragma once

#include <cstddef>
#include <vector>

#include "seedgen/constraints/constraint.h"

namespace jp::seedgen {

/// All ways to break one argument of the call, by argument. `place` is the argument's number.
std::vector<Breach> call_breaches(const Call& call);

/// The form of the call that is a function's and passes this argument as it is, so that a text or a number could stand
/// there too; empty if there is none.
Forms forms_with(const Call& call, std::size_t at);

}  // namespace jp::seedgen
