// Proof, before a campaign, that the loop sees: each kind of failure is planted and must be noticed.
#pragma once

#include <string>
#include <vector>

#include "pyrunner/probes.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// Plants every kind of failure that these backends can show: a process's death, a hang, memory gone, a mismatch (seen
/// by the oracle), a graph break, and for Inductor torch's own planted faults of three kinds.
std::vector<pyrunner::ProbeResult> test_probes(pyrunner::Runner& runner, const std::vector<std::string>& backends);

/// "hang: …" for each that was not seen; "" when all were.
std::string failed_probes(const std::vector<pyrunner::ProbeResult>& results);

}  // namespace jp::campaign
