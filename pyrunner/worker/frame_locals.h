// The locals of a running function as Python itself stores them.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

namespace jp::pyrunner {

/// A bound name. Both are borrowed: from the code, and from the frame as long as nothing runs in it.
struct Local {
  pybind11::handle name, value;
};

/// Adds all bound names to `bound`, which is empty. The attribute f_locals would make a dict of them, and internally
/// raise and discard an error for each that is not bound. False, and nothing added, if they are not stored that way
/// (bodies of modules and classes) and in Pythons whose frames aren't known here (all but 3.11): then f_locals is used.
bool read_locals(PyFrameObject* frame, std::vector<Local>& bound);

/// Whether this is a Python whose frames are known here.
bool knows_frames();

}  // namespace jp::pyrunner
