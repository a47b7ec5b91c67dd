// Verdicts and tallies as text for people.
#pragma once

#include <string>
#include <vector>

#include "app/campaign_names.h"
#include "campaign/campaign.h"
#include "core/verdict.h"

namespace jp::app {

/// One paragraph: the verdict, its reason, each strong difference with both sides, the weak ones in one line, and what
/// the compiler did.
std::string render_verdict(const std::string& backend, const Verdict& verdict, const std::vector<Outcome>& outcomes,
                           bool colour);

/// "1:04 · 812 tests, 12.7/s · 3 findings · 40 vacuous": the live line.
std::string render_progress(const Tally& tally, const std::string& running);

/// The tests that broke an invariant of ours, each with the line that reproduces it; "" when there are none.
std::string render_internal_errors(const std::vector<InternalErrorOf>& errors, const std::string& folder);

/// What became of a test that was made again, and its program where it is kept.
std::string render_replay(std::uint64_t test, const report::EndedTest& ended);

/// Several lines for the end of a campaign.
std::string render_summary(const Tally& tally, std::uint64_t seed, const std::string& folder);

}  // namespace jp::app
