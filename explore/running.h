// Requests that run a program under a compiler: /api/run and /api/hunt. Each is a stream.
#pragma once

#include "codec/json.h"
#include "core/result.h"
#include "explore/explorer.h"
#include "explore/stream.h"

namespace jp::explore {

/// The work of the stream that the request asks for; an Error says what is wrong with it.
Result<Stream::Work> run_work(Explorer& explorer, const codec::Json& body);
Result<Stream::Work> hunt_work(Explorer& explorer, const codec::Json& body);

/// The limits of runs that judge: the engine's, with the seconds of --limit where it was given.
pyrunner::Limits run_limits(const Explorer& explorer);

/// A backend of a request: one of those shown, or built in. Files and modules are named on the command line only.
Result<std::string> read_backend(const codec::Json& body, const Explorer& explorer);

}  // namespace jp::explore
