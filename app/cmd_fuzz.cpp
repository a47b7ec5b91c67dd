// jitprobe fuzz: a campaign.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <thread>

#include "app/command.h"
#include "app/fuzz_flags.h"
#include "app/pools.h"
#include "app/progress.h"
#include "app/range.h"
#include "app/render.h"
#include "app/stop.h"
#include "app/terminal.h"
#include "campaign/campaign.h"
#include "campaign/chosen_sources.h"
#include "campaign/common/device.h"
#include "campaign/common/tools.h"
#include "campaign/fingerprint.h"
#include "campaign/known/known.h"
#include "campaign/replay.h"
#include "campaign/settings.h"
#include "campaign/triage/flaky_shown.h"
#include "campaign/triage/open_cases.h"
#include "campaign/triage/triager.h"
#include "codec/codec.h"
#include "core/files.h"
#include "report/store.h"
#include "seedgen/generate.h"

namespace jp::app::cmd_fuzz_command {
namespace {

/// Weights of the ladder's backends: aot_eager finds most and needs no C++ compiler; a test with inductor costs ten
/// times as much.
const std::vector<std::uint32_t> kLadderWeights = {3, 13, 2, 2};

Result<CallsOfProgram> calls_of_program(const FuzzFlags& options) {
  const Result<std::pair<int, int>> asked = parse_range("--ops", options.operators);
  if (!asked.ok()) return asked.error();
  const auto [least, most] = asked.value();
  if (Status fine = seedgen::check_options({.operators = least, .most_operators = most}); !fine.ok())
    return fine.error();
  return CallsOfProgram{least, most};
}

Result<CampaignOptions> campaign_options(const FuzzFlags& options, const std::atomic<bool>& stop_asked) {
  CampaignOptions campaign;
  Result<mutate::Weights> allowed = weights(options.drawn);
  if (!allowed.ok()) return allowed.error();
  campaign.maker.weights = std::move(allowed).value();
  campaign.maker.seed = options.seed ? *options.seed : fresh_seed();
  campaign.maker.draw_seeds = options.draw;
  campaign.maker.mutations = options.mutations;
  for (const std::string& text : options.backends) {
    Result<std::string> backend = resolve_backend(text);
    if (!backend.ok()) return backend.error();
    campaign.maker.backends.push_back(backend.value());
    campaign.maker.backend_weights.push_back(1);
  }
  if (campaign.maker.backends.empty()) {
    campaign.maker.backends = ladder();
    campaign.maker.backend_weights = kLadderWeights;
  }
  Result<std::vector<std::string>> oracles = chosen_oracles(options.judging, lacking_device(options.judging));
  if (!oracles.ok()) return oracles.error();
  campaign.maker.oracles = std::move(oracles).value();
  Result<oracle::PlanOptions> plan = plan_options(options.judging);
  if (!plan.ok()) return plan.error();
  campaign.maker.plan = std::move(plan).value();
  Result<pyrunner::RunnerOptions> runner =
      runner_options(campaign.maker.backends, device_of(campaign.maker.oracles, campaign.maker.plan));
  if (!runner.ok()) return runner.error();
  campaign.runner = std::move(runner).value();
  pyrunner::RunnerOptions plain = campaign.runner;
  plain.backends = {"plain"};
  plain.given_up = [&stop_asked] { return stop_asked.load(); };
  campaign.tried_by = std::make_shared<LazyRunner>(std::move(plain));
  const Result<CallsOfProgram> calls = calls_of_program(options);
  if (!calls.ok()) return calls.error();
  Result<SeedSources> seed_sources = chosen_sources(options.from, calls.value(), options.with, *campaign.tried_by);
  if (!seed_sources.ok()) return seed_sources.error();
  campaign.maker.seed_sources = std::move(seed_sources).value();
  if (Status fit = sources_fit(campaign.maker); !fit.ok()) return fit.error();
  if (!options.time.empty()) {
    Result<double> seconds = parse_duration(options.time);
    if (!seconds.ok()) return seconds.error();
    campaign.seconds = seconds.value();
  }
  campaign.tests = options.tests;
  campaign.until_findings = options.until_findings;
  campaign.reduce = options.reduce;
  campaign.finish = options.finish;
  campaign.maker.epochs =
      Epochs::for_cores(options.cores, options.epoch.value_or(options.cores > 0 ? 0 : Epochs::kSize));
  campaign.maker.allow_known = options.allow_known;
  campaign.maker.depth = options.depth;
  campaign.maker.corpus_policy = *corpus_policy_named(options.corpus_policy);
  campaign.jobs = options.jobs > 0 ? options.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  campaign.keep_programs = options.keep_programs;
  campaign.folder = options.folder.empty() ? fmt::format("campaigns/seed-{}", campaign.maker.seed) : options.folder;
  Result<KnownBefore> known = known_before(options.known);
  if (!known.ok()) return known.error();
  campaign.known = std::move(known).value();
  return campaign;
}

codec::Json json_of(const std::vector<SeedCount>& counts) {
  codec::Json rows = codec::Json::array();
  for (const SeedCount& count : counts)
    rows.push_back(
        {{"from", count.source}, {"size", count.size ? codec::Json(*count.size) : codec::Json()}, {"run", count.run}});
  return rows;
}

codec::Json json_of(const Tally& tally, std::uint64_t seed, const std::vector<Finding>& flaky) {
  const codec::Json time = to_json(tally.time);
  return {{"tests", tally.tests},
          {"valid", tally.valid},
          {"rejected", tally.rejected},
          {"vacuous", tally.vacuous},
          {"unstable", tally.unstable},
          {"divergences", tally.divergences},
          {"findings", tally.kept.findings},
          {"known", tally.kept.known},
          {"flaky", tally.kept.flaky},
          {"flaky_findings", flaky_json(flaky)},
          {"only_in_batch", tally.only_in_batch},
          {"made_elsewhere", tally.made_elsewhere},
          {"store_seconds", tally.store_seconds},
          {"studied_elsewhere", tally.studied_elsewhere},
          {"candidates", tally.kept.candidates},
          {"waiting", tally.kept.waiting},
          {"unfinished", tally.kept.unfinished},
          {"broken", tally.broken},
          {"internal_errors", tally.internal_errors.size()},
          {"seconds", tally.seconds},
          {"tests_per_second", tally.tests_per_second()},
          {"job_seconds", time.at("job_seconds")},
          {"phases", time.at("phases")},
          {"seeds", json_of(tally.seeds)},
          {"seed", seed}};
}

/// Whether a flag was given on the command line.
using Given = std::function<bool(const std::string&)>;

/// The campaign's store: a new one, or the one to resume, whose settings then replace the flags. Flags that were given
/// must agree with them.
Result<std::unique_ptr<report::Store>> open_store(CampaignOptions& campaign, bool resume, const Given& given) {
  const codec::Json asked = settings_json(campaign);
  if (!resume) return report::Store::create(campaign.folder, asked);
  auto store = report::Store::open(campaign.folder);
  if (!store.ok()) return store;
  if (Status read = read_settings(store.value()->settings(), campaign); !read.ok()) return read.error();
  if (Status same = same_settings(settings_json(campaign), asked, given); !same.ok()) return same.error();
  return store;
}

/// Whether all tests that were asked for have ended, and nothing of what they found is unfinished.
Result<bool> is_over(const CampaignOptions& campaign, const report::Store& store) {
  if (!campaign.tests || store.first_unfinished() < *campaign.tests) return false;
  Result<LeftToDo> left = left_to_do(campaign.folder, campaign.reduce);
  if (!left.ok()) return left.error();
  const auto ended = [&](std::uint64_t number) { return store.is_finished(number); };
  Result<std::set<std::uint64_t>> waiting = waiting_cases(campaign.folder, ended);
  if (!waiting.ok()) return waiting.error();
  if (!waiting.value().empty()) return false;
  const bool finishes = campaign.finish.value_or(campaign.seconds.has_value());
  return left.value().first.empty() && (left.value().aside.empty() || !finishes);
}

int say_over(const CampaignOptions& campaign, std::uint64_t ended, bool json) {
  Result<std::vector<Finding>> flaky = flaky_findings(campaign.folder);
  if (!flaky.ok()) return cannot(flaky.error());
  fmt::print(stderr, "the campaign in {} is finished: {}; make more with --tests\n", campaign.folder,
             ended == 1 ? "its test has ended" : fmt::format("its {} tests have ended", ended));
  if (json) put("{}\n", codec::text(json_of({}, campaign.maker.seed, flaky.value())));
  return kDidItsWork;
}

// How many tests an epoch has, where that depends on the cores.
void say_epochs(const Epochs& epochs, const FuzzFlags& options, Progress& progress) {
  if (epochs.cores() > 0)
    progress.note(fmt::format("for {} an epoch has {} tests; one machine makes the same with {}--cores {}",
                              plural(epochs.cores(), "core"), epochs.size(),
                              options.epoch ? fmt::format("--epoch {} ", *options.epoch) : "", epochs.cores()));
  else if (!options.on.empty() && !options.epoch)
    progress.note(
        fmt::format("an epoch has {} tests; with --cores N it has {} for each of N", epochs.size(), Epochs::kPerCore));
}

// Before a new campaign's folder is made.
Status may_use(const Pool& pool, const CampaignOptions& campaign, bool resume) {
  if (!pool.check || resume) return Done{};
  const Result<codec::Json> ours = fingerprint(campaign.runner, campaign.known);
  return ours.ok() ? pool.check(ours.value(), settings_json(campaign)) : Status(ours.error());
}

int run(FuzzFlags options, const Given& given) {
  const std::atomic<bool>& stop_asked = listen_to_signals();
  Result<Pool> pool = pool_of(options.on, stop_asked);
  if (!pool.ok()) return cannot(pool.error());
  if (!options.epoch && options.cores == 0) options.cores = pool.value().processes;
  Result<CampaignOptions> made = campaign_options(options, stop_asked);
  if (!made.ok() && made.error().message == pyrunner::kStartCancelled) {
    if (options.replay) return cannot({"stopped before the test was made again"});
    fmt::print(stderr, "stopped before the programs of --from had been run\n");
    return kDidItsWork;
  }
  if (!made.ok()) return cannot(made.error());
  CampaignOptions& campaign = made.value();
  Progress progress(campaign.seconds, campaign.folder);
  if (options.replay) {
    Result<report::EndedTest> ended = replay(campaign, *options.replay, progress, stop_asked);
    if (!ended.ok()) return cannot(ended.error());
    put("{}", render_replay(*options.replay, ended.value()));
    return ended.value().verdict == kInternalError ? kCannot
           : ended.value().verdict == "diverge"    ? kFound
                                                   : kDidItsWork;
  }
  if (Status may = may_use(pool.value(), campaign, options.resume); !may.ok()) return cannot(may.error());
  if (given("--keep-programs"))
    if (Status folder = make_folder(campaign.keep_programs); !folder.ok()) return cannot(folder.error());
  auto store = open_store(campaign, options.resume, given);
  if (!store.ok()) return cannot(store.error());
  if (options.resume) {
    const Result<bool> over = is_over(campaign, *store.value());
    if (!over.ok()) return cannot(over.error());
    if (over.value()) return say_over(campaign, store.value()->finished().size(), options.json);
  }
  if (campaign.tests)
    progress.expect(*campaign.tests - std::min<std::uint64_t>(*campaign.tests, store.value()->finished().size()));
  say_epochs(campaign.maker.epochs, options, progress);
  Result<Tally> tally = run_campaign(campaign, *store.value(), progress, stop_asked, pool.value().open);
  // Ctrl-C while a worker starts ends a campaign as it does later.
  if (!tally.ok() && tally.error().message == pyrunner::kStartCancelled) tally = Tally{};
  if (!tally.ok()) {
    if (!options.resume) report::Store::discard(std::move(store).value());
    return cannot(tally.error());
  }
  std::uint64_t seed = campaign.maker.seed;
  if (stop_asked)
    progress.note(
        fmt::format("stopped; continue with: jitprobe fuzz --campaign {} --resume", shell_word(campaign.folder)));
  Result<std::vector<Finding>> flaky = flaky_findings(campaign.folder);
  if (!flaky.ok()) return cannot(flaky.error());
  if (options.json)
    put("{}\n", codec::text(json_of(tally.value(), seed, flaky.value())));
  else
    put("{}{}{}", render_summary(tally.value(), seed, campaign.folder), flaky_text(flaky.value()),
        options.statistics ? render_phases(tally.value().time.phases) : "");
  if (options.json)
    fmt::print(stderr, "{}", for_errors(render_internal_errors(tally.value().internal_errors, campaign.folder)));
  return tally.value().kept.findings > 0 ? kFound : kDidItsWork;
}

class FuzzCommand : public Command {
 public:
  std::string_view name() const override { return "fuzz"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<FuzzFlags>();
    CLI::App* command = parent.add_subcommand(
        "fuzz",
        "run a campaign: exit 1 if this call has confirmed a new finding, else 0, also if a resumed campaign has ended "
        "already. Ctrl-C ends it cleanly");
    command->footer("example: jitprobe fuzz --time 5m --backend aot_eager --campaign campaigns/night");
    add_flags(*command, *options);
    command->callback([options, command, &exit_code] {
      const Given given = [command](const std::string& flag) { return command->get_option(flag)->count() > 0; };
      exit_code = run(*options, given);
    });
  }
};

const Register<Command, FuzzCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_fuzz_command
