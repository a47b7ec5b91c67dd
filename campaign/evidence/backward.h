// On the way back: which gradient is the first to be wrong, counted from the output. Each value that the entry binds
// gets a leaf of its own added, a zero whose gradient is the sum of the value's; all are asked at once.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "campaign/evidence/intermediates.h"

namespace jp::campaign {

/// The program with a leaf added to each of `steps` (those of the entry that bind names); nothing when none can be.
std::optional<Program> with_leaves(const mutate::Parsed& parsed, const std::vector<Binding>& steps);

/// Judges a program; the differences, empty when it doesn't diverge.
using AskDifferences = std::function<std::vector<Difference>(const Program&)>;

/// The statement that reads the value nearest to the output whose gradient is wrong: its own gradient is at fault,
/// since what it gives has the right one. Nothing when the leaves hide the fault, or nobody reads the value.
std::optional<report::Intermediate> first_wrong_gradient(const mutate::Parsed& parsed, const AskDifferences& ask);

}  // namespace jp::campaign
