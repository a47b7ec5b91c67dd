// Makes a text whole after parts of it were cut out, so that no pass has to think of it.
#pragma once

#include <optional>
#include <string>

namespace jp::reduce {

/// Blocks without statements get `pass`; trailing commas go (where they don't make a tuple); no blank lines in blocks,
/// at most two elsewhere; no blanks at the ends of lines. Strings stay as they are. Nothing when the text does not
/// parse.
std::optional<std::string> tidy(const std::string& text);

}  // namespace jp::reduce
