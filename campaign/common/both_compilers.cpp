#include "campaign/common/both_compilers.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "campaign/common/plain_compiler.h"
#include "campaign/common/tools.h"

namespace jp::campaign {
namespace {

bool uses_compiler(const RunRequest& run) {
  return run.compiled && std::find(ladder().begin(), ladder().end(), run.backend) != ladder().end();
}

/// What the run shows; nothing if it doesn't finish.
std::optional<Observation> shown(pyrunner::Runner& runner, const Program& program, const RunRequest& run, bool plain) {
  std::optional<PlainCompiler> scope;
  if (plain) scope.emplace(runner);
  const std::vector<Outcome> outcomes = runner.run(program, {run}, pyrunner::Isolation::kFresh);
  const auto* finished = std::get_if<Finished>(&outcomes.at(0).ending);
  return finished ? std::optional(finished->observation) : std::nullopt;
}

// Of programs that draw without a seed, or print an address, the runs differ by themselves: one of two even outcomes
// passes for a difference in one of 2^(2 * kRepeated + 1) checks.
constexpr int kRepeated = 3;

bool differs(pyrunner::Runner& runner, const Program& program, const RunRequest& run) {
  const std::optional<Observation> faster = shown(runner, program, run, false);
  const std::optional<Observation> plain = shown(runner, program, run, true);
  if (!faster || !plain || *faster == *plain) return false;
  for (int i = 0; i < kRepeated; ++i)
    if (shown(runner, program, run, false) != faster || shown(runner, program, run, true) != plain) return false;
  return true;
}

}  // namespace

bool checks_compiler(const Plan& plan, std::uint64_t test) {
  return test % kCheckedEvery == kFirstChecked && std::any_of(plan.runs.begin(), plan.runs.end(), uses_compiler);
}

std::string differs_by_compiler(pyrunner::Runner& runner, const Program& program, const Plan& plan) {
  for (const RunRequest& run : plan.runs)
    if (uses_compiler(run) && differs(runner, program, run)) return run.role;
  return "";
}

}  // namespace jp::campaign
