// The locals of a running function as Python itself keeps them.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

namespace jp::pyrunner {

/// A bound name. Both are borrowed: of the code, and of the frame as long as nothing runs in it.
struct Local {
  pybind11::handle name, value;
};

/// Enters all that are bound into `bound`, which is empty. The attribute f_locals would make a dict of them, and inside
/// raise and forget an error for each that is not. False, and nothing entered, where they are not kept that way (bodies
/// of modules and classes) and in Pythons whose frames aren't known here (all but 3.11): then f_locals tells.
bool read_locals(PyFrameObject* frame, std::vector<Local>& bound);

/// Whether this is a Python whose frames are known here.
bool knows_frames();

}  // namespace jp::pyrunner
