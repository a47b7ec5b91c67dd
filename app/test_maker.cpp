#include "app/test_maker.h"

#include <algorithm>

#include "seedgen/generate.h"

namespace jp::app {
namespace {

bool all_calls_work(const Observation& observation) {
  return std::none_of(observation.calls.begin(), observation.calls.end(),
                      [](const CallRecord& call) { return call.exception || call.backward_exception; });
}

}  // namespace

TestMaker::TestMaker(const MakerOptions& options, pyrunner::Runner& runner)
    : options_(options), runner_(runner), variations_(options.weights) {
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all())
    if (mutation->exactness() != mutate::Exactness::kVariation) variations_[std::string(mutation->name())] = 0;
}

std::optional<TestCase> TestMaker::make(std::uint64_t number) {
  Choices choices = Choices(options_.seed).fork("test", number);
  Choices backend_choices = choices.fork("backend");
  std::string backend = options_.backends[backend_choices.weighted(options_.backend_weights)];
  ++counts_.seeds;
  seedgen::GenerateOptions generate;
  generate.operators = options_.operators;
  Result<Program> seed = seedgen::generate(choices.fork("seed").below(std::uint64_t{1} << 62), generate);
  JP_CHECK(seed.ok(), "the generator made no program: {}", seed.error().message);
  Result<mutate::Parsed> parsed = mutate::parse(seed.value());
  JP_CHECK(parsed.ok(), "a generated program doesn't parse: {}", parsed.error().message);
  Result<Profiled> current = profile(runner_, std::move(parsed).value());
  if (!current.ok() || !all_calls_work(current.value().observation)) {
    ++counts_.invalid_seeds;
    return std::nullopt;
  }
  Profiled made = mutated(std::move(current).value(), choices.fork("mutate"));
  return TestCase{number, made.parsed.program(), std::move(backend)};
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
