// A test's result without what is measured of time and memory: what two processes agree on.
#pragma once

#include "codec/json.h"

namespace jp::fleet {

codec::Json without_times(const codec::Json& json);

}  // namespace jp::fleet
