// A lease server: makes ranges of tests and studies cases that it is asked for on its input, and gives the results back
// on its output (the messages are in fleet/servers.h). It knows of a campaign what it was told, writes nothing of it,
// and ends at the end of its input: whoever holds that holds the server.
#pragma once

#include <atomic>
#include <string>

#include "core/result.h"

namespace jp::fleet {

struct Server {
  std::string refused = "";  // the sentence that says why this machine can't
};

/// Serves until the end of `in`, or until `stop` is set. An Error has been sent, too.
Result<Server> serve_leases(int in, int out, const std::atomic<bool>& stop);

}  // namespace jp::fleet
