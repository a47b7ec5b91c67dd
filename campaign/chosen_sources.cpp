#include "campaign/chosen_sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/common/judging.h"
#include "campaign/common/tools.h"
#include "campaign/known/known.h"
#include "campaign/making/step.h"
#include "campaign/sources/harvest.h"
#include "core/text.h"
#include "mutate/syntax/syntax.h"

namespace jp::campaign {
namespace {

// Why a user's program can't be a seed; "" if it can. An Error if the runner can't start, or gave up.
Result<std::string> fault_of(const Program& program, LazyRunner& tries) {
  Result<mutate::Parsed> parsed = mutate::parse(program);
  if (!parsed.ok()) return fmt::format("{} {}", program.path(), parsed.error().message);
  const Result<pyrunner::Runner*> runner = tries.get();
  if (!runner.ok()) return runner.error();
  Result<Profiled> shown = profile(*runner.value(), std::move(parsed).value());
  if (runner.value()->given_up()) return Error{std::string(pyrunner::kStartCancelled)};
  if (!shown.ok()) return fmt::format("{}: {}", program.path(), shown.error().message);
  if (!all_calls_work(shown.value().observation))
    return program.path() + ": eager does not go through all of its calls";
  return std::string();
}

}  // namespace

Result<SeedSources> chosen_sources(const std::vector<std::string>& sources, CallsOfProgram calls,
                                   const std::string& harvest, LazyRunner& tries) {
  Result<std::string> corpus = corpus_folder();
  if (!corpus.ok()) return corpus.error();
  std::shared_ptr<const seedgen::HarvestedOperators> with;
  if (!harvest.empty()) {
    if (std::find(sources.begin(), sources.end(), "generated") == sources.end())
      return Error{"--with goes with generated programs: add --from generated"};
    auto loaded = load_harvested(harvest);
    if (!loaded.ok()) return loaded.error();
    with = loaded.value();
  }
  const SeedSourceMaker maker{
      .calls = calls,
      .with = with,
      .corpus = corpus.value(),
      .fault_of = [&](const Program& program) { return fault_of(program, tries); },
      .note = [](const std::string& line) { fmt::print(stderr, "{}\n", for_errors(line)); },
  };
  SeedSources seed_sources;
  for (const std::string& source : sources) {
    SeedSourceResult seed_source = seed_source_of(source, maker);
    if (!seed_source.ok()) return seed_source.error();
    seed_sources.push_back(std::move(seed_source).value());
  }
  return seed_sources;
}

Status sources_fit(const MakerOptions& maker) {
  for (const auto& seed_source : maker.seed_sources)
    if (!seed_source->breaks_rules() && maker.mutations == 0 &&
        std::all_of(maker.oracles.begin(), maker.oracles.end(),
                    [](const std::string& name) { return need_oracle(name).needs() == oracle::Needs::kBroken; }))
      return Error{fmt::format(
          "the oracle {} judges programs with a broken rule, and {} has none: add --from generated, or mutations",
          maker.oracles.front(), seed_source->name())};
  return Done{};
}

}  // namespace jp::campaign
