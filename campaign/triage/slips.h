// What a reduction that no test of a campaign depends on slipped to: findings that no test knows of (report::kNoTest).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/store.h"

namespace jp::campaign {

/// Judges each program alone, keeps those that still diverge and look like no finding that is kept, confirms them and
/// hands each to `kept`. `finding` is the one that was reduced. Ends early once the runner gives up.
Status keep_slips(report::Store& store, const std::string& folder, const Finding& finding, pyrunner::Runner& runner,
                  const std::map<std::string, Program>& others, const std::function<void(const Finding&)>& kept);

/// The line that tells of such a finding.
std::string slip_sentence(const Finding& finding);

}  // namespace jp::campaign
