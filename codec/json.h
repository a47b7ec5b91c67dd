// The name of a JSON value without its definition, for headers: a file that looks into one includes codec/codec.h. The
// definition costs g++ 12 some 1.3 s in every file that sees it (docs/decisions/0009-build-time.md).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace jp::codec {

using Json = nlohmann::json;  // objects keep their keys sorted: the same value, the same text

/// The enumerator of that number, `last` at most; nothing if there is none.
template <typename Enum>
std::optional<Enum> enumerator(std::int64_t number, Enum last) {
  if (number < 0 || number > static_cast<std::int64_t>(last)) return std::nullopt;
  return static_cast<Enum>(number);
}

}  // namespace jp::codec
