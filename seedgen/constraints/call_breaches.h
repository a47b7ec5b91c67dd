// How the arguments of a drawn call may break what their parameters take: something else than a tensor, a literal of
// another type, a number out of range, an unknown word, another number of items, another device.
//
// What range a number has, no draw says: it is asked about its neighbours, what lies just beyond the sizes of the
// call's first input, and what lies far beyond them. Eager says which of these torch refuses (only_ours.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "seedgen/constraints/constraint.h"

namespace jp::seedgen {

/// All ways to break one argument of the call, by argument. `first` is its first input: numbers are compared with its
/// sizes, and are of another type than its elements. `place` is the argument's number.
std::vector<Breach> call_breaches(const Call& call, const GraphValue& first);

/// The call with a tensor without memory (of the device "meta", which every torch has) passed as `out=`, of the type of
/// the one that it was drawn with. Nothing of other calls, and nothing where that has no dimensions: torch copies
/// numbers from one device to another.
std::optional<Breach> device_breach(const Call& call, const Graph& graph);

/// The form of the call that is a function's and passes this argument as it is, so that a text or a number could stand
/// there too; empty if there is none.
Forms forms_with(const Call& call, std::size_t at);

/// The keyword by which some form of the call passes this argument, or "out"; "" if none does.
std::string_view parameter_of(const Call& call, std::size_t at);

}  // namespace jp::seedgen
