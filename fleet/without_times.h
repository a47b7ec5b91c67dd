// Results that came twice: what two processes agree on is a result without what is measured of time and memory.
#pragma once

#include <string>

#include "codec/json.h"

namespace jp::fleet {

codec::Json without_times(const codec::Json& json);

/// The sentence for a person about a second result that is unlike the first. `which`: "test 3"; `where` it is kept.
std::string said_unlike(const std::string& which, const std::string& where);

}  // namespace jp::fleet
