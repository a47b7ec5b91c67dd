// Numbers of 16 bits as doubles, which hold each of them exactly. C++20 has no type for them that all of our compilers
// know (clang 14 has no _Float16 on x86-64).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace jp {

/// IEEE 754 binary16. Any NaN gives a quiet one, of whatever sign.
inline double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31)
    size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return (bits & 0x8000) != 0 ? -size : size;
}

/// bfloat16: the upper half of a binary32.
inline double bfloat16_to_double(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

}  // namespace jp
