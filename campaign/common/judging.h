// Runs a program as an oracle plans it and asks the oracle until it has decided.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/outcome.h"
#include "core/plan.h"
#include "core/program.h"
#include "core/verdict.h"
#include "oracle/judge/oracle.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// Makes the runs in `wanted`, asks the oracle about all outcomes so far, and goes on with the runs that it asks for
/// until it has decided. `run` makes runs and gives their outcomes, in any order. What the oracle asked for is added to
/// `plan`, outcomes to `outcomes`. At least one run is wanted.
Verdict decide(const oracle::Oracle& oracle, Plan& plan, std::vector<Outcome>& outcomes, std::vector<RunRequest> wanted,
               const std::function<std::vector<Outcome>(std::vector<RunRequest>)>& run);

struct JudgedProgram {
  Plan plan;  // with the runs that the oracle asked for on the way
  std::vector<Outcome> outcomes;
  Verdict verdict;
  Signature signature;  // of a divergence; else empty
  double seconds = 0;   // wall time of the runs
};

/// The oracle of that name; it must exist.
const oracle::Oracle& need_oracle(std::string_view name);

/// Which of the planned runs are made at once: all, or only the first one, and each other when the verdict depends on
/// it. Of programs that mostly fail in eager the latter costs less.
enum class Eagerness { kAll, kByNeed };

/// Judges by `options.full` and `isolation` as given. A divergence that a batch saw is not yet one: see `judge_alone`.
/// Runs whose outcomes are `known`, by their roles, are not made again.
JudgedProgram judge(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                    const oracle::PlanOptions& options, pyrunner::Isolation isolation,
                    Eagerness eagerness = Eagerness::kAll, const std::vector<Outcome>& known = {});

/// Each planned run in a fresh process, eager twice.
JudgedProgram judge_alone(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                          oracle::PlanOptions options);

}  // namespace jp::campaign
