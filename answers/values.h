// The values of the two runs that a verdict compares, side by side, for people who look at them.
#pragma once

#include "campaign/common/judging.h"
#include "codec/json.h"

namespace jp::answers {

/// {"outputs": what both runs returned and the gradients, "differences": the places that the verdict names, strong ones
/// first}. A value is {"call", "where", "type", "reference", "observed"} with short texts; a tensor has "dtype",
/// "shape", "count", "differing" (elements whose bytes differ) and "elements": at most 64, those that differ first to
/// be taken, each {"index", "at", "reference", "observed", "differs"}, in row-major order. A difference has "mismatch",
/// "weak", "numbers" and "what" besides. Both are empty where one of the runs did not finish, except that differences
/// without a value (an exception, a death) stand there with their texts.
codec::Json values_json(const campaign::JudgedProgram& judged);

}  // namespace jp::answers
