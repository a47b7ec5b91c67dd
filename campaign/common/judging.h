// Runs a program as an oracle plans it and makes the control runs that the oracle asks for until it has decided.
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

/// Makes the runs in `wanted`, asks the oracle about all outcomes so far, and repeats that with the runs that it asks
/// for until it has decided. `run` makes runs and returns their outcomes, in any order. Runs that the oracle asked for
/// are added to `plan`, outcomes to `outcomes`. `wanted` must not be empty.
Verdict decide(const oracle::Oracle& oracle, Plan& plan, std::vector<Outcome>& outcomes, std::vector<RunRequest> wanted,
               const std::function<std::vector<Outcome>(std::vector<RunRequest>)>& run);

struct JudgedProgram {
  Plan plan;  // includes the control runs that the oracle asked for
  std::vector<Outcome> outcomes;
  Verdict verdict;
  Signature signature;      // empty unless the program diverges
  double seconds = 0;       // wall time of the runs
  std::size_t planned = 0;  // of the plan's runs, those before what the oracle asked for
};

/// The oracle of that name; it must exist.
const oracle::Oracle& need_oracle(std::string_view name);

/// Which of the planned runs are made at once: all, or only the first one and each other only if the verdict depends on
/// it. The latter costs less for programs that mostly fail in eager.
enum class Eagerness { kAll, kByNeed };

/// Judges with `options.full` and `isolation` as given. A divergence seen in a batch is not yet one: see `judge_alone`.
/// Runs whose outcomes are `known`, by role, are not made again.
JudgedProgram judge(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                    const oracle::PlanOptions& options, pyrunner::Isolation isolation,
                    Eagerness eagerness = Eagerness::kAll, const std::vector<Outcome>& known = {});

/// Each planned run in a fresh process, eager twice; but for those whose outcomes in such processes are `known`.
JudgedProgram judge_alone(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                          oracle::PlanOptions options, const std::vector<Outcome>& known = {});

}  // namespace jp::campaign
