// Reads tensors through CPython's interface alone: the worker isn't linked with torch, so that a new build of torch
// needs no new worker. Functions throw py::error_already_set if torch raises.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"

namespace jp::pyrunner {

/// The names of `torch` that readers need. One for the process; imports torch when it is first asked for.
struct TorchNames {
  pybind11::object tensor, parameter, strided, function_mode_off, function_modes, storage_key;

  static const TorchNames& get();
  /// torch.Tensor itself or Parameter: no subclass, which could answer anything.
  bool is_plain(pybind11::handle tensor) const;
  bool is_tensor(pybind11::handle object) const;
  /// Whether the program has entered a mode that intercepts calls on tensors.
  bool in_function_mode() const;
  /// The type of a torch.dtype that our rules cover.
  std::optional<Dtype> dtype_of(pybind11::handle dtype) const;

 private:
  TorchNames();
  std::vector<std::pair<PyObject*, Dtype>> dtypes_;
};

/// Any tensor, subclasses and tensors without a layout included.
struct TensorFlags {
  PyObject* dtype = nullptr;  // only to be compared: torch's own live forever, a subclass may make one up
  std::vector<std::int64_t> shape;
  bool requires_grad = false;
  bool is_leaf = false;
  bool operator==(const TensorFlags&) const = default;
};
TensorFlags flags_of(pybind11::handle tensor);

/// The memory of a plain strided tensor.
struct TensorPlace {
  std::vector<std::int64_t> strides;  // in elements
  std::int64_t offset = 0;            // in elements
  const char* first = nullptr;
  bool operator==(const TensorPlace&) const = default;
};
TensorPlace place_of(pybind11::handle tensor);
/// The dtype as torch reports it when it lends a tensor to C (DLPack's exchange table, from 1.0 on); 0 if it can't.
std::int32_t lent_dtype(pybind11::handle tensor);
/// Whether a plain strided tensor has that dtype and shape and lies at that place, unless it was given other memory in
/// place, which only a new offset would show. Much faster than asking for flags and place, if the tensor can be lent:
/// `dtype` is what lent_dtype returned.
bool still_lies(pybind11::handle tensor, std::int32_t dtype, const TensorFlags& flags, const TensorPlace& place);
bool requires_grad(pybind11::handle tensor);
bool is_leaf(pybind11::handle tensor);

bool is_negated(pybind11::handle tensor);
bool on_cpu(pybind11::handle tensor);
/// Without memory anywhere.
bool is_meta(pybind11::handle tensor);

/// The storage behind a tensor.
struct Storage {
  std::uintptr_t identity = 0;
  std::int64_t bytes = 0;
  /// Null if torch has given it no memory: tensors of zeros may have sizes and none.
  const char* first = nullptr;
};
/// Nothing for tensors that have none to ask: other layouts, subclasses, functorch's wrappers inside vmap and grad.
std::optional<Storage> storage_of(pybind11::handle tensor);

struct LentTensor {
  TensorFlags flags;
  TensorPlace place;
};
/// Flags and place together, faster than each, for a plain strided tensor that torch lends to C and that has elements
/// in the CPU's memory; nothing for others.
std::optional<LentTensor> lent_tensor(pybind11::handle tensor, const Storage& storage);

}  // namespace jp::pyrunner
