// The seed sources that a user asks for.
#pragma once

#include <string>
#include <vector>

#include "campaign/common/lazy_runner.h"
#include "campaign/making/test_maker.h"
#include "campaign/sources/seed_source.h"
#include "core/result.h"

namespace jp::campaign {

/// The seed sources of `--from`. `tries` runs the user's programs in eager; each that can't be a seed is named once, on
/// standard error, and left out. Generated programs contain harvested calls from the folder `harvest`, "" for none.
/// Returns an Error if a source does not exist, if no seed is left, or if the harvest can't be read; kStartCancelled if
/// the options of `tries` gave up before all programs had run.
Result<SeedSources> chosen_sources(const std::vector<std::string>& sources, CallsOfProgram calls,
                                   const std::string& harvest, LazyRunner& tries);

/// Returns an Error if no oracle of the campaign can judge what one of its seed sources gives.
Status sources_fit(const MakerOptions& maker);

}  // namespace jp::campaign
