// What makes torch's compilers faster here (the g++ that keeps template instances, what compat/savings.py leaves out)
// is checked while a campaign runs: some tests are compiled without it as well, and must compute the same bits.
#pragma once

#include <cstdint>
#include <string>

#include "core/plan.h"
#include "core/program.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// One test in so many is checked (chosen: half a percent; a prime, so that no share of sources or backends keeps step
/// with it), beginning with test 3.
inline constexpr std::uint64_t kCheckedEvery = 199;
inline constexpr std::uint64_t kFirstChecked = 3;

/// Whether the test of that number is one of them: a run of the plan is compiled by one of torch's own backends.
bool checks_compiler(const Plan& plan, std::uint64_t test);

/// Makes these runs in fresh processes with both. Returns the role of a run that shows other values with the faster
/// compiler, where each of the two agrees with itself in further runs; "" if there is none. Runs that don't finish are
/// not compared.
std::string differs_by_compiler(pyrunner::Runner& runner, const Program& program, const Plan& plan);

}  // namespace jp::campaign
