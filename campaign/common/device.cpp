#include "campaign/common/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"

namespace jp::campaign {
namespace {

constexpr const char* kCpu = "cpu";

constexpr const char* kName = R"(import torch


def program():
    return f"{torch.cuda.get_device_name()}, CUDA {torch.version.cuda}"
)";

Program program_of(const char* source) {
  Result<Program> program = Program::make(source, {});
  JP_CHECK(program.ok(), "a question of ours is no program: {}", program.error().message);
  return program.value();
}

Error unusable(const std::string& device, const std::string& why) {
  return Error{fmt::format("torch can't use the device {}: {}", device, why)};
}

}  // namespace

std::string device_of(const Plan& plan) {
  const auto away =
      std::find_if(plan.runs.begin(), plan.runs.end(), [](const RunRequest& run) { return run.device != kCpu; });
  return away == plan.runs.end() ? kCpu : away->device;
}

std::string device_of(const std::vector<std::string>& oracles, const oracle::PlanOptions& options) {
  const Program any = program_of("x = 1\n");
  for (const std::string& name : oracles)
    if (const oracle::Oracle* oracle = oracle::find_oracle(name))
      if (std::string device = device_of(oracle->plan(any, options)); device != kCpu) return device;
  return options.device;
}

Result<std::string> device_name(pyrunner::Runner& runner, const std::string& device) {
  const RunRequest request{.role = "eager", .device = device, .gradients = false};
  const std::vector<Outcome> outcomes = runner.run(program_of(kName), {request}, pyrunner::Isolation::kFresh);
  const Ending& ending = outcomes.front().ending;
  if (const auto* raised = std::get_if<Raised>(&ending)) return Error{raised->reason};
  if (const auto* broken = std::get_if<Broken>(&ending)) return unusable(device, broken->what);
  const auto* finished = std::get_if<Finished>(&ending);
  if (!finished || finished->observation.calls.empty())
    return unusable(device, fmt::format("a small run there {}", ending_name(ending)));
  const CallRecord& call = finished->observation.calls.front();
  if (call.exception) return unusable(device, fmt::format("{}: {}", call.exception->type, call.exception->message));
  if (call.output.text.empty()) return unusable(device, "it has no name");
  return call.output.text;
}

}  // namespace jp::campaign
