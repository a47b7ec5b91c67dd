// Loops that end only because of what their statements do.
#pragma once

#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A `while` of the same function stands around the statement: another effect of it, and the loop may never end.
bool in_while(const Parsed& parsed, const Statement& statement);

}  // namespace jp::mutate
