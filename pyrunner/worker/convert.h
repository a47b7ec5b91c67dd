// Converts JSON values to Python objects and back: bytes stay bytes, text that isn't Unicode (lone surrogates) is
// escaped.
#pragma once

#include <pybind11/pybind11.h>

#include <nlohmann/json.hpp>
#include <string>

namespace jp::pyrunner {

using Json = nlohmann::json;

/// A str as UTF-8, with non-Unicode parts escaped.
std::string text_of(pybind11::handle object);
/// The caller holds the GIL. Binary values become `bytes`.
pybind11::object to_python(const Json& json);
/// Accepts dict (with text keys), list, tuple, str, bytes, int in 64 bits, float, bool and None; anything else is a
/// std::runtime_error that names its type.
Json from_python(pybind11::handle object);

}  // namespace jp::pyrunner
