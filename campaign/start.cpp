#include "campaign/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "campaign/common/self_test.h"
#include "campaign/common/torch_lacks.h"
#include "campaign/settings.h"
#include "codec/codec.h"
#include "core/text.h"

namespace jp::campaign {
namespace {

// What the torch lacks decides what is generated. The answer of the first start is stored, so that a resumed campaign
// makes the same tests.
Status leave_out(CampaignOptions& options, report::Store& store, pyrunner::Runner& runner, CampaignEvents& events) {
  constexpr const char* kSetting = "without";
  std::vector<std::string>& without = options.maker.without;
  if (store.settings().contains(kSetting)) {
    without = store.settings()[kSetting].get<std::vector<std::string>>();
  } else {
    Result<std::vector<std::string>> lacks = torch_lacks(runner);
    if (!lacks.ok()) return lacks.error();
    without = std::move(lacks).value();
    if (Status kept = store.set_setting(kSetting, without); !kept.ok()) return kept;
  }
  if (without.empty()) return Done{};
  events.note(
      fmt::format("torch {} lacks what is therefore not generated: {}", runner.info().torch, fmt::join(without, ", ")));
  for (auto& source : options.maker.seed_sources)
    if (auto made = source->made_without(without)) source = std::move(made);
  return Done{};
}

}  // namespace

Result<std::unique_ptr<pyrunner::Runner>> ready_runner(CampaignOptions& options, report::Store& store,
                                                       CampaignEvents& events, const StopCondition& stop_condition) {
  events.note(fmt::format("seed {}; campaign in {}", options.maker.seed, options.folder));
  events.note("starting a warm process and running the self-test");
  pyrunner::RunnerOptions settings = options.runner;
  settings.given_up = [&stop_condition] { return stop_condition.reached(); };
  auto runner = pyrunner::Runner::start(std::move(settings));
  if (!runner.ok()) return runner;
  const std::string torch = runner.value()->info().torch;
  if (Status same = same_torch(store, torch); !same.ok()) return same.error();
  const auto& backends = options.maker.backends;
  for (const std::string& name : backends) {
    auto backend = runner.value()->backend(name);
    if (!backend.ok() && !stop_condition.reached()) return backend.error();
    if (backend.ok()) options.maker.switches[name] = backend.value().switches;
  }
  if (!stop_condition.reached())
    if (Status left = leave_out(options, store, *runner.value(), events); !left.ok()) return left.error();
  const std::string failed = failed_probes(test_probes(*runner.value(), backends));
  if (!failed.empty() && !stop_condition.reached())
    return Error{
        fmt::format("self-test failed: planted {} was not detected; refusing to fuzz (see jitprobe doctor)", failed)};
  // The slowest backend sets the limit for all.
  const bool inductor = std::find(backends.begin(), backends.end(), "inductor") != backends.end();
  const pyrunner::Limits limits = pyrunner::measure(*runner.value(), inductor ? "inductor" : backends.front());
  runner.value()->set_limits(limits);
  events.note(fmt::format("programs are confined: {}",
                          options.runner.sandbox ? pyrunner::describe(pyrunner::confinement()) : "no (--no-sandbox)"));
  events.note(fmt::format("torch {}, {}, limit {:.0f} s a run", torch,
                          plural(static_cast<std::uint64_t>(options.jobs), "job"), limits.seconds));
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
