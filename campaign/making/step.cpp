#include "campaign/making/step.h"

#include <fmt/format.h>

#include "campaign/common/exactness.h"
#include "campaign/common/phases.h"
#include "mutate/safety/introspection.h"
#include "oracle/judge/endings.h"

namespace jp::campaign {

Result<Profiled> profile(pyrunner::Runner& runner, mutate::Parsed parsed) {
  const PhaseScope phase(Phase::kProfile);
  pyrunner::Runner::Profile profile = runner.profile(parsed.program(), mutate::watched(parsed));
  Ending& ending = profile.outcome.ending;
  if (auto* finished = std::get_if<Finished>(&ending))
    return Profiled{std::move(parsed), std::move(profile.facts), std::move(finished->observation)};
  if (auto* raised = std::get_if<Raised>(&ending))
    return Error{fmt::format("the program can't be run: {}", raised->reason)};
  if (auto* broken = std::get_if<Broken>(&ending))
    return Error{fmt::format("jitprobe's own worker can't run the program: {}", broken->what)};
  return Error{fmt::format("the program can't be run in eager: it {}", oracle::describe_ending(ending))};
}

std::vector<Facts> moved_facts(pyrunner::Runner& runner, const mutate::Parsed& parsed) {
  std::vector<Facts> found;
  for (std::uint64_t seed : {1, 2})
    found.push_back(runner.moved_facts(parsed.program(), mutate::watched(parsed), seed).facts);
  return found;
}

std::optional<Profiled> checked_step(pyrunner::Runner& runner, const Profiled& current, Choices& choices,
                                     const mutate::Weights& weights, StepCounts* counts,
                                     const MissingFunctions& missing) {
  const PhaseScope phase(Phase::kMutate);
  mutate::Counts* tries = counts ? &counts->mutations : nullptr;
  const auto move = [&] { return moved_facts(runner, current.parsed); };
  std::optional<mutate::Parsed> mutant =
      mutate::random_step(current.parsed, current.facts, choices, weights, tries, move, missing);
  if (!mutant) return std::nullopt;
  const std::string id = mutant->program().lineage().steps.back().mutation;
  const mutate::Exactness exactness = mutate::Mutations::instance().find(id)->exactness();
  Program program = mutant->program();
  Result<Profiled> next = profile(runner, std::move(*mutant));
  std::string reason =
      next.ok() ? broken_promise(exactness, current.observation, next.value().observation) : next.error().message;
  if (reason.empty()) return std::move(next).value();
  if (counts) ++counts->undone[id];
  const bool exact = exactness == mutate::Exactness::kBitwise || exactness == mutate::Exactness::kRounding;
  if (counts && exact) counts->broken.push_back({std::move(reason), std::move(program)});
  return std::nullopt;
}

}  // namespace jp::campaign
