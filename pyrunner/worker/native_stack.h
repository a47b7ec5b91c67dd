// Native frames of a fatal signal: what tells two segmentation faults in compiled code apart.
#pragma once

namespace jp::pyrunner {

/// Puts a handler before the ones that stand (faulthandler's): it writes the native frames, innermost first, one a
/// line, to `descriptor` and passes the signal on. Call after faulthandler was switched on.
void install_native_stack(int descriptor);

}  // namespace jp::pyrunner
