// Constraints of the generator's that torch doesn't have: what breaks them, eager accepts. only_ours.tsv lists them,
// each with its reason; scripts/only_ours.py asks eager and writes it, tests/seedgen/check_breaks.py asks again.
//
// A row is looked up by operator, constraint and place, which is the parameter's keyword if it has one: optional
// parameters have other numbers from call to call. "*" stands for any that has no row of its own (an operator's "*" for
// none that all operators have: `out`). `accepts` says which breaches eager accepts, in words of which one must hold:
//
//   all                 every one
//   none                not one: eager does check it here (where the row of "*" says otherwise)
//   near far            just outside; far outside
//   broadcast           a shape that broadcasts with the one that was drawn
//   higher lower        a rank above or below that one
//   larger smaller      sizes of which none is below, or none above, those of that one
//   at0, at1, at-1, …   another size in this dimension alone
//   int8, float32, …    a dtype
//   wider narrower      a dtype that torch's casts lead to from the drawn one (bool, integer, float, complex), or from
//   alike               which they lead to it; one of the same category
//   zero minus1         these numbers
//   within beyond       from 0 to the largest size of the call's first input; above it; below the same with the
//   before              opposite sign
//   more less           above the number that was drawn; below it
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "seedgen/constraints/constraint.h"

namespace jp::seedgen {

/// How rows name the place of a breach: its parameter or its number.
std::string place_of(const Breach& breach);

/// Why only the generator has the constraint that is broken so in a call of that operator; "" if torch has it too.
std::string_view only_ours(std::string_view op, const Breach& breach);

/// Whether eager accepts some breach of that constraint in calls of the operator, and not only this one.
bool partly_ours(std::string_view op, const Breach& breach);

namespace detail {
/// The lines of only_ours.tsv, compiled in.
std::span<const std::string_view> only_ours_lines();
}  // namespace detail

}  // namespace jp::seedgen
