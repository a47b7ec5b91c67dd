// Ctrl-C, SIGTERM and a terminal that is closed: the first asks a command to end, the second makes it leave at once.
#pragma once

#include <atomic>

namespace jp::app {

/// Installs the signal handlers. The first signal sets the flag that is returned, which is never reset; a second one,
/// but for SIGHUP, leaves the process: what is on disk makes that safe, and the guard cleans up.
const std::atomic<bool>& listen_to_signals();

/// The first signal that came; 0 for none.
int signal_heard();

}  // namespace jp::app
