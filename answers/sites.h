// What `mutate --list --json` prints: every site of every mutation in a program.
#pragma once

#include "codec/json.h"
#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::answers {

/// An array of {"apply": a step as `--apply` takes it, "mutation", "statement", "path", "line": from 1, "exactness",
/// "example": the first line that one draw would add}, by mutation, then in source order.
codec::Json sites_json(const mutate::Parsed& parsed, const Facts& facts);

}  // namespace jp::answers
