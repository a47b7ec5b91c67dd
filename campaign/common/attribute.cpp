#include "campaign/common/attribute.h"

#include <algorithm>

#include "campaign/common/phases.h"
#include "campaign/common/tools.h"
#include "oracle/judge/compared_runs.h"

namespace jp::campaign {
namespace {

// What ran without a compiler is the same on every rung.
std::vector<Outcome> of_plain_runs(const JudgedProgram& judged) {
  std::vector<Outcome> plain;
  for (const RunRequest& run : judged.plan.runs)
    if (!run.compiled && run.after.empty())
      if (const Outcome* outcome = oracle::outcome_of(judged.outcomes, run.role)) plain.push_back(*outcome);
  return plain;
}

}  // namespace

JudgedProgram attribute(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                        const oracle::PlanOptions& options, JudgedProgram first) {
  const auto& steps = ladder();
  const auto own = std::find(steps.begin(), steps.end(), options.backend);
  // Configuration switches belong to their backend: no other backend of the ladder knows them.
  if (own == steps.end() || !options.switches.empty()) return first;
  const PhaseScope phase(Phase::kAttribute);
  const std::vector<Outcome> plain = of_plain_runs(first);
  for (auto rung = steps.begin(); rung != own; ++rung) {
    oracle::PlanOptions lower = options;
    lower.backend = *rung;
    JudgedProgram judged = judge_alone(runner, oracle, program, lower, plain);
    if (judged.verdict.kind != Verdict::Kind::kDiverge || judged.signature.kind != first.signature.kind) continue;
    return judged;
  }
  return first;
}

}  // namespace jp::campaign
