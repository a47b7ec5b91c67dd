// The request of a profile run, and its answer (packed_facts.h) as core's Facts.
#pragma once

#include "codec/json.h"
#include "core/facts.h"
#include "core/place.h"
#include "core/result.h"
#include "pyrunner/wire.h"

namespace jp::pyrunner {

/// The part of a profile request that says where facts are read: protocol.h.
codec::Json watched_json(const Watched& watched);

/// The answer that a frame of the worker's holds, an object. What is attached to it becomes its "facts", a binary
/// value. An Error where the message is no MessagePack object, nests deeper than codec::kMostNested, or has "facts" of
/// its own.
Result<codec::Json> read_answer(const WireFrame& frame);

/// Facts from "facts" in a worker's answer, a binary value; an Error says what doesn't fit.
Result<Facts> read_facts(const codec::Json& packed);

}  // namespace jp::pyrunner
