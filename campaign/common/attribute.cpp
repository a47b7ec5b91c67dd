#include "campaign/common/attribute.h"

#include <algorithm>

#include "campaign/common/phases.h"
#include "campaign/common/tools.h"

namespace jp::campaign {

JudgedProgram attribute(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                        const oracle::PlanOptions& options, JudgedProgram first) {
  const auto& steps = ladder();
  const auto own = std::find(steps.begin(), steps.end(), options.backend);
  // Configuration switches belong to their backend: no other backend of the ladder knows them.
  if (own == steps.end() || !options.switches.empty()) return first;
  const PhaseScope phase(Phase::kAttribute);
  for (auto rung = steps.begin(); rung != own; ++rung) {
    oracle::PlanOptions lower = options;
    lower.backend = *rung;
    JudgedProgram judged = judge_alone(runner, oracle, program, lower);
    if (judged.verdict.kind != Verdict::Kind::kDiverge || judged.signature.kind != first.signature.kind) continue;
    return judged;
  }
  return first;
}

}  // namespace jp::campaign
