// How an input may break what is wanted of it: another dtype, another shape, elements out of the domain, gradients or
// shared addresses where there must be none. All of it is derived from the want, by asking it about neighbours of the
// value that the call took.
#pragma once

#include <vector>

#include "seedgen/constraints/constraint.h"
#include "seedgen/draw/want.h"

namespace jp::seedgen {

/// All ways in which a new argument in the place of `taken`, or one of the values `live`, breaks exactly one constraint
/// of the want, which `taken` fits. Shapes are those that one or two steps lead to, none of them without elements;
/// `place` is 0 in all of them.
std::vector<Breach> input_breaches(const Want& want, const Value& taken, const std::vector<GraphValue>& live);

}  // namespace jp::seedgen
