#include "seedgen/guided_run.h"

namespace jp::seedgen {

void GuidedRun::learn(const Graph& graph) {
  for (Feature feature : coverage_of(graph)) known_.add(feature);
}

Graph GuidedRun::graph(std::uint64_t seed) {
  Graph made = guided_graph(seed, options_, {known_});
  learn(made);
  return made;
}

Result<Program> GuidedRun::program(std::uint64_t seed) {
  Result<Program> made = generate_guided(seed, options_, {known_});
  if (!made.ok()) return made;
  GenerateOptions again = options_;
  again.refused = made.value().lineage().seed.refused;
  learn(generate_graph(seed, again));
  return made;
}

}  // namespace jp::seedgen
