// The answer of a profile run to core's Facts. protocol.h documents its form.
#pragma once

#include "codec/codec.h"
#include "core/facts.h"

namespace jp::pyrunner {

/// Facts from "facts" of a worker's answer, a binary value; an Error says what doesn't fit. Each entry of the table is
/// read once.
Result<Facts> read_facts(const codec::Json& packed);

}  // namespace jp::pyrunner
