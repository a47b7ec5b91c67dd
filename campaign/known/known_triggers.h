// What a new campaign suppresses from its first test on: what triggers the known bugs that are there, and what earlier
// campaigns found.
#pragma once

#include <string>
#include <vector>

#include "campaign/feedback/suppressions.h"
#include "campaign/known/known_state.h"
#include "campaign/making/options.h"
#include "core/result.h"

namespace jp::campaign {

/// The features of each bug that reproduces on this torch and shows on one of these backends, and of the confirmed
/// findings of the campaigns: without duplicates, in a fixed order. A bug shows on the backends of its signatures, and
/// on those above them on the ladder; without signatures on all of the ladder. An Error says which campaign can't be
/// read.
Result<std::vector<Features>> triggers_of(const KnownBefore& known, const std::vector<Standing>& standings,
                                          const std::vector<std::string>& backends);

}  // namespace jp::campaign
