#include "pyrunner/worker/kept.h"

namespace py = pybind11;

namespace jp::pyrunner {
namespace {

// Also of a class, which exposes its own only through a proxy.
py::object dict_of(const py::object& holder) {
  if (PyDict_Check(holder.ptr())) return holder;
  if (PyModule_Check(holder.ptr())) return py::reinterpret_borrow<py::object>(PyModule_GetDict(holder.ptr()));
  if (!PyType_Check(holder.ptr())) throw py::type_error("neither a dict nor a module nor a class");
  auto* type = reinterpret_cast<PyTypeObject*>(holder.ptr());
#if PY_VERSION_HEX >= 0x030C0000
  return py::reinterpret_steal<py::object>(PyType_GetDict(type));
#else
  return py::reinterpret_borrow<py::object>(type->tp_dict);
#endif
}

py::object value_of(py::handle variable) {
  PyObject* value = nullptr;
  if (PyContextVar_Get(variable.ptr(), nullptr, &value) != 0) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(value);
}

// A number that changes with each change of the dict, if Python counts them (up to 3.11); else 0.
std::uint64_t version_of(const py::object& dict) {
#if PY_VERSION_HEX >= 0x030C0000
  (void)dict;
  return 0;
#else
  return reinterpret_cast<PyDictObject*>(dict.ptr())->ma_version_tag;
#endif
}

}  // namespace

bool knows_dict_versions() { return PY_VERSION_HEX < 0x030C0000; }

KeptItems::KeptItems(const py::object& holder) : dict_(dict_of(holder)) {
  for (auto [key, value] : py::reinterpret_borrow<py::dict>(dict_))
    items_.emplace_back(py::reinterpret_borrow<py::object>(key), py::reinterpret_borrow<py::object>(value));
  version_ = version_of(dict_);
}

bool KeptItems::still() {
  const std::uint64_t version = version_of(dict_);
  if (version != 0 && version == version_) return true;
  if (PyDict_Size(dict_.ptr()) != static_cast<Py_ssize_t>(items_.size()) || !begins()) return false;
  version_ = version;
  return true;
}

bool KeptItems::begins() const {
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  auto item = items_.begin();
  for (Py_ssize_t at = 0; item != items_.end() && PyDict_Next(dict_.ptr(), &at, &key, &value) != 0; ++item)
    if (item->first.ptr() != key || item->second.ptr() != value) return false;
  return item == items_.end();
}

py::object KeptItems::added() const {
  py::list keys;
  for (py::handle key : py::reinterpret_steal<py::object>(PyObject_CallMethod(dict_.ptr(), "__reversed__", nullptr))) {
    if (!items_.empty() && key.is(items_.back().first)) break;
    keys.append(key);
  }
  const bool held = PyDict_Size(dict_.ptr()) == static_cast<Py_ssize_t>(items_.size() + keys.size());
  return held ? py::object(std::move(keys)) : py::none();
}

KeptValues::KeptValues(const py::list& variables) {
  for (py::handle variable : variables)
    values_.emplace_back(py::reinterpret_borrow<py::object>(variable), value_of(variable));
}

bool KeptValues::still() const {
  for (const auto& [variable, value] : values_)
    if (!value_of(variable).is(value)) return false;
  return true;
}

}  // namespace jp::pyrunner
