#include "app/judging.h"

#include <algorithm>
#include <chrono>

#include "core/check.h"
#include "oracle/signature.h"

namespace jp::app {
namespace {

// What is asked beside a mismatch are many short runs that compile nothing: a child of their own for all of them tells
// as much, and saves most of their time.
pyrunner::Isolation isolation_of(const std::vector<RunRequest>& wanted, bool first, pyrunner::Isolation asked) {
  const bool plain = std::none_of(wanted.begin(), wanted.end(),
                                  [](const RunRequest& run) { return run.compiled || !run.after.empty(); });
  return asked == pyrunner::Isolation::kFresh && !first && plain ? pyrunner::Isolation::kSeries : asked;
}

bool plans(const Plan& plan, const std::string& role) {
  return std::any_of(plan.runs.begin(), plan.runs.end(), [&](const RunRequest& run) { return run.role == role; });
}

}  // namespace

const oracle::Oracle& need_oracle(std::string_view name) {
  const oracle::Oracle* found = oracle::find_oracle(name);
  JP_CHECK(found, "no oracle named {}", name);
  return *found;
}

Judged judge(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
             const oracle::PlanOptions& options, pyrunner::Isolation isolation, Eagerness eagerness) {
  Judged judged;
  judged.plan = oracle.plan(program, options);
  std::vector<RunRequest> wanted = judged.plan.runs;
  if (eagerness == Eagerness::kByNeed) wanted.resize(1);
  // An oracle asks for each role at most once, so this ends; the bound only guards against a faulty one.
  for (int round = 0; !wanted.empty(); ++round) {
    JP_CHECK(round < 20, "the oracle {} never decides", oracle.name());
    auto started = std::chrono::steady_clock::now();
    for (Outcome& outcome : runner.run(program, wanted, isolation_of(wanted, round == 0, isolation)))
      judged.outcomes.push_back(std::move(outcome));
    judged.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    for (RunRequest& run : wanted)
      if (!plans(judged.plan, run.role)) judged.plan.runs.push_back(std::move(run));
    oracle::Judgement judgement = oracle.judge(judged.plan, judged.outcomes);
    judged.verdict = std::move(judgement.verdict);
    wanted = std::move(judgement.wanted);
  }
  if (judged.verdict.kind == Verdict::Kind::kDiverge)
    judged.signature = oracle::signature_of(options.backend, judged.verdict, judged.outcomes);
  return judged;
}

Judged judge_alone(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                   oracle::PlanOptions options) {
  options.full = true;
  return judge(runner, oracle, program, options, pyrunner::Isolation::kFresh);
}

}  // namespace jp::app
