// Base64 (RFC 4648, with padding): how bytes are represented in JSON text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jp::codec {

/// The digits of all bytes, in one line.
std::string base64(std::string_view bytes);
/// Nothing if the text is not valid base64.
std::optional<std::string> unbase64(std::string_view text);

}  // namespace jp::codec
