// The self-test before a campaign: each kind of failure is planted and must be detected.
#pragma once

#include <string>
#include <vector>

#include "pyrunner/probes.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// Plants what looks the same through every backend, and what the first of these must show: a process's death, a hang,
/// memory exhaustion, a mismatch (also as the oracle sees it), a graph break; and on the runner's device, if that is
/// not the CPU, what pyrunner::probe_device does.
std::vector<pyrunner::ProbeResult> first_probes(pyrunner::Runner& runner, const std::vector<std::string>& backends);

/// What Inductor must show if it is one of the others: a mismatch, a graph break, and torch's own planted faults of
/// three kinds; and the same on the device.
std::vector<pyrunner::ProbeResult> other_probes(pyrunner::Runner& runner, const std::vector<std::string>& backends);

/// Both, each name once unless it was not detected.
std::vector<pyrunner::ProbeResult> joined(std::vector<pyrunner::ProbeResult> first,
                                          std::vector<pyrunner::ProbeResult> others);

/// All of them by one runner.
std::vector<pyrunner::ProbeResult> test_probes(pyrunner::Runner& runner, const std::vector<std::string>& backends);

/// "hang: …" for each probe that was not detected; "" if all were.
std::string failed_probes(const std::vector<pyrunner::ProbeResult>& results);

}  // namespace jp::campaign
