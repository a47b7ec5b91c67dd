// The types of core as JSON values: one form for the wire (MessagePack), for the store and for `--json`.
//
// Form. A struct is an object whose keys are its members' names; members at their default may be left out when
// writing and are taken as default when missing. Enumerations are their names ("tensor", "diverge"). An optional is
// absent or null when empty. A variant is an object with "kind" beside the members of what it holds. Bytes
// (TensorRecord::bytes) are a binary value; in text they stand as {"base64": "…"}. Numbers that JSON lacks are the
// strings "nan", "inf" and "-inf". Unknown keys are ignored, so that an older reader takes a newer answer; a value of
// the wrong type is an Error that names the key.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "codec/json.h"
#include "core/lineage.h"
#include "core/outcome.h"
#include "core/plan.h"
#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"

namespace jp::codec {

/// Incremented on any change that an old reader would misread. Part of every greeting and stored file.
inline constexpr int kVersion = 1;

Json to_json(const Lineage& lineage);
Json to_json(const Step& step);
/// source, entry, inputs, path, lineage.
Json to_json(const Program& program);
Json to_json(const RunRequest& run);
Json to_json(const Plan& plan);
Json to_json(const Value& value);
Json to_json(const ExceptionRecord& exception);
Json to_json(const Observation& observation);
Json to_json(const Counters& counters);
Json to_json(const Outcome& outcome);
Json to_json(const Difference& difference);
Json to_json(const Verdict& verdict);
/// The parts and "id".
Json to_json(const Signature& signature);
Json to_json(const Finding& finding);

/// `read<T>(json)`: the value, or an Error that names the key that doesn't fit. Defined for every type above and Draws.
template <typename T>
Result<T> read(const Json& json);

/// How many arrays and objects may stand in one another in MessagePack bytes. Chosen, not measured: values of programs
/// are recorded a hundred deep, and the reader goes down by recursion.
inline constexpr std::size_t kMostNested = 500;

/// MessagePack bytes, and back. Bytes that are malformed, end early, go on behind the value or nest deeper than
/// kMostNested are an Error; memory is taken as they are read, whatever lengths they claim.
std::string pack(const Json& json);
Result<Json> unpack(std::string_view bytes);

/// JSON text with binary values as {"base64": …}, and back. `indent` < 0: one line. Text that isn't UTF-8 is replaced
/// by U+FFFD: a target can put anything into a message.
std::string text(Json json, int indent = -1);
Result<Json> parse_text(std::string_view text);

}  // namespace jp::codec
