// Prints generated programs with the calls of a harvest as JSON lines {"seed", "source", "values", "calls"}, as input
// of tests/seedgen/check_programs.py.
//
//   harvested_dump FOLDER FIRST COUNT OPERATORS
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "campaign/sources/harvest.h"
#include "codec/codec.h"
#include "seedgen/generate.h"

int main(int argc, char** argv) {
  using namespace jp;
  if (argc != 5) {
    fmt::print(stderr, "usage: harvested_dump FOLDER FIRST COUNT OPERATORS\n");
    return 2;
  }
  auto with = campaign::load_harvested(argv[1]);
  if (!with.ok()) {
    fmt::print(stderr, "{}\n", with.error().message);
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
  seedgen::GenerateOptions options;
  options.operators = std::atoi(argv[4]);
  options.with = with.value();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Graph graph = seedgen::generate_graph(seed, options);
    codec::Json calls = codec::Json::array();
    for (const Call& call : graph.calls) calls.push_back(std::string(call.op));
    fmt::print("{}\n", codec::text({{"seed", seed},
                                    {"source", seedgen::generate(seed, options).value().source()},
                                    {"calls", std::move(calls)},
                                    {"values", codec::Json::parse(seedgen::describe_values(graph))}}));
  }
  return 0;
}
