// What a campaign was started with, kept in its folder so that --resume makes the same tests.
#pragma once

#include "app/test_maker.h"
#include "codec/codec.h"
#include "seedgen/generate.h"

namespace jp::app {

codec::Json settings_json(const MakerOptions& options);

/// An Error when the settings are of another generator version, or name what is gone or has changed.
Result<MakerOptions> read_settings(const codec::Json& json);

}  // namespace jp::app
