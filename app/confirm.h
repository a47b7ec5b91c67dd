// A divergence becomes a finding when it shows again: five times in fresh processes and once as the standalone file in
// a new interpreter.
#pragma once

#include <string>

#include "app/judging.h"
#include "core/verdict.h"
#include "pyrunner/standalone.h"
#include "report/reproducer.h"

namespace jp::app {

/// Fresh runs that must all diverge the same way; the sighting that led here doesn't count among them.
inline constexpr int kConfirmations = 5;

/// Judges the program again kConfirmations times, each run in a fresh process, stops at the first that doesn't diverge
/// alike, and then runs the reproducer by itself (`standalone` says how). The finding's status is kConfirmed when
/// everything agreed, else kFlaky. `first` is the judgement that made it a candidate.
Finding confirm(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                const oracle::PlanOptions& options, const Judged& first, const pyrunner::Standalone& standalone,
                const report::ReproducerOptions& versions);

}  // namespace jp::app
