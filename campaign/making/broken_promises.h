// Steps that should have changed nothing in eager, and did: promises.jsonl of a campaign's folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/making/step.h"
#include "core/result.h"

namespace jp::campaign {

/// A row for each: the test, what differed, and the program, whose lineage ends with the step. They are on the disk
/// when this returns; of tests that are run again there are two.
Status keep_broken(const std::string& folder, std::uint64_t test, const std::vector<BrokenPromise>& broken);

}  // namespace jp::campaign
