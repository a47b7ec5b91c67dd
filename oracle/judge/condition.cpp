#include "oracle/judge/condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace jp::oracle {

std::string setting_text(const RunRequest& run) {
  std::vector<std::string> parts;
  if (run.memory_fill != 0) parts.push_back(fmt::format("every fresh byte is 0x{:02x}", ~run.memory_fill & 0xFF));
  if (run.threads != 1) parts.push_back(fmt::format("{} threads", run.threads));
  if (run.fixed_addresses) parts.emplace_back("fixed addresses");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string condition_text(const Plan& plan) {
  if (plan.depends_on.empty()) return "";
  const auto shows = [](const RunRequest& run) { return run.compiled || !run.after.empty(); };
  const auto run = std::find_if(plan.runs.begin(), plan.runs.end(), shows);
  std::string setting = run == plan.runs.end() ? "" : setting_text(*run);
  if (setting.empty() && run != plan.runs.end()) setting = "one thread";
  return fmt::format("depends on {}{}", plan.depends_on, setting.empty() ? "" : " (" + setting + ")");
}

}  // namespace jp::oracle
