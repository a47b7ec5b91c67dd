// The program as a profile run executes it.
#pragma once

#include "core/place.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The places of the program's statements, and its text with calls of the profile hook put in. The text is absent if a
/// statement shares its line with another, or if the program could notice that its lines have moved.
Watched watched(const Parsed& parsed);

}  // namespace jp::mutate
