// Tests that hold on this input: comparisons of scalars read from live values, made from facts.
#pragma once

#include <string>
#include <string_view>

#include "core/choices.h"
#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A Python expression that is true (or, asked so, false) whenever the statement starts: `v0[0, 1] > -0.5`,
/// `v0.dim() == 2 and len(v1) < 9`, ... "" when facts give nothing to compare. Integers and sizes may be compared
/// exactly; floats only with a margin of a tenth of the largest magnitude involved, so that another order of rounding
/// can't turn the test.
std::string draw_test(const Parsed& parsed, const Facts& facts, const Statement& statement, bool holds,
                      Choices& choices);

/// Facts know something before the statement that a test could be made of.
bool has_test(const Parsed& parsed, const Facts& facts, const Statement& statement);

/// All names that an expression (such as a test) mentions can be read at the statement. Attributes and keywords don't
/// count; `len` and `bool` must not be anybody's own name.
bool names_readable(const Parsed& parsed, const Statement& statement, std::string_view expression);

}  // namespace jp::mutate
