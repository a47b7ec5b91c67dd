// What a campaign was started with, kept in its folder so that --resume makes the same tests.
#pragma once

#include <functional>
#include <string>

#include "campaign/campaign.h"
#include "codec/codec.h"
#include "seedgen/generate.h"

namespace jp::campaign {

/// All that decides the campaign's tests and what they come to, and the number of tests that it was asked for.
codec::Json settings_json(const CampaignOptions& options);

/// Puts the settings in the place of what `into` has. An Error when they are of another generator version, or name what
/// is gone or has changed. What an older campaign's settings don't say stays as it is in `into`.
Status read_settings(const codec::Json& json, CampaignOptions& into);

/// An Error with the flag and both values when a flag that was given (`given` its name: "--seed") says something else
/// than the campaign was started with. `asked`: the settings of the flags.
Status same_settings(const codec::Json& started, const codec::Json& asked,
                     const std::function<bool(const std::string&)>& given);

/// An Error when the campaign was begun with another torch than this one; the first one is kept.
Status same_torch(report::Store& store, const std::string& torch);

}  // namespace jp::campaign
