// Which statements run code of the file that leaves something behind under a name: facts show what becomes of the names
// of the statement's own function alone.
#pragma once

#include "mutate/syntax.h"

namespace jp::mutate {

/// The statement may run functions, methods or generators of the file, and some code of the file binds or deletes what
/// others may read: by `nonlocal` or `global`, attributes, `setattr`.
bool may_bind_elsewhere(const Parsed& parsed, const Statement& statement);

}  // namespace jp::mutate
