// The settings that a campaign was started with, stored in its folder so that --resume makes the same tests.
#pragma once

#include <functional>
#include <string>

#include "campaign/campaign.h"
#include "codec/json.h"
#include "seedgen/generate.h"

namespace jp::campaign {

/// Everything that decides the campaign's tests and their results, and the number of tests that it was asked for.
codec::Json settings_json(const CampaignOptions& options);

/// Replaces what `into` has by the settings. Returns an Error if they are of another generator version, or name what is
/// gone or has changed. What an older campaign's settings don't contain stays as it is in `into`. Its runner gets the
/// backends and the device that the tests need.
Status read_settings(const codec::Json& json, CampaignOptions& into);

/// Returns an Error with the flag and both values if a flag that was given (`given` its name: "--seed") differs from
/// what the campaign was started with. `asked`: the settings of the flags.
Status same_settings(const codec::Json& started, const codec::Json& asked,
                     const std::function<bool(const std::string&)>& given);

}  // namespace jp::campaign
