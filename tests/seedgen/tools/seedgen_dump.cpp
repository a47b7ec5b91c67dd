// Prints generated programs as JSON lines {"seed", "source", "values", "calls"}, as input of check_programs.py.
//
//   seedgen_dump FIRST COUNT [OPERATORS [--text | --broken | --without NAME…]]
//
// `--text` prints the programs themselves; `--broken` dumps programs with one broken rule, without types;
// `--without` leaves out what a torch lacks, as jitprobe generate does.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "seedgen/broken.h"
#include "seedgen/generate.h"

int main(int argc, char** argv) {
  using namespace jp;
  if (argc < 3) {
    fmt::print(stderr, "usage: seedgen_dump FIRST COUNT [OPERATORS [--text | --broken | --without NAME…]]\n");
    return 2;
  }
  std::uint64_t first = std::strtoull(argv[1], nullptr, 10);
  std::uint64_t count = std::strtoull(argv[2], nullptr, 10);
  seedgen::GenerateOptions options;
  if (argc > 3) options.operators = std::atoi(argv[3]);
  bool text = argc > 4 && std::string(argv[4]) == "--text";
  bool broken = argc > 4 && std::string(argv[4]) == "--broken";
  if (argc > 4 && std::string(argv[4]) == "--without") options.without.assign(argv + 5, argv + argc);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Result<Program> program = broken ? seedgen::generate_broken(seed, options) : seedgen::generate(seed, options);
    if (!program) {
      fmt::print(stderr, "seed {}: {}\n", seed, program.error().message);
      return 1;
    }
    if (broken) {
      nlohmann::json line = {{"seed", seed}, {"source", program.value().source()}};
      fmt::print("{}\n", line.dump());
      continue;
    }
    Graph graph = seedgen::generate_graph(seed, options);
    if (text) {
      fmt::print("# seed {}\n{}\n", seed, program.value().source());
      continue;
    }
    nlohmann::json calls = nlohmann::json::array();
    for (const Call& call : graph.calls) calls.push_back(std::string(call.op));
    nlohmann::json line = {{"seed", seed},
                           {"source", program.value().source()},
                           {"calls", calls},
                           {"values", nlohmann::json::parse(seedgen::describe_values(graph))}};
    fmt::print("{}\n", line.dump());
  }
  return 0;
}
