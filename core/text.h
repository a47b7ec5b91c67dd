// Small pieces of text for people, shells and terminals, used by every library that writes a sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jp {

/// "1 finding", "2 findings".
std::string plural(std::uint64_t count, std::string_view noun);

/// Every control character except line breaks and tabs as "\x1b", and every byte that is not UTF-8 in the same form.
std::string escaped(std::string_view text);

/// `escaped` if standard error is a terminal, else the text unchanged.
std::string for_errors(std::string_view text);

/// A word as a POSIX shell reads it back: quoted if it contains anything except letters, digits and characters of
/// paths.
std::string shell_word(const std::string& text);

}  // namespace jp
