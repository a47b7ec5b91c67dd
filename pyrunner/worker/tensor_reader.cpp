#include "pyrunner/worker/tensor_reader.h"

#include <dlpack.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace py = pybind11;

namespace jp::pyrunner {
namespace {

py::object attribute(py::handle object, PyObject* name) {
  auto value = py::reinterpret_steal<py::object>(PyObject_GetAttr(object.ptr(), name));
  if (!value) throw py::error_already_set();
  return value;
}

py::object call(py::handle object, PyObject* name) {
  auto value = py::reinterpret_steal<py::object>(PyObject_CallMethodNoArgs(object.ptr(), name));
  if (!value) throw py::error_already_set();
  return value;
}

std::int64_t integer(py::handle object) {
  const long long value = PyLong_AsLongLong(object.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return value;
}

std::uintptr_t address(py::handle object) {
  const unsigned long long value = PyLong_AsUnsignedLongLong(object.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return static_cast<std::uintptr_t>(value);
}

std::vector<std::int64_t> integers(py::handle tuple) {
  if (!PyTuple_Check(tuple.ptr())) throw py::type_error("not a tuple of sizes");
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(PyTuple_GET_SIZE(tuple.ptr())));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = integer(PyTuple_GET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i)));
  return numbers;
}

// The function that lends a tensor to C, or nullptr where torch has none: `Tensor.__dlpack_c_exchange_api__` holds it,
// from DLPack 1.2 on. The header is torch's own. Within a major version DLPack keeps its layout, so a torch that is
// installed later over the one whose header this was built with is read rightly too.
using Lookup = int (*)(void*, DLTensor*);
#if DLPACK_MAJOR_VERSION == 1 && DLPACK_MINOR_VERSION >= 2
Lookup find_lookup() {
  py::object held = py::module_::import("jitprobe_runtime.compat.eager").attr("lends_to_c");
  if (!PyCapsule_IsValid(held.ptr(), "dlpack_exchange_api")) return nullptr;
  const auto* table = static_cast<const DLPackExchangeAPI*>(PyCapsule_GetPointer(held.ptr(), "dlpack_exchange_api"));
  const bool known = table->header.version.major == DLPACK_MAJOR_VERSION;
  return known ? table->dltensor_from_py_object_no_sync : nullptr;
}
#else
Lookup find_lookup() { return nullptr; }
#endif

// Nothing for tensors that aren't lent: of some dtypes, and where torch has no table.
std::optional<DLTensor> lent(py::handle tensor) {
  static const Lookup kLookup = find_lookup();
  if (kLookup == nullptr) return std::nullopt;
  DLTensor found{};
  if (kLookup(tensor.ptr(), &found) == 0) return found;
  PyErr_Clear();
  return std::nullopt;
}

std::int32_t number_of(DLDataType dtype) { return std::bit_cast<std::int32_t>(dtype); }

std::int64_t item_size(const DLTensor& lent) { return lent.dtype.bits / 8; }

// Names are made once: looking an attribute up by a C string makes the name anew each time.
PyObject* interned(const char* text) { return PyUnicode_InternFromString(text); }

// An attribute that torch computes in C, for plain tensors: its function is called without looking the name up along
// the classes, which matters for the hundreds of tensors at a point.
class Computed {
 public:
  explicit Computed(const char* name) : name_(interned(name)) {
    py::object found = py::getattr(TorchNames::get().tensor, name_, py::none());
    if (Py_IS_TYPE(found.ptr(), &PyGetSetDescr_Type) == 0) return;
    const PyGetSetDef* definition = reinterpret_cast<PyGetSetDescrObject*>(found.ptr())->d_getset;
    get_ = definition->get;
    closure_ = definition->closure;
  }

  py::object operator()(py::handle tensor) const {
    if (get_ == nullptr || !TorchNames::get().is_plain(tensor)) return attribute(tensor, name_);
    auto value = py::reinterpret_steal<py::object>(get_(tensor.ptr(), closure_));
    if (!value) throw py::error_already_set();
    return value;
  }

 private:
  PyObject* name_;
  getter get_ = nullptr;
  void* closure_ = nullptr;
};

PyObject* dtype_object(py::handle tensor) {
  static const Computed kDtype("dtype");
  return kDtype(tensor).ptr();
}

}  // namespace

const TorchNames& TorchNames::get() {
  // Never destroyed: the interpreter ends with the process.
  static const TorchNames* const kNames = new TorchNames();
  return *kNames;
}

TorchNames::TorchNames() {
  py::module_ torch = py::module_::import("torch");
  tensor = torch.attr("Tensor");
  parameter = torch.attr("nn").attr("Parameter");
  strided = torch.attr("strided");
  py::module_ private_names = py::module_::import("jitprobe_runtime.compat.eager");
  function_mode_off = private_names.attr("DisableTorchFunction");
  function_modes = private_names.attr("function_mode_count");
  storage_key = private_names.attr("storage_key");
  for (Dtype dtype : all_dtypes()) {
    py::object known = torch.attr(std::string(dtype_name(dtype)).c_str());
    dtypes_.emplace_back(known.ptr(), dtype);
  }
}

bool TorchNames::is_plain(py::handle object) const {
  const auto* type = reinterpret_cast<const PyObject*>(Py_TYPE(object.ptr()));
  return type == tensor.ptr() || type == parameter.ptr();
}

bool TorchNames::is_tensor(py::handle object) const {
  return PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject*>(tensor.ptr()));
}

bool TorchNames::in_function_mode() const {
  auto depth = py::reinterpret_steal<py::object>(PyObject_CallNoArgs(function_modes.ptr()));
  if (!depth) throw py::error_already_set();
  return integer(depth) != 0;
}

std::optional<Dtype> TorchNames::dtype_of(py::handle dtype) const {
  for (const auto& [object, known] : dtypes_)
    if (object == dtype.ptr()) return known;
  return std::nullopt;
}

TensorFlags flags_of(py::handle tensor) {
  static const Computed kShape("shape");
  return {dtype_object(tensor), integers(kShape(tensor)), requires_grad(tensor), is_leaf(tensor)};
}

bool requires_grad(py::handle tensor) {
  static const Computed kRequiresGrad("requires_grad");
  return kRequiresGrad(tensor).ptr() == Py_True;
}

bool is_leaf(py::handle tensor) {
  static const Computed kIsLeaf("is_leaf");
  return kIsLeaf(tensor).ptr() == Py_True;
}

std::int32_t lent_dtype(py::handle tensor) {
  const std::optional<DLTensor> now = lent(tensor);
  return now ? number_of(now->dtype) : 0;
}

bool still_lies(py::handle tensor, std::int32_t dtype, const TensorFlags& flags, const TensorPlace& place) {
  const std::optional<DLTensor> now = dtype != 0 ? lent(tensor) : std::nullopt;
  if (!now) {
    const TensorFlags known = flags_of(tensor);
    return known.dtype == flags.dtype && known.shape == flags.shape && place_of(tensor) == place;
  }
  const auto dims = static_cast<std::ptrdiff_t>(flags.shape.size());
  return now->data == place.first && number_of(now->dtype) == dtype && now->ndim == dims &&
         std::equal(flags.shape.begin(), flags.shape.end(), now->shape) &&
         std::equal(place.strides.begin(), place.strides.end(), now->strides);
}

TensorPlace place_of(py::handle tensor) {
  static PyObject* const kStride = interned("stride");
  static PyObject* const kOffset = interned("storage_offset");
  static PyObject* const kFirst = interned("data_ptr");
  // NOLINTNEXTLINE(performance-no-int-to-ptr): torch gives addresses as numbers
  return {integers(call(tensor, kStride)), integer(call(tensor, kOffset)),
          reinterpret_cast<const char*>(address(call(tensor, kFirst)))};
}

bool is_negated(py::handle tensor) {
  static PyObject* const kIsNeg = interned("is_neg");
  return call(tensor, kIsNeg).ptr() == Py_True;
}

bool on_cpu(py::handle tensor) {
  static const Computed kIsCpu("is_cpu");
  return kIsCpu(tensor).ptr() == Py_True;
}

bool is_meta(py::handle tensor) {
  static const Computed kIsMeta("is_meta");
  return kIsMeta(tensor).ptr() == Py_True;
}

std::optional<Storage> storage_of(py::handle tensor) {
  static const Computed kLayout("layout");
  static PyObject* const kStorage = interned("untyped_storage");
  static PyObject* const kBytes = interned("nbytes");
  static PyObject* const kFirst = interned("data_ptr");
  const TorchNames& torch = TorchNames::get();
  if (!torch.is_plain(tensor) || !kLayout(tensor).is(torch.strided)) return std::nullopt;
  try {
    py::object storage = call(tensor, kStorage);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): torch gives addresses as numbers
    const auto* first = reinterpret_cast<const char*>(address(call(storage, kFirst)));
    auto key = py::reinterpret_steal<py::object>(PyObject_CallOneArg(torch.storage_key.ptr(), storage.ptr()));
    if (!key) throw py::error_already_set();
    return Storage{address(key), integer(call(storage, kBytes)), first};
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_RuntimeError)) throw;
    return std::nullopt;
  }
}

std::optional<LentTensor> lent_tensor(py::handle tensor, const Storage& storage) {
  const std::optional<DLTensor> now = lent(tensor);
  if (!now || now->device.device_type != kDLCPU || now->data == nullptr || storage.first == nullptr ||
      item_size(*now) == 0)
    return std::nullopt;
  LentTensor found;
  found.flags.shape.assign(now->shape, now->shape + now->ndim);
  if (std::find(found.flags.shape.begin(), found.flags.shape.end(), 0) != found.flags.shape.end()) return std::nullopt;
  found.flags.dtype = dtype_object(tensor);
  found.flags.requires_grad = requires_grad(tensor);
  found.flags.is_leaf = is_leaf(tensor);
  found.place.strides.assign(now->strides, now->strides + now->ndim);
  found.place.first = static_cast<const char*>(now->data);
  found.place.offset = (found.place.first - storage.first) / item_size(*now);
  return found;
}

}  // namespace jp::pyrunner
