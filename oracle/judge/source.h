// What the plan of an oracle needs of a program's text, read from its lines without parsing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jp::oracle {

/// Numbers of lines (from 1) of the form `name = …` whose name occurs nowhere else in the text: nothing reads what they
/// compute. Statements over several lines are not recognised.
std::vector<std::int64_t> dead_lines(const std::string& source);

/// Whether no value of a tensor can decide which statements run or which objects they see: the text has no word for a
/// choice (`if`, `for`, `try`, `and`, `cond`, …) and none that hands elements to Python (`item`, `int`, …). Words are
/// all that is looked at, so that a text may be called not straight for a name in it.
bool is_straight(const std::string& source);

/// Lines that hold more than white space or a comment.
std::int64_t code_lines(const std::string& source);

}  // namespace jp::oracle
