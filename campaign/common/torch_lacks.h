// What differs from torch to torch is asked of the one that is tested: which of the functions that generated programs
// call it lacks, or refuses.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// What seedgen::GenerateOptions::without has to be for the runner's torch, sorted: some calls of each operator are
/// made in eager, in every form. The answer is kept in the cache folder, for each torch, Python and version of the
/// generator. An Error says that torch refuses so much that it can't be torch.
Result<std::vector<std::string>> torch_lacks(pyrunner::Runner& runner);

}  // namespace jp::campaign
