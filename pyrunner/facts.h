// What a profile run is asked, and its answer (packed_facts.h) as core's Facts.
#pragma once

#include "codec/codec.h"
#include "core/facts.h"
#include "core/place.h"

namespace jp::pyrunner {

/// What a profile request says of where facts are read: protocol.h.
codec::Json watched_json(const Watched& watched);

/// A frame of the worker's: an answer, and behind it the bytes of its "facts" if it has some, which then are a binary
/// value of it.
Result<codec::Json> read_answer(const std::string& frame);

/// Facts from "facts" of a worker's answer, a binary value; an Error says what doesn't fit.
Result<Facts> read_facts(const codec::Json& packed);

}  // namespace jp::pyrunner
