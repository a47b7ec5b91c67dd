// Which device a command's workers must reach, and what is found there.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"
#include "core/result.h"
#include "oracle/judge/oracle.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// The device that runs of this plan need besides the CPU, as RunnerOptions::device: "cpu" if none needs one.
std::string device_of(const Plan& plan);

/// The same of all plans that these oracles make of such options: `device_vs_device` needs a GPU whatever they say.
/// Names of oracles that this version lacks are skipped.
std::string device_of(const std::vector<std::string>& oracles, const oracle::PlanOptions& options);

/// What torch finds there: the name of the GPU that runs use and the version of CUDA. An Error says in one sentence why
/// runs can't be made on the device. Asked in a fork of the warm process, which must be one for that device.
Result<std::string> device_name(pyrunner::Runner& runner, const std::string& device);

}  // namespace jp::campaign
