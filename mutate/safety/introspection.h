// What a profile run is to watch of a program.
#pragma once

#include "core/place.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Its statements; and its text with calls of the hook, unless a statement shares its line with another, or the program
/// may see that its lines have moved.
Watched watched(const Parsed& parsed);

}  // namespace jp::mutate
