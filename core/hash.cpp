#include "core/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "core/check.h"

namespace jp {

std::uint64_t mix64(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
  return word ^ (word >> 31);
}

std::uint64_t hash64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ULL;
  return mix64(hash);
}

std::string sha256_hex(std::string_view bytes) {
  // Looked up once: OpenSSL searches its providers for the name each time it is asked.
  static const EVP_MD* const kSha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  JP_CHECK(kSha256 != nullptr, "OpenSSL has no SHA-256: its configuration leaves out the default provider");
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, kSha256, nullptr);
  JP_CHECK(done == 1, "OpenSSL could not hash {} bytes", bytes.size());
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace jp
