// The layout of frames differs between Python versions, and the worker is built for one: this file supports only 3.11,
// whose headers are complete.
#include <patchlevel.h>

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000 && __has_include(<internal/pycore_frame.h>)
#define Py_BUILD_CORE 1
#include <Python.h>
// must follow patchlevel.h
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE
#define JITPROBE_KNOWS_FRAMES
#endif

#include "pyrunner/worker/frame_locals.h"

namespace jp::pyrunner {

#ifdef JITPROBE_KNOWS_FRAMES
bool read_locals(PyFrameObject* frame, std::vector<Local>& bound) {
  const _PyInterpreterFrame& kept = *frame->f_frame;
  const PyCodeObject& code = *kept.f_code;
  if ((code.co_flags & CO_OPTIMIZED) == 0) return false;
  for (int i = 0; i < code.co_nlocalsplus; ++i) {
    PyObject* value = kept.localsplus[i];
    // Names that inner functions share are in cells from a function's first line on.
    const bool shared = (_PyLocals_GetKind(code.co_localspluskinds, i) & (CO_FAST_CELL | CO_FAST_FREE)) != 0;
    if (shared && value != nullptr && PyCell_Check(value)) value = PyCell_GET(value);
    if (value != nullptr) bound.push_back({PyTuple_GET_ITEM(code.co_localsplusnames, i), value});
  }
  return true;
}
bool knows_frames() { return true; }
#else
bool knows_frames() { return false; }
bool read_locals(PyFrameObject* /*frame*/, std::vector<Local>& /*bound*/) { return false; }
#endif

}  // namespace jp::pyrunner
