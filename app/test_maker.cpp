#include "app/test_maker.h"

#include <algorithm>

#include "app/judging.h"

namespace jp::app {
namespace {

// Some bugs need two switches in one order; more than a few only cost.
constexpr std::uint64_t kMostSwitches = 4;
// Each mutant costs profile runs.
constexpr std::uint64_t kMutantDraws = 3;

}  // namespace

bool all_calls_work(const Observation& observation) {
  return std::none_of(observation.calls.begin(), observation.calls.end(),
                      [](const CallRecord& call) { return call.exception || call.backward_exception; });
}

TestMaker::TestMaker(const MakerOptions& options, pyrunner::Runner& runner)
    : options_(options), runner_(runner), variations_(options.weights) {
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all())
    if (mutation->exactness() != mutate::Exactness::kVariation) variations_[std::string(mutation->name())] = 0;
}

std::optional<TestCase> TestMaker::make(std::uint64_t number, const Masks& masks, const GuideTable* table) {
  const Choices choices = Choices(options_.seed).fork("test", number);
  const Visit visit = visit_of(options_.doors, options_.draw_seeds, number, choices);
  const oracle::Oracle& oracle = oracle_of(*options_.doors[visit.door], choices);
  const bool broken = oracle.needs() == oracle::Needs::kBroken;
  oracle::PlanOptions plan = plan_of(oracle, choices);
  ++counts_.seeds;
  const Program seed = seed_of(visit, broken, choices, masks, table);
  // A broken program is left as it is: mutations are made from what a whole run shows.
  std::optional<Program> program = seed;
  if (!broken && visit.mutated) program = masked_mutant_of(seed, choices, masks);
  if (!broken && !visit.mutated && !proven(seed)) program = std::nullopt;
  if (!program) return std::nullopt;
  if (oracle.needs() == oracle::Needs::kSeed) plan.seed_source = seed.source();
  return TestCase{number, std::move(*program), &oracle, std::move(plan)};
}

// One that judges broken programs is drawn for doors that have some; sources_fit() has seen to it that others are left.
const oracle::Oracle& TestMaker::oracle_of(const Door& door, const Choices& choices) const {
  std::vector<std::string> names = options_.oracles;
  if (!door.breaks_rules())
    std::erase_if(names, [](const auto& name) { return need_oracle(name).needs() == oracle::Needs::kBroken; });
  return need_oracle(choices.fork("oracle").pick(names));
}

Program TestMaker::seed_of(const Visit& visit, bool broken, const Choices& choices, const Masks& masks,
                           const GuideTable* table) {
  const Door& door = *options_.doors[visit.door];
  if (visit.seed) return door.seed(*visit.seed);
  const auto draw = [&](std::uint64_t number) { return drawn_seed(door, broken, choices, number, table); };
  return draw_masked(masks, choices, draw, counts_.masked);
}

Program TestMaker::drawn_seed(const Door& door, bool broken, const Choices& choices, std::uint64_t number,
                              const GuideTable* table) {
  if (broken) return *draw_broken_seed(door, choices, number, table, counts_.nothing_new);
  if (table)
    if (auto guided = draw_guided_seed(door, choices, number, *table, counts_.nothing_new)) return std::move(*guided);
  return door.seed(drawn_number(choices, number));
}

std::optional<Program> TestMaker::masked_mutant_of(const Program& seed, const Choices& choices, const Masks& masks) {
  for (std::uint64_t draw = 0;; ++draw) {
    std::optional<Program> mutant = mutant_of(seed, choices.fork("mutate", draw));
    if (!mutant || masks.empty() || draw + 1 == kMutantDraws) return mutant;
    const std::uint32_t weight = weight_of(masks, features_of(*mutant), features_of(seed));
    if (passes(weight, choices.fork("mask mutant", draw))) return mutant;
    ++counts_.masked;
  }
}

oracle::PlanOptions TestMaker::plan_of(const oracle::Oracle& oracle, const Choices& choices) const {
  oracle::PlanOptions plan = options_.plan;
  plan.backend = options_.backends[choices.fork("backend").weighted(options_.backend_weights)];
  if (oracle.needs() != oracle::Needs::kSwitches) return plan;
  Choices drawn = choices.fork("switches");
  const auto table = options_.switches.find(plan.backend);
  if (table == options_.switches.end() || table->second.empty()) return plan;
  for (std::uint64_t i = drawn.below(kMostSwitches) + 1; i > 0; --i) plan.switches.push_back(drawn.pick(table->second));
  return plan;
}

std::optional<Profiled> TestMaker::proven(const Program& seed) {
  Result<mutate::Parsed> parsed = mutate::parse(seed);
  JP_CHECK(parsed.ok(), "a seed doesn't parse: {}", parsed.error().message);
  Result<Profiled> shown = profile(runner_, std::move(parsed).value());
  if (shown.ok() && all_calls_work(shown.value().observation)) return std::move(shown).value();
  ++counts_.invalid_seeds;
  return std::nullopt;
}

std::optional<Program> TestMaker::mutant_of(const Program& seed, const Choices& choices) {
  std::optional<Profiled> current = proven(seed);
  if (!current) return std::nullopt;
  return mutated(std::move(*current), choices).parsed.program();
}

// Variations first, if any: what a true block tests holds for the calls that the profile saw, and a later variation of
// the inputs would often make it false.
Profiled TestMaker::mutated(Profiled current, const Choices& choices) {
  Choices plan = choices.fork("steps");
  std::uint64_t steps = plan.below(static_cast<std::uint64_t>(options_.mutations) + 1);
  std::uint64_t variations = plan.chance(1, 2) ? std::min<std::uint64_t>(steps, plan.below(3)) : 0;
  for (std::uint64_t i = 0; i < steps; ++i) {
    Choices step_choices = choices.fork("step", i);
    const mutate::Weights& weights = i < variations ? variations_ : options_.weights;
    if (auto next = checked_step(runner_, current, step_choices, weights, &counts_.steps)) current = std::move(*next);
  }
  return current;
}

}  // namespace jp::app
