// A program that is mutated step by step: a list of steps, each of which can be switched off and on again, and every
// change of the list undone and redone. Each step records its draws, so the list alone says what the program is: a
// change replays it on the base.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "answers/steps.h"
#include "core/choices.h"
#include "core/facts.h"
#include "core/result.h"
#include "mutate/syntax/syntax.h"

namespace jp::answers {

struct SessionStep {
  std::string text;  // ID@SITE[:PATH]=DRAWS
  bool on = true;
};

class Session {
 public:
  explicit Session(mutate::Parsed base) : base_(base), replayed_{std::move(base), {}} {}

  const mutate::Parsed& base() const { return base_; }
  /// The program after all steps that are on and apply.
  const mutate::Parsed& now() const { return replayed_.made; }
  /// A step's place in the list, from 0, is its number for good: ids of later statements keep their meaning when a step
  /// before them is switched off.
  const std::vector<SessionStep>& steps() const { return steps_; }
  /// What became of each step: the text of one that is off is "", one that no longer applies has an error.
  const std::vector<ReplayedStep>& replayed() const { return replayed_.steps; }

  /// Adds a step: with the draws that its text records, or with draws of `live`, for which `facts` must be those of
  /// `now()`. The step as drawn, or an Error if there is no such mutation or it does not apply.
  Result<std::string> apply(const std::string& text, const Facts& facts, Choices live);
  /// Switches a step on or off. An Error if there is no such step.
  Status switch_step(std::size_t number, bool on);
  /// Takes the last change back; false if there is none.
  bool undo();
  /// Makes the change that was undone last; false if there is none.
  bool redo();

  /// The steps, one a line, as `mutate --lineage FILE` reads them. A step that is off is an empty line: those after it
  /// keep their numbers, which names and ids carry.
  std::string lineage() const;

 private:
  using Steps = std::vector<SessionStep>;
  void change(Steps steps);
  void go_to(Steps steps);

  mutate::Parsed base_;
  Steps steps_;
  Replayed replayed_;
  std::vector<Steps> before_;  // the last change's is the last
  std::vector<Steps> undone_;
};

}  // namespace jp::answers
