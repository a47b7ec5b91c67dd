// A child: the process that runs tests. It is expected to be broken by them in any way.
#pragma once

#include <string>

namespace jp::pyrunner {

/// Makes the calling process a child in its own right: session of its own, dies with its parent, takes in its orphaned
/// descendants, standard streams in `folder`. Gives the descriptor to speak on: `socket` moved out of the way of
/// programs that close everything they can see.
int become_child(const std::string& folder, int socket);

/// Greets on `socket`, then answers requests until it is closed. Never returns.
[[noreturn]] void serve(const std::string& folder, int socket);

}  // namespace jp::pyrunner
