// Native frames of a fatal signal: they tell two segmentation faults in compiled code apart.
#pragma once

namespace jp::pyrunner {

/// Installs a handler before the existing ones (faulthandler's): it writes the native frames, innermost first, one a
/// line, to `descriptor` and passes the signal on. To be called after faulthandler was enabled.
void install_native_stack(int descriptor);

}  // namespace jp::pyrunner
