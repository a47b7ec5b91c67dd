// The file that a program of the user's is reduced to, and what lies beside it: a reduction that was stopped goes on
// from both.
#pragma once

#include <string>

#include "core/program.h"
#include "core/result.h"

namespace jp::campaign {

/// The file of the answers on candidates, beside that of the result. "" for "".
std::string answers_beside(const std::string& out);

/// An Error if the result can't be written to `out`, or if there is a file which is not the best so far of this
/// `program`. nullptr: nothing is gone on from, and a file is replaced.
Status fits_reduction(const std::string& out, const Program* program);

}  // namespace jp::campaign
