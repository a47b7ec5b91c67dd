#include "campaign/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

#include "campaign/common/self_test.h"
#include "campaign/settings.h"
#include "core/text.h"

namespace jp::campaign {
namespace {

using Started = Result<std::unique_ptr<pyrunner::Runner>>;

/// Runners of these options that start side by side.
std::vector<std::future<Started>> start_at_once(const pyrunner::RunnerOptions& options, int count) {
  std::vector<std::future<Started>> starting;
  for (int i = 0; i < count; ++i)
    starting.push_back(std::async(std::launch::async, [options] { return pyrunner::Runner::start(options); }));
  return starting;
}

}  // namespace

Result<Runners> ready_runners(CampaignOptions& options, report::Store& store, CampaignEvents& events,
                              const StopCondition& stop_condition) {
  events.note(fmt::format("seed {}; campaign in {}", options.maker.seed, options.folder));
  events.note("starting a warm process and running the self-test");
  pyrunner::RunnerOptions settings = options.runner;
  settings.given_up = [&stop_condition] { return stop_condition.reached(); };
  Started first = pyrunner::Runner::start(settings);
  if (!first.ok()) return first.error();
  pyrunner::Runner& runner = *first.value();
  const std::string torch = runner.info().torch;
  if (Status same = same_torch(store, torch); !same.ok()) return same.error();
  const auto& backends = options.maker.backends;
  for (const std::string& name : backends) {
    auto backend = runner.backend(name);
    if (!backend.ok() && !stop_condition.reached()) return backend.error();
    if (backend.ok()) options.maker.switches[name] = backend.value().switches;
  }
  // Not before the first one has made what all share, and beside its self-test.
  std::vector<std::future<Started>> others = start_at_once(settings, options.jobs - 1);
  const std::string failed = failed_probes(test_probes(runner, backends));
  if (!failed.empty() && !stop_condition.reached())
    return Error{
        fmt::format("self-test failed: planted {} was not detected; refusing to fuzz (see jitprobe doctor)", failed)};
  // The slowest backend sets the limit for all.
  const bool inductor = std::find(backends.begin(), backends.end(), "inductor") != backends.end();
  const pyrunner::Limits limits = pyrunner::measure(runner, inductor ? "inductor" : backends.front());
  runner.set_limits(limits);
  events.note(fmt::format("programs are confined: {}",
                          options.runner.sandbox ? pyrunner::describe(pyrunner::confinement()) : "no (--no-sandbox)"));
  events.note(fmt::format("torch {}, {}, limit {:.0f} s a run", torch,
                          plural(static_cast<std::uint64_t>(options.jobs), "job"), limits.seconds));
  Runners runners;
  runners.push_back(std::move(first).value());
  for (std::future<Started>& starting : others) {
    Started other = starting.get();
    if (!other.ok()) return other.error();
    other.value()->set_limits(limits);
    runners.push_back(std::move(other).value());
  }
  return runners;
}

}  // namespace jp::campaign
