// Results that came twice: what two processes agree on is a result without what is measured of time and memory.
#pragma once

#include <string>

#include "codec/json.h"

namespace jp::fleet {

codec::Json without_times(const codec::Json& json);

/// What the answers of a study are (campaign/case_lease.h), without what reductions keep for later.
std::string digest_of_study(const codec::Json& studied);

/// What a result is to those before it: the first one, like it, unlike it, or of nothing that was asked.
enum class Came { kFirst, kSame, kUnlike, kUnknown };

/// The sentence for a person about a second result that is unlike the first. `which`: "test 3"; `where` it is kept.
std::string said_unlike(const std::string& which, const std::string& where);

}  // namespace jp::fleet
