// The request of a profile run, and its answer (packed_facts.h) as core's Facts.
#pragma once

#include "codec/codec.h"
#include "core/facts.h"
#include "core/place.h"

namespace jp::pyrunner {

/// The part of a profile request that says where facts are read: protocol.h.
codec::Json watched_json(const Watched& watched);

/// A frame from the worker: an answer, followed by the bytes of its "facts" if it has some, which become a binary value
/// of it.
Result<codec::Json> read_answer(const std::string& frame);

/// Facts from "facts" in a worker's answer, a binary value; an Error says what doesn't fit.
Result<Facts> read_facts(const codec::Json& packed);

}  // namespace jp::pyrunner
