// How many mutants a second one core makes of 20-operator programs when each is run in eager for its facts (warm
// worker, the fork of its children included), and how long the parts of that take.
#include <benchmark/benchmark.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>

#include "mutate/engine/engine.h"
#include "mutate/safety/introspection.h"
#include "pyrunner/paths.h"
#include "pyrunner/runner.h"
#include "seedgen/generate.h"

namespace {

// This process and the worker's, which take turns: the rate is that of one core.
void stay_on_one_core() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  if (sched_setaffinity(0, sizeof(one), &one) != 0) std::perror("bench: sched_setaffinity");
}

jp::pyrunner::Runner& runner() {
  static std::unique_ptr<jp::pyrunner::Runner> started = [] {
    stay_on_one_core();
    auto options = jp::pyrunner::default_options();
    if (options.ok()) options.value().backends = {"eager"};
    auto made = options.ok() ? jp::pyrunner::Runner::start(options.value()) : options.error();
    if (made.ok()) return std::move(made).value();
    std::fprintf(stderr, "bench: %s\n", made.error().message.c_str());
    std::exit(2);
  }();
  return *started;
}

struct Known {
  jp::mutate::Parsed parsed;
  jp::Facts facts;
};

Known known(jp::mutate::Parsed parsed) {
  auto profile = runner().facts(parsed.program(), jp::mutate::watched(parsed));
  return {std::move(parsed), std::move(profile.facts)};
}

// With all that a campaign compares a step's run by.
Known recorded(jp::mutate::Parsed parsed) {
  auto profile = runner().profile(parsed.program(), jp::mutate::watched(parsed));
  return {std::move(parsed), std::move(profile.facts)};
}

std::vector<Known> bases() {
  std::vector<Known> made;
  for (std::uint64_t seed = 0; seed < 32; ++seed)
    made.push_back(known(jp::mutate::parse(jp::seedgen::generate(seed, {.operators = 20}).value()).value()));
  return made;
}

void profile(benchmark::State& state) {
  const std::vector<Known> programs = bases();
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(known(programs[i++ % programs.size()].parsed));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(profile)->UseRealTime()->MinTime(5);

void mutants(benchmark::State& state, Known (*run)(jp::mutate::Parsed)) {
  const std::vector<Known> programs = bases();
  std::uint64_t i = 0;
  std::int64_t made = 0;
  for (auto _ : state) {
    jp::Choices choices(i);
    const Known& program = programs[i++ % programs.size()];
    auto mutant = jp::mutate::random_step(program.parsed, program.facts, choices);
    if (!mutant) continue;
    benchmark::DoNotOptimize(run(*std::move(mutant)));
    ++made;
  }
  state.SetItemsProcessed(made);
}
// The first hundred runs of a child touch its memory for the first time: so few say nothing.
BENCHMARK_CAPTURE(mutants, with_facts, known)->UseRealTime()->MinTime(5);
BENCHMARK_CAPTURE(mutants, recorded, recorded)->UseRealTime()->MinTime(5);

}  // namespace
