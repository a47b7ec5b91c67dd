// What Python says of a tensor. Read through CPython's interface alone: the worker isn't linked with torch, so that a
// new build of torch needs no new worker. Functions throw py::error_already_set where torch raises.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"

namespace jp::pyrunner {

/// `torch` as far as readers ask it. One for the process; imports torch when it is first asked for.
struct TorchNames {
  pybind11::object tensor, parameter, strided, function_mode_off, function_modes, storage_key;

  static const TorchNames& get();
  /// torch.Tensor itself or Parameter: no subclass, whose answers would be its own.
  bool is_plain(pybind11::handle tensor) const;
  bool is_tensor(pybind11::handle object) const;
  /// Whether the program has entered a mode that sees what is asked of tensors.
  bool in_function_mode() const;
  /// The type behind a torch.dtype that we have rules for.
  std::optional<Dtype> dtype_of(pybind11::handle dtype) const;

 private:
  TorchNames();
  std::vector<std::pair<PyObject*, Dtype>> dtypes_;
};

/// Any tensor, subclasses and tensors without a layout included.
struct TensorFlags {
  PyObject* dtype = nullptr;  // only to be compared: torch's own live for ever, a subclass may make one up
  std::vector<std::int64_t> shape;
  bool requires_grad = false;
  bool is_leaf = false;
  bool operator==(const TensorFlags&) const = default;
};
TensorFlags flags_of(pybind11::handle tensor);

/// Where a plain strided tensor lies.
struct TensorPlace {
  std::vector<std::int64_t> strides;  // in elements
  std::int64_t offset = 0;            // in elements
  const char* first = nullptr;
  bool operator==(const TensorPlace&) const = default;
};
TensorPlace place_of(pybind11::handle tensor);
/// The dtype as torch tells it when it lends a tensor to C (DLPack's exchange table, from 1.0 on); 0 where it can't.
std::int32_t lent_dtype(pybind11::handle tensor);
/// Whether a plain strided tensor has that dtype and shape and lies at that place, unless it was given other memory in
/// place, which only a new offset would show. Much sooner than asking for flags and place, where the tensor is lent:
/// `dtype` is what lent_dtype said.
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
  /// Null where torch has given it no memory: zero tensors have sizes and none.
  const char* first = nullptr;
};
/// Nothing for tensors that have none to ask: other layouts, subclasses, functorch's stand-ins inside vmap and grad.
std::optional<Storage> storage_of(pybind11::handle tensor);

struct LentTensor {
  TensorFlags flags;
  TensorPlace place;
};
/// Flags and place at once, sooner than each, of a plain strided tensor that torch lends to C and that has elements in
/// the CPU's memory; nothing of others.
std::optional<LentTensor> lent_tensor(pybind11::handle tensor, const Storage& storage);

}  // namespace jp::pyrunner
