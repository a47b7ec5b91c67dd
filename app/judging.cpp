#include "app/judging.h"

#include <chrono>

#include "core/check.h"
#include "oracle/signature.h"

namespace jp::app {

const oracle::Oracle& need_oracle(std::string_view name) {
  const oracle::Oracle* found = oracle::find_oracle(name);
  JP_CHECK(found, "no oracle named {}", name);
  return *found;
}

Judged judge(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
             const oracle::PlanOptions& options, pyrunner::Isolation isolation) {
  Judged judged;
  judged.plan = oracle.plan(program, options);
  std::vector<RunRequest> wanted = judged.plan.runs;
  judged.plan.runs.clear();
  // An oracle asks for each role at most once, so this ends; the bound only guards against a faulty one.
  for (int round = 0; !wanted.empty(); ++round) {
    JP_CHECK(round < 10, "the oracle {} never decides", oracle.name());
    auto started = std::chrono::steady_clock::now();
    for (Outcome& outcome : runner.run(program, wanted, isolation)) judged.outcomes.push_back(std::move(outcome));
    judged.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    judged.plan.runs.insert(judged.plan.runs.end(), wanted.begin(), wanted.end());
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
