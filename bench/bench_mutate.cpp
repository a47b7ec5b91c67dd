// How many mutants a second one core makes of 20-operator programs where no facts are needed, parsing included; the
// same with steps upon steps, up to 100 and 1,000; and how long parsing alone takes.
#include <benchmark/benchmark.h>

#include "mutate/engine/engine.h"
#include "seedgen/generate.h"

namespace {

jp::mutate::Parsed base(std::uint64_t seed) {
  return jp::mutate::parse(jp::seedgen::generate(seed, {.operators = 20}).value()).value();
}

void mutate(benchmark::State& state) {
  std::vector<jp::mutate::Parsed> bases;
  for (std::uint64_t seed = 0; seed < 32; ++seed) bases.push_back(base(seed));
  std::uint64_t i = 0;
  for (auto _ : state) {
    jp::Choices choices(i);
    benchmark::DoNotOptimize(jp::mutate::random_step(bases[i++ % bases.size()], {}, choices));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(mutate);

void chain(benchmark::State& state) {
  const jp::mutate::Parsed first = base(1);
  std::uint64_t i = 0;
  std::int64_t made = 0;
  for (auto _ : state) {
    jp::mutate::Parsed now = first;
    for (std::int64_t step = 0; step < state.range(0); ++step) {
      jp::Choices choices(i++);
      auto next = jp::mutate::random_step(now, {}, choices);
      if (!next) continue;
      now = *std::move(next);
      ++made;
    }
    state.counters["statements"] = static_cast<double>(now.statements().size());
  }
  state.SetItemsProcessed(made);
}
BENCHMARK(chain)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

void parse(benchmark::State& state) {
  jp::Program program = jp::seedgen::generate(1, {.operators = 20}).value();
  for (auto _ : state) benchmark::DoNotOptimize(jp::mutate::parse(program));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(parse);

}  // namespace
