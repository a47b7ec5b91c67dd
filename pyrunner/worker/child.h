// A child: the process that runs tests. Tests are expected to break it in any way.
#pragma once

#include <optional>
#include <string>

#include "pyrunner/sandbox.h"

namespace jp::pyrunner {

/// Turns the calling process into a child: a session of its own, dies with its parent, adopts its orphaned descendants,
/// standard streams and home in `folder`, confined to `sandbox` if there is one (throws if that fails). Returns the
/// descriptor for messages: `socket` moved out of reach of programs that close every descriptor.
int become_child(const std::string& folder, int socket, const std::optional<Sandbox>& sandbox);

/// Greets on `socket`, then answers requests until it is closed. `as_it_is`: the compiler does all that warm processes
/// leave out. Never returns.
[[noreturn]] void serve(const std::string& folder, int socket, bool as_it_is);

}  // namespace jp::pyrunner
