// The module jitprobe_native: inside the worker, and as an extension that any Python of that version can import, for
// tests that run programs in a process of their own.
#include <pybind11/stl.h>

#include "pyrunner/worker/frame_locals.h"
#include "pyrunner/worker/kept.h"
#include "pyrunner/worker/points.h"

#ifdef JITPROBE_EXTENSION
PYBIND11_MODULE(jitprobe_native, module) {
#else
#include <pybind11/embed.h>
PYBIND11_EMBEDDED_MODULE(jitprobe_native, module) {
#endif
  using jp::pyrunner::KeptItems;
  using jp::pyrunner::KeptValues;
  using jp::pyrunner::Points;
  // What was built for this Python alone (runtime/compat/python.py); each is there or missing.
  if (jp::pyrunner::knows_frames()) module.attr("frame_layout") = true;
  if (jp::pyrunner::knows_dict_versions()) module.attr("dict_versions") = true;
  pybind11::class_<Points>(module, "Points")
      .def(pybind11::init<const pybind11::object&, bool>())
      .def("add", &Points::add)
      .def("add_all", &Points::add_all)
      .def("__call__", &Points::hook)
      .def("__invert__", &Points::hook_at_line)
      .def("packed", &Points::packed);
  pybind11::class_<KeptItems>(module, "KeptItems")
      .def(pybind11::init<const pybind11::object&>())
      .def("still", &KeptItems::still)
      .def("begins", &KeptItems::begins)
      .def("added", &KeptItems::added);
  pybind11::class_<KeptValues>(module, "KeptValues")
      .def(pybind11::init<const pybind11::list&>())
      .def("still", &KeptValues::still);
}
