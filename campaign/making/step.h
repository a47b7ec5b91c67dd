// A mutation step as fuzz and mutate make it: drawn, run in eager, and kept only if eager does what the mutation
// promised.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "core/observation.h"
#include "mutate/engine/engine.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// A program with what its profile run in eager showed.
struct Profiled {
  mutate::Parsed parsed;
  Facts facts;
  Observation observation;
};

/// Runs the program in eager; an Error says why there are no facts.
Result<Profiled> profile(pyrunner::Runner& runner, mutate::Parsed parsed);

/// What runs of the program with moved roundings show, for Facts::moved: two of them (chosen, not measured).
std::vector<Facts> moved_facts(pyrunner::Runner& runner, const mutate::Parsed& parsed);

/// A step that should have changed nothing, and did: a bug of the mutation.
struct BrokenPromise {
  std::string reason;
  Program program;  // with the step as the last of its lineage
};

/// What became of steps.
struct StepCounts {
  mutate::Counts mutations;
  /// By mutation: steps that broke the program or their declared exactness in eager, and were undone.
  std::map<std::string, std::int64_t, std::less<>> undone;
  std::vector<BrokenPromise> broken;
};

/// One step, drawn by chance and profiled. Nothing if none applies, or if eager breaks the promise of the mutation:
/// then the step is undone and counted, and `current` stands. None brings in a `missing` function.
std::optional<Profiled> checked_step(pyrunner::Runner& runner, const Profiled& current, Choices& choices,
                                     const mutate::Weights& weights = {}, StepCounts* counts = nullptr,
                                     const MissingFunctions& missing = {});

}  // namespace jp::campaign
