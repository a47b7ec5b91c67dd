#include "campaign/known/as_before.h"

#include <algorithm>
#include <variant>

#include "oracle/judge/compared_runs.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

// Lines in front of a program move its lines, which messages and frames name; files of generated code are named by
// what is in them, comments about lines included.
void forget_lines(std::optional<ExceptionRecord>& raised) {
  if (!raised) return;
  raised->message = oracle::clean_message(raised->message);
  for (std::string& cause : raised->causes) cause = oracle::clean_message(cause);
  for (Frame& frame : raised->frames) {
    const bool kept =
        frame.file == "program" || frame.file.starts_with("site-packages/") || frame.file.starts_with("lib/python/");
    if (!kept) frame.file.clear();
    frame.line = 0;
  }
}

Observation without_lines(Observation observation) {
  for (CallRecord& call : observation.calls) {
    forget_lines(call.exception);
    forget_lines(call.backward_exception);
    call.exception_line = 0;
  }
  return observation;
}

}  // namespace

bool shows_the_same(const Outcome& one, const Outcome& other) {
  const auto* mine = std::get_if<Finished>(&one.ending);
  const auto* theirs = std::get_if<Finished>(&other.ending);
  return mine && theirs && mine->lost_children == theirs->lost_children &&
         without_lines(mine->observation) == without_lines(theirs->observation);
}

bool AsBefore::are_same(const std::vector<Outcome>& outcomes) const {
  return std::all_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
    const Outcome* before = oracle::outcome_of(before_.outcomes, outcome.role);
    return before && shows_the_same(outcome, *before);
  });
}

oracle::Judgement AsBefore::judge(const Plan& plan, const std::vector<Outcome>& outcomes) const {
  oracle::Judgement judgement = inner_.judge(plan, outcomes);
  if (judgement.wanted.empty() || outcomes.size() < plan.runs.size() || !are_same(outcomes)) return judgement;
  return {before_.verdict, {}};
}

}  // namespace jp::campaign
