#include "app/oracle_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "oracle/judge/rules.h"

namespace jp::app {
namespace {

std::string oracle_names() {
  std::vector<std::string_view> names;
  for (const oracle::Oracle* oracle : Registry<oracle::Oracle>::instance().all()) names.push_back(oracle->name());
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void add_flags(CLI::App& command, OracleFlags& flags) {
  command
      .add_option("--oracle", flags.oracles, fmt::format("how to judge (comma-separated): {}, or all", oracle_names()))
      ->capture_default_str()
      ->delimiter(',');
  command
      .add_option("--report", flags.report,
                  fmt::format("weak classes of difference to report too (comma-separated): {}",
                              fmt::join(oracle::weak_classes(), ", ")))
      ->delimiter(',');
  command.add_option("--device", flags.device, "where tensors live")
      ->capture_default_str()
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command.add_option("--threads", flags.threads, "torch threads in each run")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  command.add_flag("--no-gradients", flags.no_gradients, "leave backward out");
}

Result<std::vector<std::string>> chosen_oracles(const OracleFlags& flags, const std::set<oracle::Needs>& lacking) {
  std::vector<std::string> chosen;
  const auto add = [&](std::string_view name) {
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.emplace_back(name);
  };
  for (const std::string& name : flags.oracles) {
    if (name == "all") {
      for (const oracle::Oracle* oracle : Registry<oracle::Oracle>::instance().all())
        if (!lacking.contains(oracle->needs())) add(oracle->name());
    } else if (oracle::find_oracle(name)) {
      add(name);
    } else {
      return Error{fmt::format("there is no oracle '{}': take some of {}, or all", name, oracle_names())};
    }
  }
  return chosen;
}

std::set<oracle::Needs> lacking_device(const OracleFlags& flags) {
  return flags.device == "cpu" ? std::set{oracle::Needs::kGpu} : std::set<oracle::Needs>{};
}

Result<oracle::PlanOptions> plan_options(const OracleFlags& flags) {
  const std::vector<std::string> weak = oracle::weak_classes();
  for (const std::string& name : flags.report)
    if (std::find(weak.begin(), weak.end(), name) == weak.end())
      return Error{fmt::format("'{}' is no weak class of difference: take some of {}", name, fmt::join(weak, ", "))};
  oracle::PlanOptions options;
  options.gradients = !flags.no_gradients;
  options.threads = flags.threads;
  options.device = flags.device;
  options.report = flags.report;
  return options;
}

}  // namespace jp::app
