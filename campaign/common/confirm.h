// A divergence becomes a finding when it reproduces: five times in fresh processes and once as the standalone file in a
// new interpreter.
#pragma once

#include <optional>
#include <string>

#include "campaign/common/judging.h"
#include "core/verdict.h"
#include "pyrunner/standalone.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// Fresh runs that must all diverge in the same way (chosen, not measured); the first sighting doesn't count among
/// them.
inline constexpr int kConfirmations = 5;

/// What the plan of a divergence was made from, the condition that it depends on included.
oracle::PlanOptions plan_options_of(const Plan& plan);

/// Whether what it shows first is a run that doesn't end.
bool hangs(const Finding& finding);

/// The judgement that showed a divergence, as an unconfirmed finding.
Finding candidate(const Program& program, const JudgedProgram& judged);

/// Judges the program again alone, and attributes it to the lowest backend that shows the divergence; nothing if it
/// doesn't diverge, or if the runner gives up.
std::optional<JudgedProgram> still_diverges(pyrunner::Runner& runner, const oracle::Oracle& oracle,
                                            const Program& program, const oracle::PlanOptions& options);

/// What a reproducer says of the runner under which it was found: versions and the machine.
report::ReproducerOptions versions_of(const pyrunner::Runner& runner);

/// How the reproducer of this finding is run as a standalone file, in a campaign's folder.
pyrunner::Standalone standalone_for(const pyrunner::Runner& runner, const std::string& folder, const std::string& id);

/// Judges a candidate again kConfirmations times, each run in a fresh process, and stops at the first that doesn't
/// diverge in the same way; beside that it runs the reproducer as a standalone file (`standalone` says how). A run that
/// doesn't end is judged again only if the file shows it, which gives it more time (no attempts otherwise). The
/// finding's status becomes kConfirmed if everything agreed, else kFlaky. When given up on the way
/// (Standalone::given_up, which must be the runner's too), the candidate is returned unchanged.
Finding confirm(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Finding& candidate,
                const pyrunner::Standalone& standalone, const report::ReproducerOptions& versions);

}  // namespace jp::campaign
