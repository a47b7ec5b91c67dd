// Draws a call with exactly one of its constraints broken.
//
// The call is drawn as ever, under the eyes of an observer that derives from each want how it can be broken
// (input_breaches.h); its literals say the rest (call_breaches.h). To break one, the same call is drawn again from the
// same choices, and what it reads there is replaced. What was inferred for its results then means nothing: they never
// exist.
//
// Later inputs of the call that were asked to have the very dtype or shape of the broken one follow it, so that no
// relation between them is broken as well.
#pragma once

#include <vector>

#include "seedgen/bases/members.h"
#include "seedgen/constraints/constraint.h"
#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// All ways in which the member's next call can be broken. Draft and choices are as before afterwards.
std::vector<Breach> next_breaches(Draft& draft, const Member& member);

/// Draws that call, breaks it, and notes that in it; the breach must be one of those.
void draw_broken(Draft& draft, const Member& member, const Breach& breach);

/// Elements that nearly every operator takes: for tensors whose own are not known.
Interval usual_elements(Dtype dtype);

}  // namespace jp::seedgen
