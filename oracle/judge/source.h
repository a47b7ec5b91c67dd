// What the plan of an oracle needs to know of a program's text, read from its lines without parsing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jp::oracle {

/// Numbers of lines (from 1) of the form `name = …` where the name stands nowhere else in the text: nothing reads what
/// they compute. Statements over several lines are not seen.
std::vector<std::int64_t> dead_lines(const std::string& source);

/// Lines that hold more than white space or a comment.
std::int64_t code_lines(const std::string& source);

}  // namespace jp::oracle
