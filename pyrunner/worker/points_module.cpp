// The module jitprobe_points: inside the worker, and as an extension that any Python of that version can import, for
// tests that profile in a process of their own.
#include <pybind11/stl.h>

#include "pyrunner/worker/points.h"

#ifdef JITPROBE_EXTENSION
PYBIND11_MODULE(jitprobe_points, module) {
#else
#include <pybind11/embed.h>
PYBIND11_EMBEDDED_MODULE(jitprobe_points, module) {
#endif
  using jp::pyrunner::Points;
  pybind11::class_<Points>(module, "Points")
      .def(pybind11::init<const pybind11::object&, bool>())
      .def("add", &Points::add)
      .def("hook", &Points::hook)
      .def("packed", &Points::packed);
}
