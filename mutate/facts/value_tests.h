// Boolean expressions with a known value on this input: comparisons of scalars read from live values, made from facts.
#pragma once

#include <string>
#include <string_view>

#include "core/choices.h"
#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A Python expression whose truth value is `holds` whenever the statement starts: `v0[0, 1] > -0.5`, `v0.dim() == 2
/// and len(v1) < 9`, ...; "" if facts give nothing to compare. Integers and sizes may be compared exactly. Floats are
/// compared only with a margin of a tenth of the largest magnitude involved (chosen, not measured), so that differences
/// of rounding can't change the result.
std::string draw_test(const Parsed& parsed, const Facts& facts, const Statement& statement, bool holds,
                      Choices& choices);

/// The facts before the statement have something to compare.
bool has_test(const Parsed& parsed, const Facts& facts, const Statement& statement);

/// All names in the expression can be read at the statement. Attributes and keywords don't count; the file must not
/// bind `len` or `bool`.
bool names_readable(const Parsed& parsed, const Statement& statement, std::string_view expression);

}  // namespace jp::mutate
