// Constraints of the generator's that torch doesn't have: what breaks them, eager accepts. only_ours.tsv lists them,
// each with its reason; scripts/only_ours.py asks eager and writes it, tests/seedgen/check_breaks.py asks again.
//
// A row is looked up by operator, constraint and place; "*" stands for any that has no row of its own. `accepts` says
// which breaches eager accepts, in words of which one must hold:
//
//   all                 every one
//   none                not one: eager does check it here (where the row of "*" says otherwise)
//   near far            just outside; far outside
//   broadcast           a shape that broadcasts with the one that was drawn
//   higher lower        a rank above or below that one
//   larger smaller      sizes of which none is below, or none above, those of that one
//   at0, at1, at-1, …   another size in this dimension alone
//   int8, float32, …    a dtype
#pragma once

#include <span>
#include <string_view>

#include "seedgen/constraints/constraint.h"

namespace jp::seedgen {

/// Why only the generator has the constraint that is broken so in a call of that operator; "" if torch has it too.
std::string_view only_ours(std::string_view op, const Breach& breach);

/// Whether eager accepts some breach of that constraint in calls of the operator, and not only this one.
bool partly_ours(std::string_view op, const Breach& breach);

namespace detail {
/// The lines of only_ours.tsv, compiled in.
std::span<const std::string_view> only_ours_lines();
}  // namespace detail

}  // namespace jp::seedgen
