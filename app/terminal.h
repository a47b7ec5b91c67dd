// What commands print. Texts of programs, messages and names come from anywhere: on a terminal their control characters
// are shown as escapes, so that none moves the cursor, renames the window or types an answer. Files and pipes get the
// bytes as they are.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.h"

namespace jp::app {

/// Writes the text to standard output, `escaped` when that is a terminal.
void print_text(std::string_view text);

/// The same of a format. (Not `print`: fmt's own would be found beside it.)
template <typename... Arguments>
void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes what `render` gives when it is told whether to colour. On a terminal a text with control characters of its
/// own goes without colours, for those can't be told from ours.
void print_painted(const std::function<std::string(bool colour)>& render);

}  // namespace jp::app
