// Base64 (RFC 4648, with padding): how bytes stand in JSON text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jp::codec {

std::string base64(std::string_view bytes);
/// Nothing when the text is not valid base64.
std::optional<std::string> unbase64(std::string_view text);

}  // namespace jp::codec
