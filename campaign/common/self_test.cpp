#include "campaign/common/self_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "campaign/common/judging.h"

namespace jp::campaign {
namespace {

constexpr const char* kProgram = R"(import torch

def make_inputs():
    return (torch.arange(4.0),)

def program(x):
    return x + 1
)";

/// A run whose result has one bit wrong must diverge. The runner's own probe compares bytes; this one asks the oracle.
pyrunner::ProbeResult test_oracle(pyrunner::Runner& runner) {
  pyrunner::ProbeResult result{.name = "mismatch, by the oracle"};
  Program program = Program::make(kProgram, {}).value();
  const oracle::Oracle& oracle = need_oracle("eager_vs_compiled");
  Plan plan = oracle.plan(program, {});
  for (RunRequest& run : plan.runs) run.compiled = false;
  std::vector<Outcome> outcomes = runner.run(program, plan.runs, pyrunner::Isolation::kBatch);
  Ending& ending = std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
                     return outcome.role == oracle.sides().observed;
                   })->ending;
  auto* finished = std::get_if<Finished>(&ending);
  if (!finished || finished->observation.tensors.empty()) {
    const auto* broken = std::get_if<Broken>(&ending);
    result.detail = fmt::format("a plain program {}",
                                broken ? "could not be run: " + broken->what : std::string(ending_name(ending)));
    return result;
  }
  for (TensorRecord& tensor : finished->observation.tensors)
    if (!tensor.bytes.empty()) tensor.bytes.back() = static_cast<char>(tensor.bytes.back() ^ 1);
  // The two runs are planned, and their outcomes are there already.
  std::vector<Outcome> planned = std::exchange(outcomes, {});
  const Verdict verdict = decide(oracle, plan, outcomes, plan.runs, [&](std::vector<RunRequest> runs) {
    return planned.empty() ? runner.run(program, runs, pyrunner::Isolation::kBatch) : std::exchange(planned, {});
  });
  result.seen = verdict.kind == Verdict::Kind::kDiverge;
  if (!result.seen) result.detail = fmt::format("judged {}", verdict_name(verdict.kind));
  return result;
}

void append(std::vector<pyrunner::ProbeResult>& to, std::vector<pyrunner::ProbeResult> results) {
  std::move(results.begin(), results.end(), std::back_inserter(to));
}

}  // namespace

std::vector<pyrunner::ProbeResult> first_probes(pyrunner::Runner& runner, const std::vector<std::string>& backends) {
  std::vector<pyrunner::ProbeResult> results = pyrunner::probe_runner(runner);
  append(results, pyrunner::probe_backend(runner, backends.front()));
  results.push_back(test_oracle(runner));
  append(results, pyrunner::probe_device(runner, backends.front()));
  return results;
}

std::vector<pyrunner::ProbeResult> other_probes(pyrunner::Runner& runner, const std::vector<std::string>& backends) {
  if (std::find(backends.begin() + 1, backends.end(), "inductor") == backends.end()) return {};
  std::vector<pyrunner::ProbeResult> results = pyrunner::probe_backend(runner, "inductor");
  append(results, pyrunner::probe_device(runner, "inductor"));
  return results;
}

std::vector<pyrunner::ProbeResult> joined(std::vector<pyrunner::ProbeResult> first,
                                          std::vector<pyrunner::ProbeResult> others) {
  for (pyrunner::ProbeResult& other : others) {
    const bool named = std::any_of(first.begin(), first.end(),
                                   [&](const pyrunner::ProbeResult& one) { return one.name == other.name; });
    if (!named || !other.seen) first.push_back(std::move(other));
  }
  return first;
}

std::vector<pyrunner::ProbeResult> test_probes(pyrunner::Runner& runner, const std::vector<std::string>& backends) {
  return joined(first_probes(runner, backends), other_probes(runner, backends));
}

std::string failed_probes(const std::vector<pyrunner::ProbeResult>& results) {
  std::string failed;
  for (const pyrunner::ProbeResult& result : results)
    if (!result.seen) failed += fmt::format("{}{} ({})", failed.empty() ? "" : ", ", result.name, result.detail);
  return failed;
}

}  // namespace jp::campaign
