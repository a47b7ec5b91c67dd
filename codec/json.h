// The name of a JSON value without its definition, for headers: a file that looks into one includes codec/codec.h. The
// definition costs g++ 12 some 1.3 s in every file that sees it (docs/decisions/0009-build-time.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace jp::codec {

using Json = nlohmann::json;  // objects keep their keys sorted: the same value, the same text

}  // namespace jp::codec
