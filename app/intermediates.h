// Which value on the way is the first to differ: the program is made to give its intermediate values too, all at once;
// where giving them all hides the fault, a few at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/verdict.h"
#include "mutate/syntax.h"
#include "report/evidence.h"

namespace jp::app {

/// A value that a statement of the entry's own block binds to a name.
struct Binding {
  std::string name;
  std::string statement;
  int line = 0;            // from 1
  std::size_t behind = 0;  // the byte behind the statement's line
  std::string indent;
};

/// The assignments `name = …` and in-place calls `name.f_(…)` at the top level of the entry, in order; empty when the
/// entry is no plain function.
std::vector<Binding> bindings_of(const mutate::Parsed& parsed);

/// The program with `chosen` (indices into `steps`) of its values copied as they are made, and given as a list beside
/// the output: `return OUTPUT, [copies]`. Nothing when a return stands elsewhere than at the end.
std::optional<Program> with_bindings(const mutate::Parsed& parsed, const std::vector<Binding>& steps,
                                     const std::vector<std::size_t>& chosen);

/// Judges a program; the differences, empty when it doesn't diverge.
using AskDifferences = std::function<std::vector<Difference>(const Program&)>;

/// The first that differs, or nothing when none does whatever is returned. All at once is one question, halving costs
/// as many as the logarithm of their number.
std::optional<report::Intermediate> first_wrong(const mutate::Parsed& parsed, const AskDifferences& ask);

}  // namespace jp::app
