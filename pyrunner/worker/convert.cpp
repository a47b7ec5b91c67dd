#include "pyrunner/worker/convert.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace py = pybind11;

namespace jp::pyrunner {
namespace {

Json binary_of(py::handle object) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(object.ptr(), &data, &size) != 0) throw py::error_already_set();
  return Json::binary({data, data + size});
}

Json number_of(py::handle object) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) throw std::runtime_error("an integer beyond 64 bits in an answer");
  return value;
}

py::object to_list(const Json& json) {
  py::list list(json.size());
  std::size_t at = 0;
  for (const Json& item : json) list[at++] = to_python(item);
  return list;
}

py::object to_dict(const Json& json) {
  py::dict dict;
  for (const auto& [key, value] : json.items()) dict[py::str(key)] = to_python(value);
  return dict;
}

}  // namespace

std::string text_of(py::handle object) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (data != nullptr) return {data, static_cast<std::size_t>(size)};
  PyErr_Clear();
  auto escaped = py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(object.ptr(), "utf-8", "backslashreplace"));
  if (!escaped) throw py::error_already_set();
  return escaped;
}

py::object to_python(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return py::bool_(json.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float:
      return py::float_(json.get<double>());
    case Json::value_t::string:
      return py::str(json.get_ref<const std::string&>());
    case Json::value_t::binary: {
      const auto& bytes = json.get_binary();
      return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    case Json::value_t::array:
      return to_list(json);
    case Json::value_t::object:
      return to_dict(json);
    default:
      return py::none();
  }
}

Json from_python(py::handle object) {
  PyObject* raw = object.ptr();
  if (object.is_none()) return nullptr;
  if (PyBool_Check(raw)) return raw == Py_True;
  if (PyLong_Check(raw)) return number_of(object);
  if (PyFloat_Check(raw)) return PyFloat_AS_DOUBLE(raw);
  if (PyUnicode_Check(raw)) return text_of(object);
  if (PyBytes_Check(raw)) return binary_of(object);
  if (PyList_Check(raw) || PyTuple_Check(raw)) {
    Json list = Json::array();
    for (py::handle item : object) list.push_back(from_python(item));
    return list;
  }
  if (PyDict_Check(raw)) {
    Json dict = Json::object();
    for (auto [key, value] : py::reinterpret_borrow<py::dict>(object)) dict[text_of(key)] = from_python(value);
    return dict;
  }
  throw std::runtime_error(std::string("an answer holds a ") + Py_TYPE(raw)->tp_name);
}

}  // namespace jp::pyrunner
