// The seeds of one run of `generate` under a guide: each is drawn by what those before it have not covered. So a
// program depends on the run's first seed and options too, not on its own number alone.
#pragma once

#include <cstdint>
#include <utility>

#include "core/graph.h"
#include "core/program.h"
#include "core/result.h"
#include "seedgen/generate.h"
#include "seedgen/measure/coverage.h"

namespace jp::campaign {

class GuidedRun {
 public:
  /// `paths`: those of three operators count as well. The options must be in range, and without a harvest.
  GuidedRun(seedgen::GenerateOptions options, bool paths) : options_(std::move(options)), paths_(paths) {}

  /// The graph, or the program, of the next seed.
  Graph graph(std::uint64_t seed);
  Result<Program> program(std::uint64_t seed);

 private:
  seedgen::Guide guide() const { return {.known = known_, .worth = none_, .paths = paths_}; }
  void learn(const Graph& graph);

  seedgen::GenerateOptions options_;
  bool paths_;
  seedgen::Coverage known_;
  seedgen::Coverage none_;
};

}  // namespace jp::campaign
