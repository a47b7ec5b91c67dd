// How many programs per second one core makes, source text included.
#include <benchmark/benchmark.h>

#include "seedgen/generate.h"

namespace {

void generate(benchmark::State& state) {
  jp::seedgen::GenerateOptions options{.operators = static_cast<int>(state.range(0))};
  std::uint64_t seed = 0;
  for (auto _ : state) benchmark::DoNotOptimize(jp::seedgen::generate(seed++, options));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(generate)->Arg(20)->Arg(100);

}  // namespace
