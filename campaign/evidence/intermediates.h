// Which intermediate value is the first to differ: the program is instrumented to return its intermediate values too,
// all at once; if returning them all hides the fault, a few at a time.
//
// A statement that computes several things is then instrumented at each of its expressions, so that the wrong one is
// named.
//
// Each value is recorded with its number, so that a value of a loop, of a branch or of a function that is called twice
// is identified each time it is made. If the two sides' sequences of values diverge, the first value that only one of
// them made counts.
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

/// The program with `chosen` (indices into `steps`, ascending) of its values copied as they are made, and returned as a
/// list of (index into steps, copy) beside the output: `return OUTPUT, [copies]`. Nothing if the entry is a generator.
std::optional<Program> with_bindings(const mutate::Parsed& parsed, const std::vector<Binding>& steps,
                                     const std::vector<std::size_t>& chosen);

/// What a simple statement of the entry computes: calls, operators and items, each an index into this list, inner
/// expressions before those that contain them; without the bodies of lambdas and comprehensions.
std::vector<mutate::Node> expressions_of(const mutate::Statement& statement);

/// The program with the value of each of these expressions recorded as with_bindings() records them.
std::optional<Program> with_expressions(const mutate::Parsed& parsed, const std::vector<mutate::Node>& expressions);

/// What the runs of an instrumented program show.
struct Shown {
  /// Empty when it doesn't diverge.
  std::vector<Difference> differences;
  /// For each call the indices into steps of the values that were recorded, on both sides; empty if that isn't known.
  std::vector<std::vector<std::size_t>> eager;
  std::vector<std::vector<std::size_t>> compiled;
};
/// From recorded outcomes: what the two runs show that the verdict speaks of.
Shown shown_of(const Plan& plan, const Verdict& verdict, const std::vector<Outcome>& outcomes);

/// Judges a program.
using AskShown = std::function<Shown(const Program&)>;

/// The first that differs; if only the output does and the entry's last statement computes something, that one (named
/// "output"), and if only an argument does, the first that changes it; nothing if none does. Asking for all at once is
/// one judgement, and one more if the statement computes several things; bisecting costs the logarithm of their number.
std::optional<report::Intermediate> first_wrong(const mutate::Parsed& parsed, const AskShown& ask);

}  // namespace jp::campaign
