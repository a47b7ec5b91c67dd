// Steps as people write them, ID@SITE[:PATH][=DRAWS]: read, drawn, applied and replayed.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "core/result.h"
#include "mutate/engine/engine.h"

namespace jp::answers {

/// Which mutations may be drawn, by name: all but those of `without`, or only those of `only`.
struct DrawnMutations {
  std::vector<std::string> only;
  std::vector<std::string> without;
};

/// Weight 0 for each mutation that is left out; an Error if a name is unknown.
Result<mutate::Weights> weights(const DrawnMutations& drawn);

/// The same, without mutations that promise less than `exactness`: "bitwise", "rounding" or "variation".
Result<mutate::Weights> weights(const DrawnMutations& drawn, const std::string& exactness);

/// Parses a step; an Error if its mutation doesn't exist.
Result<mutate::WrittenStep> read_step(const std::string& text);

/// The steps of a lineage's text: one a line, or several separated by ";" outside of quoted draws, as the page of
/// explore shares them. An empty one and "-" are steps that are switched off, ""; those at the end are left out. An
/// Error if one is no step.
Result<std::vector<std::string>> read_lineage(const std::string& text);

/// The step draws, and its mutation reads Facts::moved.
bool needs_moved(const mutate::WrittenStep& written);

/// Makes a step: with the draws that it records, else with draws of `live`, for which `facts` must be the program's. An
/// Error if it does not apply.
Result<mutate::Parsed> apply_written(const mutate::Parsed& parsed, const Facts& facts, const std::string& text,
                                     const mutate::WrittenStep& written, Choices live);

/// The weakest exactness among the steps' mutations: what can be promised after all of them.
mutate::Exactness promised(const mutate::Parsed& made);

/// One step of a list, replayed.
struct ReplayedStep {
  std::string text;    // as it was given; "" for one that is switched off
  std::string source;  // of the program after it
  std::string error;   // a sentence if it was passed over, else ""
  std::string exactness;
};

struct Replayed {
  mutate::Parsed made;
  std::vector<ReplayedStep> steps;
};

/// Makes steps that record their draws, without facts. Each has its place in the list, from 0, as its number, so that
/// the ids of later steps stay when one is switched off (""). One that does not apply is passed over, with the reason.
Replayed replay_written(const mutate::Parsed& base, const std::vector<std::string>& steps);

/// The steps as texts, each at the place that is its number; "" where there is none.
std::vector<std::string> placed(const std::vector<Step>& steps);

/// `made` has one step more than `before`; the same step under a number that isn't its own. An Error if it does not
/// apply under that one.
Result<mutate::Parsed> renumbered(const mutate::Parsed& before, const mutate::Parsed& made, int number);

}  // namespace jp::answers
