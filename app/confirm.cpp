#include "app/confirm.h"

#include "oracle/signature.h"

namespace jp::app {

Finding confirm(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                const oracle::PlanOptions& options, const Judged& first, const pyrunner::Standalone& standalone,
                const report::ReproducerOptions& versions) {
  Finding finding{.program = program,
                  .plan = first.plan,
                  .outcomes = first.outcomes,
                  .verdict = first.verdict,
                  .signature = first.signature};
  while (finding.attempts < kConfirmations && finding.reproduced == finding.attempts) {
    Judged again = judge_alone(runner, oracle, program, options);
    ++finding.attempts;
    bool alike =
        again.verdict.kind == Verdict::Kind::kDiverge && oracle::diverges_alike(again.signature, first.signature);
    if (alike) ++finding.reproduced;
  }
  bool shown = finding.reproduced == kConfirmations;
  if (shown) shown = pyrunner::run_standalone(standalone, report::reproducer(finding, versions)) == 1;
  finding.status = shown ? Finding::Status::kConfirmed : Finding::Status::kFlaky;
  return finding;
}

}  // namespace jp::app
