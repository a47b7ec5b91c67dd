// What `run --json` prints of one judged program.
#pragma once

#include <string>

#include "campaign/common/judging.h"
#include "codec/json.h"

namespace jp::answers {

/// {"backend", "verdict", "plan", "outcomes"}, and "signature" where it diverges (docs/formats.md).
codec::Json judged_json(const std::string& backend, const campaign::JudgedProgram& judged);

}  // namespace jp::answers
