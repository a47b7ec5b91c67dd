#include "campaign/making/test_maker.h"

#include <algorithm>

#include "campaign/common/judging.h"

namespace jp::campaign {
namespace {

// Some bugs need two switches in one order; more than a few only cost time.
constexpr std::uint64_t kMostSwitches = 4;
// Each mutant costs profile runs.
constexpr std::uint64_t kMutantDraws = 3;

// One test in so many gets statements from another program; in the others they come from the program itself.
constexpr std::uint64_t kDonors = 4;
// With fewer mutations than this all are left on: a user who names a few wants them.
constexpr std::size_t kSwarm = 8;

// Each program is made with a random half of the mutations, so that some are made without those that hinder others, or
// always come first (swarm testing: Groce and others, 2012).
mutate::Weights swarm(mutate::Weights weights, Choices choices) {
  std::vector<std::string> on;
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all())
    if (std::string name(mutation->name());
        weights.try_emplace(name, mutate::unnamed_weight(*mutation)).first->second > 0)
      on.push_back(name);
  if (on.size() <= kSwarm) return weights;
  for (const std::string& name : on)
    if (choices.chance(1, 2)) weights[name] = 0;
  return weights;
}

// Keeps only the variations, or none of them.
void keep_kind(mutate::Weights& weights, bool variations) {
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all())
    if ((mutation->exactness() == mutate::Exactness::kVariation) != variations)
      weights[std::string(mutation->name())] = 0;
}

// The mutation that the last step has prepared, if any and if its weight isn't zero.
std::string_view prepared(const Profiled& current, const mutate::Weights& allowed) {
  const std::vector<Step>& steps = current.parsed.program().lineage().steps;
  if (steps.empty()) return "";
  const mutate::Mutation* last = mutate::Mutations::instance().find(steps.back().mutation);
  if (!last || last->prepares().empty()) return "";
  const auto weight = allowed.find(last->prepares());
  return weight != allowed.end() && weight->second == 0 ? "" : last->prepares();
}

void keep_one(mutate::Weights& weights, std::string_view name) {
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all())
    weights[std::string(mutation->name())] = mutation->name() == name ? 1 : 0;
}

}  // namespace

bool all_calls_work(const Observation& observation) {
  return std::none_of(observation.calls.begin(), observation.calls.end(),
                      [](const CallRecord& call) { return call.exception || call.backward_exception; });
}

TestMaker::TestMaker(const MakerOptions& options, pyrunner::Runner& runner)
    : options_(options), runner_(runner), missing_(options.without) {}

std::optional<TestCase> TestMaker::make(std::uint64_t number, const Tables& tables) {
  const Choices choices = Choices(options_.seed).fork("test", number);
  const SeedSelection selection = selection_of(options_.seed_sources, options_.draw_seeds, number, choices);
  const oracle::Oracle& oracle = oracle_of(*options_.seed_sources[selection.seed_source], choices, tables.feedback);
  const bool judges_broken = oracle.needs() == oracle::Needs::kBroken;
  const bool broken = judges_broken && options_.seed_sources[selection.seed_source]->breaks_rules();
  oracle::PlanOptions plan = plan_of(oracle, choices, tables.feedback);
  ++counts_.seeds;
  Start start = start_of(selection, broken, choices, tables);
  // A broken program is left as it is: mutations need the facts of a whole run.
  std::optional<Program> program = start.mutant.seed;
  const bool compares = oracle.needs() == oracle::Needs::kSeed;
  if (compares) plan.seed_text = start.mutant.seed.source();
  if (judges_broken && !broken)
    program = broken_mutant_of(start, choices);
  else if (!broken && selection.mutated)
    program = unsuppressed_mutant_of(*options_.seed_sources[selection.seed_source], start, choices, tables,
                                     compares ? &plan : nullptr);
  else if (!broken && !proven(start))
    program = std::nullopt;
  if (!program) return std::nullopt;
  return TestCase{number, std::move(*program), &oracle, std::move(plan), std::move(start)};
}

// An oracle of broken programs is drawn for sources that have some, or whose programs a mutation may break;
// sources_fit() has made sure that other oracles remain.
const oracle::Oracle& TestMaker::oracle_of(const SeedSource& seed_source, const Choices& choices,
                                           const FeedbackState* feedback) const {
  std::vector<std::string> names = options_.oracles;
  if (!seed_source.breaks_rules() && options_.mutations == 0)
    std::erase_if(names, [](const auto& name) { return need_oracle(name).needs() == oracle::Needs::kBroken; });
  if (!feedback) return need_oracle(choices.fork("oracle").pick(names));
  return need_oracle(names[choices.fork("oracle").weighted(feedback->shares.of_oracles(names))]);
}

Start TestMaker::start_of(const SeedSelection& selection, bool broken, const Choices& choices, const Tables& tables) {
  const SeedSource& seed_source = *options_.seed_sources[selection.seed_source];
  if (selection.mutated && !broken && tables.feedback && options_.mutations > 0)
    if (Choices drawn = choices.fork("parent"); drawn.chance(1, 2))
      if (const CorpusEntry* parent = tables.feedback->corpus.draw(options_.depth, drawn))
        return {parent->mutant, parent->depth};
  if (selection.seed) return {{seed_source.seed(*selection.seed), {}}, 0};
  const auto draw = [&](std::uint64_t number) {
    return broken ? *drawn_broken_seed(seed_source, choices, number) : drawn_seed(seed_source, choices, number);
  };
  return {{draw_unsuppressed(tables.suppressions ? *tables.suppressions : Suppressions{}, choices, draw,
                             counts_.suppressed),
           {}},
          0};
}

std::optional<Program> TestMaker::unsuppressed_mutant_of(const SeedSource& seed_source, const Start& start,
                                                         const Choices& choices, const Tables& tables,
                                                         oracle::PlanOptions* seed_in) {
  std::optional<Profiled> begun = proven(start);
  if (!begun) return std::nullopt;
  if (options_.mutations > 0) begun->parsed = begun->parsed.with_donor(donor_of(seed_source, choices, tables.feedback));
  const bool suppressed = tables.suppressions && !tables.suppressions->empty();
  const Features before = suppressed ? features_of(begun->parsed.program()) : Features{};
  for (std::uint64_t draw = 0;; ++draw) {
    const Choices own = choices.fork("mutate", draw);
    const Profiled made = mutated(*begun, own, tables, seed_in ? &seed_in->seed_text : nullptr, start.depth);
    const Program& mutant = made.parsed.program();
    if (!suppressed || draw + 1 == kMutantDraws) return mutant;
    if (passes(weight_of(*tables.suppressions, features_of(mutant), before), choices.fork("mask mutant", draw)))
      return mutant;
    ++counts_.suppressed;
  }
}

std::optional<Program> TestMaker::broken_mutant_of(const Start& start, const Choices& choices) {
  const std::optional<Profiled> whole = proven(start);
  if (!whole) return std::nullopt;
  mutate::Weights weights;
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all())
    weights[std::string(mutation->name())] = mutation->exactness() == mutate::Exactness::kBroken ? 1 : 0;
  Choices drawn = choices.fork("break");
  const std::optional<Profiled> broken = checked_step(runner_, *whole, drawn, weights, &counts_.steps, missing_);
  return broken ? std::optional(broken->parsed.program()) : std::nullopt;
}

oracle::PlanOptions TestMaker::plan_of(const oracle::Oracle& oracle, const Choices& choices,
                                       const FeedbackState* feedback) const {
  oracle::PlanOptions plan = options_.plan;
  const std::vector<std::uint32_t> weights =
      feedback ? feedback->shares.of_backends(options_.backends, options_.backend_weights) : options_.backend_weights;
  plan.backend = options_.backends[choices.fork("backend").weighted(weights)];
  if (oracle.needs() != oracle::Needs::kSwitches) return plan;
  Choices drawn = choices.fork("switches");
  const auto table = options_.switches.find(plan.backend);
  if (table == options_.switches.end() || table->second.empty()) return plan;
  for (std::uint64_t i = drawn.below(kMostSwitches) + 1; i > 0; --i) plan.switches.push_back(drawn.pick(table->second));
  return plan;
}

std::optional<Profiled> TestMaker::proven(const Start& start) {
  Result<mutate::Parsed> seed = mutate::parse(start.mutant.seed);
  JP_CHECK(seed.ok(), "a seed doesn't parse: {}", seed.error().message);
  Result<Profiled> shown = profile(runner_, mutate::replay(seed.value(), start.mutant.steps));
  if (shown.ok() && all_calls_work(shown.value().observation)) return std::move(shown).value();
  ++counts_.invalid_seeds;
  return std::nullopt;
}

std::shared_ptr<const mutate::Donor> TestMaker::donor_of(const SeedSource& seed_source, const Choices& choices,
                                                         const FeedbackState* feedback) {
  Choices drawn = choices.fork("donor");
  const auto weight = options_.weights.find("splice");
  if (!drawn.chance(1, kDonors) || (weight != options_.weights.end() && weight->second == 0)) return nullptr;
  const CorpusEntry* parent = feedback ? feedback->corpus.draw(options_.depth, drawn) : nullptr;
  const std::uint64_t number = drawn.below(seed_source.size().value_or(std::uint64_t{1} << 62));
  Result<mutate::Parsed> base = mutate::parse(parent ? parent->mutant.seed : seed_source.seed(number));
  JP_CHECK(base.ok(), "a seed doesn't parse: {}", base.error().message);
  Result<Profiled> shown =
      profile(runner_, parent ? mutate::replay(base.value(), parent->mutant.steps) : std::move(base).value());
  if (!shown.ok() || !all_calls_work(shown.value().observation)) return nullptr;
  return std::make_shared<const mutate::Donor>(
      mutate::Donor{std::move(shown.value().parsed), std::move(shown.value().facts)});
}

mutate::Weights TestMaker::weights_for(const Profiled& current, const mutate::Weights& on,
                                       const FeedbackState* feedback) const {
  if (!feedback) return on;
  const std::vector<Step>& steps = current.parsed.program().lineage().steps;
  return feedback->mutation_weights.weights(on, steps.empty() ? "" : steps.back().mutation);
}

// Variations first, if any: the condition of a true block holds for the calls that the profile saw, and a later
// variation of the inputs would often make it false.
Profiled TestMaker::mutated(Profiled current, const Choices& choices, const Tables& tables, std::string* reference,
                            int depth) {
  Choices plan = choices.fork("steps");
  std::uint64_t steps = plan.below(static_cast<std::uint64_t>(options_.mutations) + 1);
  // A corpus program has been judged as it is.
  if (depth > 0) steps = std::max<std::uint64_t>(steps, 1);
  std::uint64_t variations = plan.chance(1, 2) ? std::min<std::uint64_t>(steps, plan.below(3)) : 0;
  const mutate::Weights on = swarm(options_.weights, choices.fork("swarm"));
  std::string_view next;  // only this mutation is drawn for the step
  for (std::uint64_t i = 0; i < steps; ++i) {
    Choices step_choices = choices.fork("step", i);
    mutate::Weights weights = weights_for(current, on, tables.feedback);
    if (i < variations) keep_kind(weights, true);
    if (i >= variations && reference) keep_kind(weights, false);
    if (!next.empty()) keep_one(weights, next);
    if (i == variations && reference) *reference = current.parsed.source();
    auto mutant = checked_step(runner_, current, step_choices, weights, &counts_.steps, missing_);
    next = "";
    if (!mutant) continue;
    current = std::move(*mutant);
    if (i < variations && choices.fork("prepared", i).chance(1, 2)) next = prepared(current, options_.weights);
    // What the last variation prepared is one more step.
    if (!next.empty() && i + 1 == variations) steps = std::max(steps, ++variations);
  }
  if (reference && steps == variations) *reference = current.parsed.source();
  return current;
}

}  // namespace jp::campaign
