// What the machine decides of a campaign's tests: versions, the processor, and the limits that were measured on it. It
// stands in the settings from the campaign's first start on.
#pragma once

#include <string>

#include "codec/json.h"
#include "core/result.h"
#include "pyrunner/runner.h"
#include "report/store.h"

namespace jp::campaign {

/// What is compared: "torch", "python", "processor" (its vector extensions, on which eager's bits depend), "compiler"
/// (the first line of what the C++ compiler says of its version; "" for none), "template instances" (whether the
/// precompiled header keeps them: some tests are then compiled in both ways and compared) and, for a runner with
/// another device than the CPU, "GPU" (its name and the version of CUDA). An Error says why that device can't be used.
Result<codec::Json> machine_of(pyrunner::Runner& runner);

/// The first of them in which the two differ, as one sentence for the user; "" if none does. What `started` does not
/// have is not compared.
std::string unlike(const codec::Json& started, const codec::Json& here);

/// Returns an Error if the campaign was begun on a machine unlike this one, or if its device can't be used; the first
/// machine is stored.
Status same_machine(report::Store& store, pyrunner::Runner& runner);

/// The limits with which the campaign was begun; the first ones are measured (on that backend) and stored. Sets them.
Result<pyrunner::Limits> same_limits(report::Store& store, pyrunner::Runner& runner, const std::string& backend);

}  // namespace jp::campaign
