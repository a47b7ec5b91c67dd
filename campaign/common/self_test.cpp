#include "campaign/common/self_test.h"

#include <fmt/format.h>

#include <algorithm>

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
  RunRequest eager{.role = "eager"};
  RunRequest compiled{.role = "compiled"};
  std::vector<Outcome> outcomes = runner.run(program, {eager, compiled}, pyrunner::Isolation::kBatch);
  auto* finished = std::get_if<Finished>(&outcomes[1].ending);
  if (!finished || finished->observation.tensors.empty()) {
    const auto* broken = std::get_if<Broken>(&outcomes[1].ending);
    result.detail = fmt::format("a plain program {}", broken ? "could not be run: " + broken->what
                                                             : std::string(ending_name(outcomes[1].ending)));
    return result;
  }
  for (TensorRecord& tensor : finished->observation.tensors)
    if (!tensor.bytes.empty()) tensor.bytes.back() = static_cast<char>(tensor.bytes.back() ^ 1);
  Plan plan{.oracle = "eager_vs_compiled", .runs = {eager, compiled}};
  // The two runs are planned, and their outcomes are there already.
  std::vector<Outcome> planned = std::exchange(outcomes, {});
  const Verdict verdict =
      decide(need_oracle(plan.oracle), plan, outcomes, plan.runs, [&](std::vector<RunRequest> runs) {
        return planned.empty() ? runner.run(program, runs, pyrunner::Isolation::kBatch) : std::exchange(planned, {});
      });
  result.seen = verdict.kind == Verdict::Kind::kDiverge;
  if (!result.seen) result.detail = fmt::format("judged {}", verdict_name(verdict.kind));
  return result;
}

}  // namespace

std::vector<pyrunner::ProbeResult> test_probes(pyrunner::Runner& runner, const std::vector<std::string>& backends) {
  // Processes, hangs and memory look the same through every backend: one of them is enough, and Inductor for its own.
  std::vector<std::string> probed = {backends.front()};
  if (backends.front() != "inductor" && std::find(backends.begin(), backends.end(), "inductor") != backends.end())
    probed.emplace_back("inductor");
  std::vector<pyrunner::ProbeResult> results;
  for (std::size_t i = 0; i < probed.size(); ++i)
    for (pyrunner::ProbeResult& result : pyrunner::probe(runner, probed[i])) {
      bool general = std::any_of(results.begin(), results.end(),
                                 [&](const pyrunner::ProbeResult& other) { return other.name == result.name; });
      if (!general || !result.seen) results.push_back(std::move(result));
    }
  results.push_back(test_oracle(runner));
  return results;
}

std::string failed_probes(const std::vector<pyrunner::ProbeResult>& results) {
  std::string blind;
  for (const pyrunner::ProbeResult& result : results)
    if (!result.seen) blind += fmt::format("{}{} ({})", blind.empty() ? "" : ", ", result.name, result.detail);
  return blind;
}

}  // namespace jp::campaign
