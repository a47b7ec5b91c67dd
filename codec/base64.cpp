#include "codec/base64.h"

#include <openssl/evp.h>

#include <algorithm>

namespace jp::codec {
namespace {

// OpenSSL counts bytes in an int, so it is given a piece at a time: whole groups of 3 bytes, or of 4 digits.
constexpr std::size_t kGroups = std::size_t{1} << 20;

const unsigned char* as_bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  std::string piece(std::min(kGroups, bytes.size() / 3 + 1) * 4 + 1, '\0');  // OpenSSL ends it with a NUL
  while (!bytes.empty()) {
    const std::string_view some = bytes.substr(0, 3 * kGroups);
    const int digits =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(piece.data()), as_bytes(some), static_cast<int>(some.size()));
    text.append(piece, 0, static_cast<std::size_t>(digits));
    bytes.remove_prefix(some.size());
  }
  return text;
}

std::optional<std::string> unbase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::string piece(std::min(kGroups, text.size() / 4) * 3, '\0');
  for (std::string_view left = text; !left.empty();) {
    const std::string_view some = left.substr(0, 4 * kGroups);
    const int decoded =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(piece.data()), as_bytes(some), static_cast<int>(some.size()));
    if (decoded < 0) return std::nullopt;
    bytes.append(piece, 0, static_cast<std::size_t>(decoded));
    left.remove_prefix(some.size());
  }
  // Padding is decoded as zeros.
  bytes.resize(bytes.size() - (text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0));
  // OpenSSL passes over blanks and takes padding anywhere: only what would be written so is base64.
  if (base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace jp::codec
