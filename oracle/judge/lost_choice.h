// Where unspecified behaviour says which of several elements gets something (which of equal numbers the gradient of a
// maximum goes to), one of them gets it. A tensor in which none does is wrong, whatever may change.
#pragma once

#include <vector>

#include "core/dtype.h"
#include "oracle/judge/elements.h"
#include "oracle/judge/free_choice.h"
#include "oracle/judge/rounding.h"

namespace jp::oracle {

/// The whole tensor sums up alike in eager and in all runs with other choices, at least two of which differ from eager:
/// choices only move something from element to element. The compiled tensor has an element of one of them everywhere,
/// and another sum. All tensors have as many parts; one with a part that isn't finite shows nothing.
bool loses_what_choices_move(const Elements& eager, const Elements& compiled, const std::vector<Elements>& chosen,
                             Dtype dtype);

/// kExcluded if at the places that change in runs with other choices, these and all that list equal elements only
/// permute what eager has, and the compiled tensor isn't made of that: an index occurs twice and another one not at
/// all. kUnlisted if that is so as far as the former show, and the latter are missing. Else kFree: single elements
/// decide.
Freedom freedom_to_permute(const Elements& eager, const Elements& compiled, const Evidence& evidence);

}  // namespace jp::oracle
