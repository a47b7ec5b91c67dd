// A divergence becomes a finding when it shows again: five times in fresh processes and once as the standalone file in
// a new interpreter.
#pragma once

#include <optional>
#include <string>

#include "campaign/common/judging.h"
#include "core/verdict.h"
#include "pyrunner/standalone.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// Fresh runs that must all diverge the same way; the sighting that led here doesn't count among them.
inline constexpr int kConfirmations = 5;

/// What the plan of a divergence was made from, the condition that it depends on included.
oracle::PlanOptions plan_options_of(const Plan& plan);

/// The judgement that showed a divergence, as a finding that nobody has confirmed yet.
Finding candidate(const Program& program, const JudgedProgram& judged);

/// That the program still diverges, with the finding's plan, as a candidate on the lowest rung that shows it; nothing
/// when it doesn't, or when the runner gives up.
std::optional<Finding> still_diverges(pyrunner::Runner& runner, const Finding& finding, const Program& program);

/// What a reproducer says of the runner under which it was found.
report::ReproducerOptions versions_of(const pyrunner::Runner& runner);

/// How the reproducer of this finding is run by itself, in a campaign's folder.
pyrunner::Standalone standalone_for(const pyrunner::Runner& runner, const std::string& folder, const std::string& id);

/// Judges a candidate again kConfirmations times, each run in a fresh process, stops at the first that doesn't diverge
/// alike, and then runs the reproducer by itself (`standalone` says how). The finding's status is kConfirmed when
/// everything agreed, else kFlaky. Given up on the way (Standalone::given_up, which must be the runner's too), it is
/// the candidate as it came.
Finding confirm(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Finding& candidate,
                const pyrunner::Standalone& standalone, const report::ReproducerOptions& versions);

}  // namespace jp::campaign
