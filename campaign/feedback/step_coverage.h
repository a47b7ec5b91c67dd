// Which operator in which kind of statement a mutation has been applied to: what guided campaigns cover in addition to
// what their seeds cover.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "core/lineage.h"
#include "mutate/engine/engine.h"

namespace jp::campaign {

/// "extract_function assignment conv1d": the mutation of a step, the kind of the statement at its site in the program
/// before it (the grammar's name), and the first operator there: a method's or torch function's name, an operator's
/// sign, "function" for others, "-" for none and in statements with blocks. "" if the site no longer exists.
std::string step_features_of(const mutate::Parsed& before, const Step& step);

/// The features of all steps from a seed on, in order.
std::vector<std::string> step_features_of(const Program& seed, const std::vector<Step>& steps);

/// As mutate::random_step; drawn again, three times at most, while the step covers only what is known. Only the step
/// that is returned is counted. The first draw is the same as without a guide.
std::optional<mutate::Parsed> guided_step(const mutate::Parsed& parsed, const Facts& facts, Choices& choices,
                                          const mutate::Weights& weights, mutate::Counts* counts,
                                          const std::set<std::string>& known, const mutate::MoveRoundings& move = {},
                                          const MissingFunctions& missing = {});

}  // namespace jp::campaign
