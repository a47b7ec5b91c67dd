// Slippage of reductions that no test of a campaign depends on: findings that belong to no test (report::kNoTest).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "campaign/common/judging.h"
#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/store.h"

namespace jp::campaign {

/// Judges each program alone, stores those that still diverge and match no stored finding, confirms them and passes
/// each to `kept`. `finding` is the one that was reduced. Those that are `explained` by known bugs are left out; it may
/// be empty. Ends early once the runner gives up.
Status keep_slips(report::Store& store, const std::string& folder, const Finding& finding, pyrunner::Runner& runner,
                  const std::map<std::string, Program>& others, const std::function<void(const Finding&)>& kept,
                  const std::function<bool(const Program&, const JudgedProgram&)>& explained = {});

/// The line that reports such a finding.
std::string slip_sentence(const Finding& finding);

}  // namespace jp::campaign
