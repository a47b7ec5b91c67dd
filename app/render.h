// Verdicts and tallies as text for people.
#pragma once

#include <string>
#include <vector>

#include "app/campaign_names.h"
#include "campaign/campaign.h"
#include "campaign/common/judging.h"
#include "core/verdict.h"

namespace jp::app {

/// One paragraph: the verdict, its reason, each strong difference with both sides, the weak ones in one line, and what
/// the compiler did in the run under test. `title`: what it was judged by, "inductor".
std::string render_verdict(const std::string& title, const JudgedProgram& judged, bool colour);

/// "models: 4 of 9 programs": how far a source of a known size has come.
std::string seeds_text(const SeedCount& seeds);

/// The tests in which an invariant of jitprobe broke, each with the command that reproduces it; "" if there are none.
std::string render_internal_errors(const std::vector<InternalErrorOf>& errors, const std::string& folder);

/// The result of a replayed test, and its program if it is stored.
std::string render_replay(std::uint64_t test, const report::EndedTest& ended);

/// A line for each phase, in seconds of all jobs and as a part of the whole; "" if there is none.
std::string render_phases(const PhaseTable& phases);

/// Several lines for the end of a campaign.
std::string render_summary(const Tally& tally, std::uint64_t seed, const std::string& folder);

}  // namespace jp::app
