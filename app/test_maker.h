// Makes the tests of a campaign. Test number i is a pure function of (campaign seed, i, options) and of the facts that
// profile runs give; which thread makes it, and when, doesn't matter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/step.h"
#include "core/choices.h"
#include "core/program.h"
#include "mutate/engine.h"
#include "pyrunner/runner.h"

namespace jp::app {

struct MakerOptions {
  std::uint64_t seed = 0;
  int operators = 20;
  /// At most so many mutation steps a program; 0 leaves seeds as they are.
  int mutations = 6;
  /// Backends to draw from, with weights. Not empty.
  std::vector<std::string> backends;
  std::vector<std::uint32_t> backend_weights;
  /// Shares of the mutations in the draw; those not named have 1.
  mutate::Weights weights;
};

struct TestCase {
  std::uint64_t number = 0;
  Program program;
  std::string backend;
};

/// What making tests met.
struct MakerCounts {
  StepCounts steps;
  std::int64_t seeds = 0;
  std::int64_t invalid_seeds = 0;  // eager did not go through all calls
};

/// One a thread.
class TestMaker {
 public:
  TestMaker(const MakerOptions& options, pyrunner::Runner& runner);

  /// The test of that number; nothing when its seed is not valid in eager (counted).
  std::optional<TestCase> make(std::uint64_t number);
  const MakerCounts& counts() const { return counts_; }

 private:
  Profiled mutated(Profiled current, const Choices& choices);

  const MakerOptions& options_;
  pyrunner::Runner& runner_;
  mutate::Weights variations_;  // only those
  MakerCounts counts_;
};

}  // namespace jp::app
