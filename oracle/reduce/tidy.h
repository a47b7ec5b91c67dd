// Repairs a text after parts of it were cut out, so that no pass has to.
#pragma once

#include <optional>
#include <string>

namespace jp::reduce {

/// Blocks without statements get `pass`; trailing commas are dropped (unless they make a tuple); no blank lines in
/// blocks, at most two elsewhere; no trailing white space. Strings stay as they are. Nothing if the text does not
/// parse.
std::optional<std::string> tidy(const std::string& text);

}  // namespace jp::reduce
