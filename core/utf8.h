// UTF-8 as programs and messages are written. Decoding is utfcpp's; here is what the libraries ask of it.
#pragma once

#include <cstddef>
#include <string_view>

namespace jp {

/// The first byte at which the text stops being UTF-8, or npos when all of it is. Overlong forms, surrogates and what
/// lies beyond U+10FFFF are no UTF-8 (RFC 3629).
std::size_t invalid_utf8_at(std::string_view text);

/// The beginning of the text that has at most `most` bytes and ends with a whole character. Of a text that isn't UTF-8
/// already before its last three bytes, the first `most` bytes.
std::string_view whole_characters(std::string_view text, std::size_t most);

}  // namespace jp
