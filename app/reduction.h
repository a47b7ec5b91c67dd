// Reduces programs that diverge, with the parts that the command and campaigns share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/judging.h"
#include "mutate/syntax.h"
#include "oracle/reduce/engine.h"
#include "report/evidence.h"

namespace jp::app {

/// How long a candidate may run: some times what the program itself took, so that one which happens to hang doesn't eat
/// the time of all others. A program whose fault is a hang keeps the limits of a run. `asked`: seconds that the user
/// wants, 0 for none.
pyrunner::Limits limits_for(pyrunner::Limits limits, const Judged& judged, double asked);

/// Stage one where the program's lineage gives it again, then stage two. `mutations` gets the names of the steps that
/// stage one left.
reduce::Reduced both_stages(const mutate::Parsed& start, const reduce::Problem& problem,
                            std::vector<std::string>* mutations = nullptr);

/// Reduces a finding in the caller's thread, over at most `candidates` programs: a bound that does not depend on the
/// clock. Nothing when it doesn't diverge this time or was given up (`given_up`, which must be the runner's too).
std::optional<report::SmallForm> reduce_finding(pyrunner::Runner& runner, const Finding& finding,
                                                std::int64_t candidates, const std::function<bool()>& given_up);

}  // namespace jp::app
