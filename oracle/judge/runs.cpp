#include "oracle/judge/runs.h"

#include "oracle/judge/source.h"

namespace jp::oracle {
namespace {

// As a float, a double or an integer of any size nothing that a program would compute with: far from 0.
constexpr std::int64_t kOtherMemory = 0xB4;
// If that is the memory of the first run: another such number.
constexpr std::int64_t kYetOtherMemory = 0x3A;

}  // namespace

const Outcome* Runs::outcome(std::string_view role) const {
  for (const Outcome& outcome : outcomes_)
    if (outcome.role == role) return &outcome;
  return nullptr;
}

const Finished* Runs::finished(std::string_view role) const {
  const Outcome* found = outcome(role);
  return found ? std::get_if<Finished>(&found->ending) : nullptr;
}

const Outcome* Runs::broken() const {
  for (const Outcome& outcome : outcomes_)
    if (std::holds_alternative<Broken>(outcome.ending)) return &outcome;
  return nullptr;
}

const RunRequest* Runs::request(std::string_view role) const {
  for (const RunRequest& run : plan_.runs)
    if (run.role == role) return &run;
  return nullptr;
}

std::vector<RunRequest> Runs::missing() const { return unanswered(plan_.runs); }

std::vector<RunRequest> Runs::unanswered(std::vector<RunRequest> asked) const {
  std::erase_if(asked, [&](const RunRequest& run) { return outcome(run.role) != nullptr; });
  return asked;
}

Plan empty_plan(std::string_view oracle, const Program& program, const PlanOptions& options) {
  Plan plan;
  plan.oracle = oracle;
  plan.report = options.report;
  plan.brief = options.brief;
  plan.depends_on = options.depends_on;
  plan.dead_lines = dead_lines(program.source());
  plan.straight = is_straight(program.source()) && is_straight(options.seed_text);
  return plan;
}

RunRequest eager_run(const std::string& role, const PlanOptions& options) {
  RunRequest run;
  run.role = role;
  run.gradients = options.gradients;
  run.threads = options.threads;
  run.memory_fill = options.memory_fill;
  run.fixed_addresses = options.fixed_addresses;
  run.device = options.device;
  return run;
}

RunRequest once_more(RunRequest run, const std::string& depends_on) {
  run.role += "_again";
  run.memory_fill = run.memory_fill == kOtherMemory ? kYetOtherMemory : kOtherMemory;
  run.fixed_addresses = false;
  if (depends_on == kThreads) run.threads = 1;
  return run;
}

RunRequest eager_again(const PlanOptions& options, const std::string& role) {
  return once_more(eager_run(role, options), options.depends_on);
}

RunRequest compiled_run(const std::string& role, const PlanOptions& options) {
  RunRequest run = eager_run(role, options);
  run.compiled = true;
  run.backend = options.backend;
  return run;
}

}  // namespace jp::oracle
