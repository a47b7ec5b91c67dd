// The seeds of one run of `generate` under a guide: each is drawn by what those before it have not covered. Therefore a
// program depends on the run's first seed and options too, not on its own number alone.
#pragma once

#include <cstdint>
#include <utility>

#include "core/graph.h"
#include "core/program.h"
#include "core/result.h"
#include "seedgen/generate.h"
#include "seedgen/measure/coverage.h"

namespace jp::seedgen {

class GuidedRun {
 public:
  /// The options must be in range, and without a harvest.
  explicit GuidedRun(GenerateOptions options) : options_(std::move(options)) {}

  /// The graph, or the program, of the next seed.
  Graph graph(std::uint64_t seed);
  Result<Program> program(std::uint64_t seed);

 private:
  void learn(const Graph& graph);

  GenerateOptions options_;
  Coverage known_;
};

}  // namespace jp::seedgen
