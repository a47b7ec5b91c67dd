// Several runners that work side by side, on one zygote or a few.
#pragma once

#include <memory>
#include <vector>

#include "core/result.h"
#include "pyrunner/runner.h"

namespace jp::pyrunner {

/// A zygote forks for one runner at a time. With Inductor imported a fork takes some 13 ms (the median of 20; two
/// threads of an AMD EPYC, 28 November 2026), and a test asks for a few.
inline constexpr int kRunnersOfAZygote = 4;

/// So many runners of these options, 1 or more. Their zygotes start side by side, also for the first time on a machine:
/// torch locks the folder of the precompiled header, and whoever comes second waits for it. The first ones share the
/// zygote of `first`, a runner of such options (Runner::another), unless it is null.
Result<std::vector<std::unique_ptr<Runner>>> start_runners(const RunnerOptions& options, int count,
                                                           const Runner* first = nullptr);

}  // namespace jp::pyrunner
