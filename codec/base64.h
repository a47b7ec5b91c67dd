// Base64 (RFC 4648, with padding): how bytes stand in JSON text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jp::codec {

/// The digits of all bytes, in one line.
std::string base64(std::string_view bytes);
/// The bytes; nothing when the text is not what base64() gives for some bytes: blanks, padding inside, padding bits
/// that aren't 0.
std::optional<std::string> unbase64(std::string_view text);

}  // namespace jp::codec
