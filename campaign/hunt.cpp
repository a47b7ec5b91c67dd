#include "campaign/hunt.h"

#include <algorithm>
#include <utility>

#include "campaign/common/attribute.h"
#include "campaign/common/phases.h"
#include "campaign/known/told_compiled.h"
#include "campaign/making/record_test.h"
#include "campaign/triage/flaky.h"
#include "oracle/judge/verdicts.h"

namespace jp::campaign {
namespace {

PhaseLine line_of(const RunRequest& run) {
  if (run.compiled) return {Phase::kCompiled, run.backend};
  if (!run.after.empty()) return {Phase::kCompiled, run.after};
  return {Phase::kEager};
}

double seconds_of(const std::string& role, const std::vector<Outcome>& outcomes) {
  const auto found = std::find_if(outcomes.begin(), outcomes.end(), [&](const auto& one) { return one.role == role; });
  return found == outcomes.end() ? 0 : found->seconds;
}

// Takes the processor time of compilers out of the runs that started them.
void tell_compiler_apart(const JudgedProgram& judged, const std::string& backend, double seconds) {
  const PhaseLine compiled{Phase::kCompiled, backend};
  double most = 0;
  for (std::size_t i = 0; i < judged.planned; ++i)
    if (line_of(judged.plan.runs[i]) == compiled) most += seconds_of(judged.plan.runs[i].role, judged.outcomes);
  move_phase(compiled, {Phase::kCxx}, std::min(seconds, most));
}

// Takes the seconds of runs, as they say them, out of the phase in which they were made: of control runs that the
// oracle asked for, and in a batch of all others too.
void tell_runs_apart(const JudgedProgram& judged, Phase made_in) {
  for (std::size_t i = 0; i < judged.plan.runs.size(); ++i) {
    const RunRequest& run = judged.plan.runs[i];
    const double seconds = seconds_of(run.role, judged.outcomes);
    if (i >= judged.planned)
      move_phase({made_in}, {Phase::kQuestions}, seconds);
    else if (made_in == Phase::kJudge)
      move_phase({made_in}, line_of(run), seconds);
  }
}

JudgedProgram judged_in_batch(pyrunner::Runner& runner, const TestCase& test) {
  const PhaseScope phase(Phase::kJudge);
  const double before = runner.subprocess_seconds();
  JudgedProgram judged = judge(runner, *test.oracle, test.program, test.plan, pyrunner::Isolation::kBatch);
  tell_runs_apart(judged, Phase::kJudge);
  tell_compiler_apart(judged, test.plan.backend, runner.subprocess_seconds() - before);
  return judged;
}

JudgedProgram judged_alone(pyrunner::Runner& runner, const TestCase& test, const JudgedProgram& first) {
  const PhaseScope phase(Phase::kJudgeAlone);
  JudgedProgram judged = judge_again(runner, *test.oracle, test.program, test.plan, first);
  tell_runs_apart(judged, Phase::kJudgeAlone);
  return judged;
}

// Mutations that ask torch.compiler.is_compiling() have the program give the same either way. A further mutation of one
// of its branches may change that. What people write in their files is judged as it is.
bool made_to_differ(pyrunner::Runner& runner, const Program& program, const JudgedProgram& judged) {
  const Lineage& lineage = program.lineage();
  return lineage.seed.origin != Seed::Origin::kFile && !lineage.steps.empty() &&
         depends_on_being_compiled(runner, program, &judged);
}

}  // namespace

Hunted hunt(pyrunner::Runner& runner, const TestCase& test, const std::string& seed_source,
            const StopCondition& stop_condition) {
  const auto diverges = [&](const JudgedProgram& judged) {
    return judged.verdict.kind == Verdict::Kind::kDiverge && !stop_condition.reached();
  };
  Hunted hunted;
  hunted.judged = judged_in_batch(runner, test);
  hunted.row = record_of(test, seed_source, hunted.judged);
  if (diverges(hunted.judged)) {
    hunted.judged = judged_alone(runner, test, hunted.judged);
    hunted.only_in_batch = hunted.judged.verdict.kind == Verdict::Kind::kAgree && !stop_condition.reached();
  }
  if (diverges(hunted.judged) && made_to_differ(runner, test.program, hunted.judged))
    hunted.judged.verdict = oracle::verdict_of(Verdict::Kind::kUnstable, "other_choices",
                                               "eager shows something else when it is told that it is compiled");
  hunted.verdict = hunted.judged.verdict;
  if (diverges(hunted.judged)) {
    const oracle::PlanOptions options = with_condition(test.plan, hunted.judged.plan);
    hunted.judged = attribute(runner, *test.oracle, test.program, options, std::move(hunted.judged));
  }
  return hunted;
}

}  // namespace jp::campaign
