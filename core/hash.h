// Hashes that are the same on every machine and in every process: for seeds of child streams (64 bit) and for
// names of programs and signatures (SHA-256).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jp {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words that mixes all bits.
std::uint64_t mix64(std::uint64_t word);

/// FNV-1a, 64 bit, then mixed: for deriving seeds, not for security.
std::uint64_t hash64(std::string_view bytes);

/// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits, by OpenSSL. Throws InternalError where OpenSSL is
/// configured to have none.
std::string sha256_hex(std::string_view bytes);

}  // namespace jp
