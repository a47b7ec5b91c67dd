#include "campaign/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "campaign/common/self_test.h"
#include "campaign/machine.h"
#include "core/text.h"

namespace jp::campaign {

Result<std::unique_ptr<pyrunner::Runner>> warm_runner(const CampaignOptions& options,
                                                      const StopCondition& stop_condition) {
  pyrunner::RunnerOptions settings = options.runner;
  settings.given_up = [&stop_condition] { return stop_condition.reached(); };
  return pyrunner::Runner::start(std::move(settings));
}

Status self_tested(CampaignOptions& options, pyrunner::Runner& runner, const StopCondition& stop_condition) {
  const auto& backends = options.maker.backends;
  for (const std::string& name : backends) {
    auto backend = runner.backend(name);
    if (!backend.ok() && !stop_condition.reached()) return backend.error();
    if (backend.ok()) options.maker.switches[name] = backend.value().switches;
  }
  const std::string failed = failed_probes(test_probes(runner, backends));
  if (failed.empty() || stop_condition.reached()) return Done{};
  return Error{
      fmt::format("self-test failed: planted {} was not detected; refusing to fuzz (see jitprobe doctor)", failed)};
}

Result<std::unique_ptr<pyrunner::Runner>> ready_runner(CampaignOptions& options, report::Store& store,
                                                       CampaignEvents& events, const StopCondition& stop_condition) {
  events.note(fmt::format("seed {}; campaign in {}", options.maker.seed, options.folder));
  events.note("starting a warm process and running the self-test");
  auto runner = warm_runner(options, stop_condition);
  if (!runner.ok()) return runner;
  const std::string torch = runner.value()->info().torch;
  if (Status same = same_machine(store, *runner.value()); !same.ok()) return same.error();
  if (Status tested = self_tested(options, *runner.value(), stop_condition); !tested.ok()) return tested.error();
  const auto& backends = options.maker.backends;
  // The slowest backend sets the limit for all.
  const bool inductor = std::find(backends.begin(), backends.end(), "inductor") != backends.end();
  const Result<pyrunner::Limits> limits = same_limits(store, *runner.value(), inductor ? "inductor" : backends.front());
  if (!limits.ok()) return limits.error();
  events.note(fmt::format("programs are confined: {}",
                          options.runner.sandbox ? pyrunner::describe(pyrunner::confinement()) : "no (--no-sandbox)"));
  events.note(fmt::format("torch {}, {}, limit {:.0f} s a run", torch,
                          plural(static_cast<std::uint64_t>(options.jobs), "job"), limits.value().seconds));
  return runner;
}

Status start_more(std::vector<std::unique_ptr<pyrunner::Runner>>& runners, int jobs) {
  while (runners.size() < static_cast<std::size_t>(jobs)) {
    auto runner = pyrunner::Runner::start(runners.front()->options());
    if (!runner.ok()) return runner.error();
    runners.push_back(std::move(runner).value());
  }
  return Done{};
}

}  // namespace jp::campaign
