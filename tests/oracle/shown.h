// Oracles on recorded outcomes: plans with all that an oracle may need, and runs that show one number.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/build.h"

namespace jp::oracle::test {

inline Plan plan_of(const std::string& oracle, std::vector<std::string> report = {}) {
  PlanOptions options;
  options.backend = "inductor";
  options.switches = {"dynamic"};
  options.seed_text = "x = 1\n";
  options.report = std::move(report);
  return find_oracle(oracle)->plan(Program::make("x = 1\ny = 2\n", {}).value(), options);
}

struct Shown {
  std::string role;
  Recorded recorded;
};

inline std::vector<Outcome> outcomes_of(const std::vector<Shown>& runs) {
  std::vector<Outcome> outcomes;
  for (const Shown& run : runs) outcomes.push_back(run.recorded.outcome(run.role));
  return outcomes;
}

inline Verdict on(const std::string& oracle, const std::vector<Shown>& runs, const Answers& answers = {}) {
  return verdict_of_oracle(oracle, plan_of(oracle), outcomes_of(runs), answers);
}

inline Recorded shows(float x) { return returning(floats({x, 2})); }
inline Recorded shows_far(float x) {
  TensorRecord record = floats({x, 2});
  record.device = "cuda:0";
  return returning(record);
}
inline Recorded raises(ExceptionRecord record) {
  Recorded run;
  run.call().exception = std::move(record);
  return run;
}

}  // namespace jp::oracle::test
