// Which value on the way is the first to differ: the program is made to give its intermediate values too, all at once;
// where giving them all hides the fault, a few at a time.
//
// A statement that computes several things is then asked for each of them, so that the one at fault is named.
//
// Each value is kept with its number, so that a value of a loop, of a branch or of a function that is called twice is
// known whenever it was made. Where the two sides make other values after some, the first that only one of them made
// counts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/evidence/bindings.h"
#include "core/program.h"
#include "core/verdict.h"
#include "mutate/syntax/syntax.h"
#include "report/evidence.h"

namespace jp::campaign {

/// The program with `chosen` (indices into `steps`, ascending) of its values copied as they are made, and given as a
/// list of (index into steps, copy) beside the output: `return OUTPUT, [copies]`. Nothing when the entry is a
/// generator.
std::optional<Program> with_bindings(const mutate::Parsed& parsed, const std::vector<Binding>& steps,
                                     const std::vector<std::size_t>& chosen);

/// What a simple statement of the entry computes on its way: calls, operators and items, each an index into this list,
/// those that are evaluated around others first; not what lambdas and comprehensions compute.
std::vector<mutate::Node> expressions_of(const mutate::Statement& statement);

/// The program with the value of each of these expressions kept as with_bindings() keeps them.
std::optional<Program> with_expressions(const mutate::Parsed& parsed, const std::vector<mutate::Node>& expressions);

/// What the runs of such a program show.
struct Shown {
  /// Empty when it doesn't diverge.
  std::vector<Difference> differences;
  /// For each call the indices into steps of the values that were kept, on both sides; empty where that isn't known.
  std::vector<std::vector<std::size_t>> eager;
  std::vector<std::vector<std::size_t>> compiled;
};
/// From recorded outcomes.
Shown shown_of(const std::vector<Difference>& differences, const std::vector<Outcome>& outcomes);

/// Judges a program.
using AskShown = std::function<Shown(const Program&)>;

/// The first that differs; where only the output does and the entry's last statement computes something, that one
/// (named "output"), and where only an argument does, the first that changes it; nothing when none does. All at once is
/// one question, and one more where the statement computes several things; halving costs as many as the logarithm of
/// their number.
std::optional<report::Intermediate> first_wrong(const mutate::Parsed& parsed, const AskShown& ask);

}  // namespace jp::campaign
