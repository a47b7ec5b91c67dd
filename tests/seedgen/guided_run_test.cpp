// Runs of `generate` under a guide.
#include "seedgen/guided_run.h"

#include <gtest/gtest.h>

namespace jp::seedgen {
namespace {

TEST(GuidedRun, GraphsAndProgramsAreTheSame) {
  const GenerateOptions options{.operators = 8, .only = {"add", "sin", "sum", "cat"}};
  GuidedRun graphs(options);
  GuidedRun programs(options);
  std::size_t put_back = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Program program = programs.program(seed).value();
    GenerateOptions again = options;
    again.refused = program.lineage().seed.refused;
    put_back += again.refused.size();
    EXPECT_EQ(generate(seed, again).value().source(), program.source());
    EXPECT_EQ(describe_values(graphs.graph(seed)), describe_values(generate_graph(seed, again)));
  }
  EXPECT_GT(put_back, 100u);
}

}  // namespace
}  // namespace jp::seedgen
