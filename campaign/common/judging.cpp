#include "campaign/common/judging.h"

#include <algorithm>
#include <utility>

#include "campaign/common/stopwatch.h"
#include "core/check.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

// The control runs after a mismatch are many short runs that compile nothing: one child of their own for all of them is
// as conclusive, and saves most of their time.
pyrunner::Isolation isolation_of(const std::vector<RunRequest>& wanted, bool first, pyrunner::Isolation asked) {
  const bool plain = std::none_of(wanted.begin(), wanted.end(),
                                  [](const RunRequest& run) { return run.compiled || !run.after.empty(); });
  return asked == pyrunner::Isolation::kFresh && !first && plain ? pyrunner::Isolation::kSeries : asked;
}

// Appends outcomes that are known already to `outcomes` and removes their runs from `wanted`.
void take_known(const std::vector<Outcome>& known, std::vector<RunRequest>& wanted, std::vector<Outcome>& outcomes) {
  std::erase_if(wanted, [&](const RunRequest& run) {
    auto of_role = [&](const Outcome& outcome) { return outcome.role == run.role; };
    auto found = std::find_if(known.begin(), known.end(), of_role);
    if (found == known.end()) return false;
    outcomes.push_back(*found);
    return true;
  });
}

// An oracle asks for each role at most once, so rounds end by themselves; this bound only guards against a faulty one.
constexpr int kMostRounds = 20;

bool plans(const Plan& plan, const std::string& role) {
  return std::any_of(plan.runs.begin(), plan.runs.end(), [&](const RunRequest& run) { return run.role == role; });
}

}  // namespace

const oracle::Oracle& need_oracle(std::string_view name) {
  const oracle::Oracle* found = oracle::find_oracle(name);
  JP_CHECK(found, "no oracle named {}", name);
  return *found;
}

Verdict decide(const oracle::Oracle& oracle, Plan& plan, std::vector<Outcome>& outcomes, std::vector<RunRequest> wanted,
               const std::function<std::vector<Outcome>(std::vector<RunRequest>)>& run) {
  Verdict verdict;
  for (int round = 0; !wanted.empty(); ++round) {
    JP_CHECK(round < kMostRounds, "the oracle {} never decides", oracle.name());
    for (const RunRequest& one : wanted)
      if (!plans(plan, one.role)) plan.runs.push_back(one);
    for (Outcome& outcome : run(std::move(wanted))) outcomes.push_back(std::move(outcome));
    oracle::Judgement judgement = oracle.judge(plan, outcomes);
    verdict = std::move(judgement.verdict);
    wanted = std::move(judgement.wanted);
  }
  return verdict;
}

JudgedProgram judge(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                    const oracle::PlanOptions& options, pyrunner::Isolation isolation, Eagerness eagerness,
                    const std::vector<Outcome>& known) {
  JudgedProgram judged;
  judged.plan = oracle.plan(program, options);
  judged.planned = judged.plan.runs.size();
  std::vector<RunRequest> wanted = judged.plan.runs;
  if (eagerness == Eagerness::kByNeed) wanted.resize(1);
  bool first = true;
  judged.verdict = decide(oracle, judged.plan, judged.outcomes, std::move(wanted), [&](std::vector<RunRequest> runs) {
    take_known(known, runs, judged.outcomes);
    const Stopwatch watch;
    std::vector<Outcome> made = runner.run(program, runs, isolation_of(runs, std::exchange(first, false), isolation));
    judged.seconds += watch.seconds();
    return made;
  });
  if (judged.verdict.kind == Verdict::Kind::kDiverge)
    judged.signature = oracle::signature_of(options.backend, judged.verdict, judged.outcomes);
  return judged;
}

JudgedProgram judge_alone(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                          oracle::PlanOptions options, const std::vector<Outcome>& known) {
  options.full = true;
  return judge(runner, oracle, program, options, pyrunner::Isolation::kFresh, Eagerness::kAll, known);
}

}  // namespace jp::campaign
