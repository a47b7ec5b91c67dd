#include "campaign/feedback/guided_run.h"

namespace jp::campaign {

void GuidedRun::learn(const Graph& graph) {
  for (seedgen::Feature feature : seedgen::coverage_of(graph, paths_)) known_.add(feature);
}

Graph GuidedRun::graph(std::uint64_t seed) {
  Graph made = seedgen::guided_graph(seed, options_, guide());
  learn(made);
  return made;
}

Result<Program> GuidedRun::program(std::uint64_t seed) {
  Result<Program> made = seedgen::generate_guided(seed, options_, guide());
  if (!made.ok()) return made;
  seedgen::GenerateOptions again = options_;
  again.refused = made.value().lineage().seed.refused;
  learn(seedgen::generate_graph(seed, again));
  return made;
}

}  // namespace jp::campaign
