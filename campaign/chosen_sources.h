// The sources that a user asks for, as doors.
#pragma once

#include <string>
#include <vector>

#include "campaign/making/test_maker.h"
#include "campaign/sources/seed_source.h"
#include "core/result.h"

namespace jp::campaign {

/// The doors of `--from`. Programs of the user's are run in eager; each that can't be a seed is named once, on standard
/// error, and left out. Generated programs have calls of the harvest in the folder `harvest`, "" for none. An Error
/// when a source is none or nothing is left of it, or the harvest is none.
Result<SeedSources> chosen_sources(const std::vector<std::string>& sources, int operators, const std::string& harvest);

/// An Error when no oracle of the campaign can judge what one of its doors gives.
Status sources_fit(const MakerOptions& maker);

}  // namespace jp::campaign
