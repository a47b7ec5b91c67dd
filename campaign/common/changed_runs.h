// An oracle whose runs are made in another way: with other compile options, say, or with a configuration switch.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/judge/oracle.h"

namespace jp::campaign {

/// Plans and judges as `inner` does, which must outlive it; `change` is told every run that is to be made, those that
/// judging asks for included.
class ChangedRuns final : public oracle::Oracle {
 public:
  ChangedRuns(const oracle::Oracle& inner, std::function<void(RunRequest&)> change)
      : inner_(inner), change_(std::move(change)) {}
  std::string_view name() const override { return inner_.name(); }
  oracle::Sides sides() const override { return inner_.sides(); }
  Plan plan(const Program& program, const oracle::PlanOptions& options) const override {
    Plan plan = inner_.plan(program, options);
    for (RunRequest& run : plan.runs) change_(run);
    return plan;
  }
  oracle::Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    oracle::Judgement judgement = inner_.judge(plan, outcomes);
    for (RunRequest& run : judgement.wanted) change_(run);
    return judgement;
  }

 private:
  const oracle::Oracle& inner_;
  const std::function<void(RunRequest&)> change_;
};

}  // namespace jp::campaign
