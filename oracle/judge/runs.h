// The runs of a plan and their outcomes by role, and the requests that oracles make.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/judge/oracle.h"

namespace jp::oracle {

/// Plan and outcomes, looked at by role. Both must outlive it.
class Runs {
 public:
  Runs(const Plan& plan, const std::vector<Outcome>& outcomes) : plan_(plan), outcomes_(outcomes) {}

  const Plan& plan() const { return plan_; }
  /// nullptr when there is none yet.
  const Outcome* outcome(std::string_view role) const;
  /// nullptr too when the run did not finish.
  const Finished* finished(std::string_view role) const;
  /// The first run that our own runtime could not make, in the order of the outcomes; nullptr when there is none.
  const Outcome* broken() const;
  /// nullptr when the plan has no such run.
  const RunRequest* request(std::string_view role) const;
  /// The planned runs that have no outcome yet.
  std::vector<RunRequest> missing() const;
  /// Those of `asked` that have no outcome yet.
  std::vector<RunRequest> unanswered(std::vector<RunRequest> asked) const;

 private:
  const Plan& plan_;
  const std::vector<Outcome>& outcomes_;
};

/// A plan without runs: the oracle's name, what is reported, and the facts that judging needs of the program's text.
Plan empty_plan(std::string_view oracle, const Program& program, const PlanOptions& options);
/// A plain run, and one through the options' backend.
RunRequest eager_run(const std::string& role, const PlanOptions& options);
/// A run once more, for whether it repeats: with fresh memory filled otherwise, so that what reads it unwritten
/// doesn't, and for a plan that depends on threads or addresses with one thread or with other addresses.
RunRequest once_more(RunRequest run, const std::string& depends_on);
/// "eager" once more.
RunRequest eager_again(const PlanOptions& options);
RunRequest compiled_run(const std::string& role, const PlanOptions& options);

}  // namespace jp::oracle
