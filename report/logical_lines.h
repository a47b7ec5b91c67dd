// A Python text in logical lines, of which a statement at the top level of a file has one or more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jp::report {

/// The logical lines without their last line breaks: a line goes on in brackets, in a string of several lines and after
/// a backslash. Empty lines and comments are lines, too.
std::vector<std::string> logical_lines(std::string_view source);

}  // namespace jp::report
