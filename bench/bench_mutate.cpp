// How many mutants a second one core makes of 20-operator programs where no facts are needed, parsing included; and how
// long parsing alone takes.
#include <benchmark/benchmark.h>

#include "mutate/engine.h"
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

void parse(benchmark::State& state) {
  jp::Program program = jp::seedgen::generate(1, {.operators = 20}).value();
  for (auto _ : state) benchmark::DoNotOptimize(jp::mutate::parse(program));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(parse);

}  // namespace
