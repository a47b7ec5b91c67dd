// A case that another process studies: what it is asked, and what it gives back. Its answers are those that the
// campaign's own process would come to, and nothing else: every decision stays with that one.
#pragma once

#include <string>

#include "campaign/triage/case_runs.h"
#include "campaign/triage/open_cases.h"
#include "codec/json.h"
#include "core/result.h"

namespace jp::campaign {

/// What the other process is asked, as JSON text. The case in it is the text that is on disk, where that is at hand: to
/// write a large one takes milliseconds.
std::string asked_of(const OpenCases::Taken& taken);

/// Studies it there: {"test", "answers" by question, "files"}. The files are what reductions have left in `folder`
/// (campaign/triage/candidate_results.h), so that a deferred reduction asks nothing again. Without answers if an
/// invariant broke: it does so again in the process that decides, which knows what to do. `runs` have that folder. An
/// Error if the question can't be read, or if the study could not be made.
Result<codec::Json> study_case(pyrunner::Runner& runner, const CaseRuns& runs, const std::string& folder,
                               const codec::Json& asked);

/// Takes the answers over: into the case's memory, and the files into the campaign's folder where it has none of that
/// name.
Status take_study(const std::string& folder, codec::Json studied, CaseMemory& memory);

}  // namespace jp::campaign
