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

/// What the plan of a divergence was made from, the condition that it depends on included.
oracle::PlanOptions plan_options_of(const Plan& plan);

/// The judgement that showed a divergence, as a finding that nobody has confirmed yet.
Finding candidate(const Program& program, const Judged& judged);

/// Judges a candidate again kConfirmations times, each run in a fresh process, stops at the first that doesn't diverge
/// alike, and then runs the reproducer by itself (`standalone` says how). The finding's status is kConfirmed when
/// everything agreed, else kFlaky. Given up on the way (Standalone::given_up, which must be the runner's too), it is
/// the candidate as it came.
Finding confirm(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Finding& candidate,
                const pyrunner::Standalone& standalone, const report::ReproducerOptions& versions);

}  // namespace jp::app
