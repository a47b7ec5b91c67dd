#include "campaign/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

#include "campaign/common/self_test.h"
#include "campaign/common/torch_lacks.h"
#include "campaign/machine.h"
#include "codec/codec.h"
#include "core/text.h"
#include "pyrunner/runners.h"

namespace jp::campaign {
namespace {

constexpr const char* kWithout = "without";

pyrunner::RunnerOptions giving_up(const CampaignOptions& options, const StopCondition& stop_condition,
                                  const std::function<void()>& polled = {}) {
  pyrunner::RunnerOptions settings = options.runner;
  settings.given_up = [&stop_condition, polled] {
    if (polled) polled();
    return stop_condition.reached();
  };
  return settings;
}

// What the torch lacks decides what is generated. The answer of the first start is stored, so that a resumed campaign
// makes the same tests.
Status ask_lacks(CampaignOptions& options, report::Store& store, pyrunner::Runner& runner, CampaignEvents& events) {
  if (!store.settings().contains(kWithout)) {
    Result<std::vector<std::string>> lacks = torch_lacks(runner);
    if (!lacks.ok()) return lacks.error();
    if (Status kept = store.set_setting(kWithout, lacks.value()); !kept.ok()) return kept;
  }
  leave_out(options, store.settings());
  if (const auto& without = options.maker.without; !without.empty())
    events.note(fmt::format("torch {} lacks what is therefore not generated: {}", runner.info().torch,
                            fmt::join(without, ", ")));
  return Done{};
}

Status passed(const std::vector<pyrunner::ProbeResult>& results, const StopCondition& stop_condition) {
  const std::string failed = failed_probes(results);
  if (failed.empty() || stop_condition.reached()) return Done{};
  return Error{
      fmt::format("self-test failed: planted {} was not detected; refusing to fuzz (see jitprobe doctor)", failed)};
}

/// So many runners that are forks of the first one's zygote, or those of other jobs; `more` has those that no job has.
Result<std::vector<pyrunner::Runner*>> side_by_side(const Runners& runners, std::size_t count, Runners& more) {
  std::vector<pyrunner::Runner*> all;
  for (std::size_t i = 0; i < std::min(count, runners.size()); ++i) all.push_back(runners[i].get());
  while (all.size() < count) {
    auto another = runners.front()->another();
    if (!another.ok()) return another.error();
    all.push_back(more.emplace_back(std::move(another).value()).get());
  }
  return all;
}

/// The two halves of the self-test and the measured limits, at the same time: the limit is one of a machine at work.
Result<pyrunner::Limits> tested_limits(const CampaignOptions& options, report::Store& store, const Runners& runners,
                                       const StopCondition& stop_condition) {
  const std::vector<std::string>& backends = options.maker.backends;
  Runners more;
  const Result<std::vector<pyrunner::Runner*>> three = side_by_side(runners, 3, more);
  if (!three.ok()) return three.error();
  const std::vector<pyrunner::Runner*>& used = three.value();
  auto first = std::async(std::launch::async, [&] { return first_probes(*used[0], backends); });
  auto others = std::async(std::launch::async, [&] { return other_probes(*used[1], backends); });
  // The slowest backend sets the limit for all.
  const bool inductor = std::find(backends.begin(), backends.end(), "inductor") != backends.end();
  Result<pyrunner::Limits> limits = same_limits(store, *used[2], inductor ? "inductor" : backends.front());
  if (Status tested = passed(joined(first.get(), others.get()), stop_condition); !tested.ok()) return tested.error();
  return limits;
}

}  // namespace

Result<std::unique_ptr<pyrunner::Runner>> warm_runner(const CampaignOptions& options,
                                                      const StopCondition& stop_condition,
                                                      const std::function<void()>& polled) {
  return pyrunner::Runner::start(giving_up(options, stop_condition, polled));
}

Status read_switches(CampaignOptions& options, pyrunner::Runner& runner, const StopCondition& stop_condition) {
  for (const std::string& name : options.maker.backends) {
    auto backend = runner.backend(name);
    if (!backend.ok() && !stop_condition.reached()) return backend.error();
    if (backend.ok()) options.maker.switches[name] = backend.value().switches;
  }
  return Done{};
}

void leave_out(CampaignOptions& options, const codec::Json& settings) {
  options.maker.without = settings.value(kWithout, std::vector<std::string>{});
  if (options.maker.without.empty()) return;
  for (auto& source : options.maker.seed_sources)
    if (auto made = source->made_without(options.maker.without)) source = std::move(made);
}

Status self_tested(const CampaignOptions& options, pyrunner::Runner& runner, const StopCondition& stop_condition) {
  return passed(test_probes(runner, options.maker.backends), stop_condition);
}

Result<Runners> ready_runners(CampaignOptions& options, report::Store& store, CampaignEvents& events,
                              const StopCondition& stop_condition) {
  events.note(fmt::format("seed {}; campaign in {}", options.maker.seed, options.folder));
  events.note("starting a warm process and running the self-test");
  std::unique_ptr<pyrunner::Runner> first = options.tried_by ? options.tried_by->take() : nullptr;
  Result<Runners> started = pyrunner::start_runners(giving_up(options, stop_condition), options.jobs, first.get());
  first.reset();
  if (!started.ok()) return started.error();
  Runners runners = std::move(started).value();
  pyrunner::Runner& runner = *runners.front();
  if (Status same = same_machine(store, runner); !same.ok()) return same.error();
  if (Status read = read_switches(options, runner, stop_condition); !read.ok()) return read.error();
  if (!stop_condition.reached())
    if (Status asked = ask_lacks(options, store, runner, events); !asked.ok()) return asked.error();
  const Result<pyrunner::Limits> limits = tested_limits(options, store, runners, stop_condition);
  if (!limits.ok()) return limits.error();
  for (const std::unique_ptr<pyrunner::Runner>& one : runners) one->set_limits(limits.value());
  events.note(fmt::format("programs are confined: {}",
                          options.runner.sandbox ? pyrunner::describe(pyrunner::confinement()) : "no (--no-sandbox)"));
  events.note(fmt::format("torch {}, {}, limit {:.0f} s a run", runner.info().torch,
                          plural(static_cast<std::uint64_t>(options.jobs), "job"), limits.value().seconds));
  return runners;
}

}  // namespace jp::campaign
