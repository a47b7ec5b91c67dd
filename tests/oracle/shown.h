// Oracles on recorded outcomes: plans with all that an oracle may need, and runs that show one number.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "oracle/signature/signature.h"
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

/// The signature of a compiled run that ends so, where eager ends well.
inline Signature of_ending(Ending how) {
  const std::vector<Outcome> outcomes = {Recorded().outcome("eager"), {"compiled", std::move(how), 0}};
  return signature_of("inductor", judge_outcomes(outcomes).verdict, outcomes);
}

}  // namespace jp::oracle::test
