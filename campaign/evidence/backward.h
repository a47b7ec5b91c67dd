// For the backward pass: which gradient is the first to be wrong, counted from the output. A leaf tensor of zeros is
// added to each value that the entry binds; its gradient is the gradient of the value. All are judged at once.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "campaign/evidence/intermediates.h"

namespace jp::campaign {

/// The program with a leaf added to each of `steps` (those of the entry that bind names); nothing if none can be added.
std::optional<Program> with_leaves(const mutate::Parsed& parsed, const std::vector<Binding>& steps);

/// Judges a program; returns its differences, empty if it doesn't diverge.
using AskDifferences = std::function<std::vector<Difference>(const Program&)>;

/// The statement that reads the value nearest to the output whose gradient is wrong: its own backward is at fault,
/// since the gradient of its result is right. Nothing if the leaves hide the fault, or if nobody reads the value.
std::optional<report::Intermediate> first_wrong_gradient(const mutate::Parsed& parsed, const AskDifferences& ask);

}  // namespace jp::campaign
