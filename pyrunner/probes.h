// Start-up: checks that each kind of failure would be detected, and measures how long and how big a run may be on this
// machine.
#pragma once

#include <string>
#include <vector>

#include "pyrunner/runner.h"

namespace jp::pyrunner {

struct ProbeResult {
  std::string name;    // "signal", "abort", "exit", "hang", "memory", "mismatch", "graph break", "planted accuracy" …
  bool seen = false;   // whether the planted failure was detected as what it is
  std::string detail;  // what was observed instead; "" if it was detected
};

/// Plants what looks the same through every backend, each in a small program that eager runs: death by signal, abort,
/// exit; a hang (limit of a second or two) with its stack; memory; an escape, if programs are confined. Restores the
/// runner's limits afterwards.
std::vector<ProbeResult> probe_runner(Runner& runner);

/// Plants what a backend must show: a compiled result that differs from eager's (raw bytes); a graph break that is
/// counted (if the backend counts); then the backend's own planted faults.
std::vector<ProbeResult> probe_backend(Runner& runner, const std::string& backend);

/// Plants what runs on the runner's device must show: results that lie there and agree in eager, a mismatch through
/// that backend, and in eager a death, a kernel that fails and memory that the device lacks. Nothing for a runner of
/// the CPU alone.
std::vector<ProbeResult> probe_device(Runner& runner, const std::string& backend);

/// The runner's limits with the time measured: twice a run of a small model through the backend on its device, at least
/// 10 s (a loaded machine), at most 300 s.
Limits measure(Runner& runner, const std::string& backend);

}  // namespace jp::pyrunner
