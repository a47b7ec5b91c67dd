#include "oracle/judge/resting_modes.h"

#include <utility>

namespace jp::oracle {
namespace {

constexpr std::pair<std::string_view, std::string_view> kAtRest[] = {
    {"grad", "True"},           {"inference", "False"},     {"autocast", "False"},
    {"deterministic", "False"}, {"anomaly", "False"},       {"function_modes", "0"},
    {"dispatch_modes", "0"},    {"multithreading", "True"}, {"default_dtype", "torch.float32"}};

}  // namespace

std::vector<ChangedMode> changed_at_rest(const CallRecord& eager, const CallRecord& compiled) {
  std::vector<ChangedMode> changed;
  const auto set = eager.mode.find(kSetByTheProgram);
  if (set == eager.mode.end() || set->second != "False") return changed;
  for (const auto& [name, at_rest] : kAtRest) {
    const auto one = eager.mode.find(std::string(name));
    const auto other = compiled.mode.find(std::string(name));
    if (one == eager.mode.end() || other == compiled.mode.end()) continue;
    if (one->second == at_rest && other->second != at_rest)
      changed.push_back({std::string(name), one->second, other->second});
  }
  return changed;
}

}  // namespace jp::oracle
