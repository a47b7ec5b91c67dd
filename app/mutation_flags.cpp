#include "app/mutation_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace jp::app {

void add_flags(CLI::App& command, MutationFlags& flags) {
  command.add_option("--only", flags.only, "draw only these mutations (comma-separated)")->delimiter(',');
  command.add_option("--without", flags.without, "never draw these mutations (comma-separated)")->delimiter(',');
}

Result<mutate::Weights> weights(const MutationFlags& flags) {
  mutate::Weights weights;
  for (const auto* names : {&flags.only, &flags.without})
    for (const std::string& name : *names)
      if (!mutate::Mutations::instance().find(name))
        return Error{fmt::format("there is no mutation '{}': see jitprobe list mutations", name)};
  auto has = [](const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all()) {
    bool on = (flags.only.empty() || has(flags.only, mutation->name())) && !has(flags.without, mutation->name());
    if (!on) weights[std::string(mutation->name())] = 0;
  }
  return weights;
}

}  // namespace jp::app
