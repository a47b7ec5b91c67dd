#include "pyrunner/worker/fact_table.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "core/tensor_type.h"

namespace py = pybind11;

namespace jp::pyrunner {
namespace {

constexpr std::int64_t kMostHashed = 1 << 18;  // bytes of a tensor; larger ones are described anew at each point
constexpr std::size_t kMostKept = 1U << 23;    // bytes of all keys, and of all remembered tensors

// The tensor behind a weak reference, or nullptr; only to be compared.
PyObject* referred(py::handle reference) {
#if PY_VERSION_HEX >= 0x030D0000
  PyObject* object = nullptr;
  PyWeakref_GetRef(reference.ptr(), &object);
  Py_XDECREF(object);
  return object;
#else
  return PyWeakref_GetObject(reference.ptr());
#endif
}

template <typename T>
void pack(std::string& key, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void pack(std::string& key, const std::vector<std::int64_t>& numbers) {
  pack(key, numbers.size());
  for (std::int64_t number : numbers) pack(key, number);
}

std::string packed(const TensorFlags& flags) {
  std::string key;
  pack(key, reinterpret_cast<std::uintptr_t>(flags.dtype));
  pack(key, flags.shape);
  pack(key, flags.requires_grad);
  pack(key, flags.is_leaf);
  return key;
}

NameFacts of_kind(std::string kind) {
  NameFacts facts;
  facts.kind = std::move(kind);
  return facts;
}

NameFacts facts_of(const TensorFlags& flags) {
  NameFacts facts = of_kind("tensor");
  facts.dtype = TorchNames::get().dtype_of(py::handle(flags.dtype));
  facts.shape = flags.shape;
  facts.requires_grad = flags.requires_grad;
  facts.is_leaf = flags.is_leaf;
  return facts;
}

// None and small numbers, of Python's own types: iterations of a loop mostly change these.
using Scalar = std::pair<int, std::uint64_t>;
std::optional<Scalar> scalar_of(py::handle value) {
  enum : std::uint8_t { kNone, kBool, kInt, kFloat };
  if (value.is_none()) return Scalar{kNone, 0};
  if (PyBool_Check(value.ptr())) return Scalar{kBool, value.ptr() == Py_True ? 1U : 0U};
  if (PyFloat_CheckExact(value.ptr()))
    return Scalar{kFloat, std::bit_cast<std::uint64_t>(PyFloat_AS_DOUBLE(value.ptr()))};
  if (!PyLong_CheckExact(value.ptr())) return std::nullopt;
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow != 0) return std::nullopt;
  return Scalar{kInt, static_cast<std::uint64_t>(number)};
}

bool same(double one, double other) {
  if (std::isnan(one) || std::isnan(other)) return std::isnan(one) && std::isnan(other);
  return one == other && std::signbit(one) == std::signbit(other);
}

template <typename T>
void keep_same(std::optional<T>& field, const std::optional<T>& other) {
  if (!field) return;
  bool equal = other.has_value();
  if constexpr (std::is_same_v<T, double>) {
    equal = equal && same(*field, *other);
  } else {
    equal = equal && *field == *other;
  }
  if (!equal) field.reset();
}

Elements common(const Elements& one, const Elements& other) {
  std::vector<Elements::value_type> both;
  for (const auto& [position, value] : one)
    if (const double* found = other.find(position); found != nullptr && same(value, *found))
      both.emplace_back(position, value);
  return Elements(std::move(both));
}

using Sizes = std::optional<std::vector<std::int64_t>>;

// The smaller sizes of both (`of` is the minimum), or the larger ones.
template <typename Of>
Sizes outer_sizes(const Sizes& one, const Sizes& other, Of of) {
  if (!one || !other || one->size() != other->size()) return std::nullopt;
  Sizes both = one;
  for (std::size_t i = 0; i < both->size(); ++i) (*both)[i] = of((*both)[i], (*other)[i]);
  return both;
}

bool row_major_always(const NameFacts& facts) {
  return facts.row_major.value_or(facts.shape && facts.strides && is_row_major(*facts.shape, *facts.strides));
}

// The bound of both, of minima (`of` is the minimum) or of maxima.
template <typename Of>
std::optional<double> outer(const std::optional<double>& one, const std::optional<double>& one_before,
                            const std::optional<double>& other, const std::optional<double>& other_before, Of of) {
  const auto& bound = one ? one : one_before;
  const auto& second = other ? other : other_before;
  return bound && second ? std::optional(of(*bound, *second)) : std::nullopt;
}

// What held at both visits where it was not the same; `one` is not reduced to what is the same yet.
void enter_ranges(NameFacts& both, const NameFacts& one, const NameFacts& other) {
  both.least_shape.reset();
  both.largest_shape.reset();
  both.row_major.reset();
  both.lowest.reset();
  both.highest.reset();
  if (one.kind != "tensor" || other.kind != "tensor") return;
  if (!both.strides) both.row_major = row_major_always(one) && row_major_always(other);
  auto least = [](auto left, auto right) { return std::min(left, right); };
  auto most = [](auto left, auto right) { return std::max(left, right); };
  if (!both.shape) {
    both.least_shape =
        outer_sizes(one.shape ? one.shape : one.least_shape, other.shape ? other.shape : other.least_shape, least);
    both.largest_shape =
        outer_sizes(one.shape ? one.shape : one.largest_shape, other.shape ? other.shape : other.largest_shape, most);
  }
  if (!both.minimum) both.lowest = outer(one.minimum, one.lowest, other.minimum, other.lowest, least);
  if (!both.maximum) both.highest = outer(one.maximum, one.highest, other.maximum, other.highest, most);
}

NameFacts agreed(NameFacts one, const NameFacts& other) {
  const NameFacts whole = one;
  if (one.kind != other.kind) one.kind.clear();
  keep_same(one.literal, other.literal);
  keep_same(one.length, other.length);
  keep_same(one.dtype, other.dtype);
  keep_same(one.shape, other.shape);
  keep_same(one.strides, other.strides);
  keep_same(one.offset, other.offset);
  keep_same(one.requires_grad, other.requires_grad);
  keep_same(one.is_leaf, other.is_leaf);
  keep_same(one.overlaps_itself, other.overlaps_itself);
  one.elements = common(one.elements, other.elements);
  keep_same(one.minimum, other.minimum);
  keep_same(one.maximum, other.maximum);
  keep_same(one.sum, other.sum);
  enter_ranges(one, whole, other);
  return one;
}

}  // namespace

FactTable::FactTable(const py::object& facts, bool moves)
    : describe_(facts.attr("describe")),
      tensors_in_(facts.attr("tensors_in")),
      numbers_elsewhere_(facts.attr("numbers_elsewhere")),
      moves_(moves),
      key_room_(kMostKept),
      seen_room_(kMostKept) {}

int FactTable::add(NameFacts facts) {
  entries_.push_back(std::move(facts));
  return static_cast<int>(entries_.size()) - 1;
}

int FactTable::merged(int one, int other) {
  auto [place, is_new] = merged_.try_emplace({one, other}, 0);
  if (is_new) place->second = add(agreed((*this)[one], (*this)[other]));
  return place->second;
}

int FactTable::other(py::handle value) {
  const std::optional<Scalar> scalar = scalar_of(value);
  if (!scalar) return asked(value);
  if (auto known = scalars_.find(*scalar); known != scalars_.end()) return known->second;
  return scalars_[*scalar] = asked(value);
}

py::object FactTable::tensors_in(py::handle value) const {
  const bool holds_nothing =
      scalar_of(value) || (PyFunction_Check(value.ptr()) && !PyFunction_GET_CLOSURE(value.ptr()));
  return holds_nothing ? py::object(py::none()) : tensors_in_(value);
}

int FactTable::asked(py::handle value) {
  py::tuple said = describe_(value);
  if (PyObject* known = PyDict_GetItem(others_.ptr(), said.ptr())) return static_cast<int>(PyLong_AsLong(known));
  NameFacts facts = of_kind(said[0].cast<std::string>());
  if (!said[1].is_none()) facts.literal = said[1].cast<std::string>();
  if (!said[2].is_none()) facts.length = said[2].cast<std::int64_t>();
  const int entry = add(std::move(facts));
  others_[said] = entry;
  return entry;
}

FactTable::Known FactTable::tensor(py::handle tensor) {
  try {
    if (auto seen = seen_.find(tensor.ptr()); seen != seen_.end() && seen->second.still(tensor))
      return seen->second.known;
    std::optional<Storage> storage = storage_of(tensor);
    return storage ? strided(tensor, *storage) : Known{outside(flags_of(tensor)), 0};
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_RuntimeError)) throw;
    return {unknown_tensor(), 0};  // e.g. a nested tensor has no shape
  }
}

int FactTable::unknown_tensor() {
  auto [place, is_new] = tensors_.try_emplace("", 0);
  if (is_new) place->second = add(of_kind("tensor"));
  return place->second;
}

int FactTable::outside(const TensorFlags& flags) {
  auto [place, is_new] = tensors_.try_emplace(packed(flags), 0);
  if (is_new) place->second = add(facts_of(flags));
  return place->second;
}

FactTable::Known FactTable::strided(py::handle tensor, const Storage& storage) {
  Read read = read_of(tensor, storage);
  std::string key = read.memory ? key_of(read) : "";
  auto found = read.memory ? tensors_.find(key) : tensors_.end();
  const bool is_known = found != tensors_.end();
  const Known known{is_known ? found->second : add(described(read, tensor)), storage.identity};
  if (!read.memory) return known;
  if (!is_known && key.size() <= key_room_) {
    key_room_ -= key.size();
    tensors_.emplace(std::move(key), known.entry);
  }
  if (!moves_) see(tensor, std::move(read), known);
  return known;
}

FactTable::Read FactTable::read_of(py::handle tensor, const Storage& storage) {
  Read read;
  std::optional<LentTensor> lent = lent_tensor(tensor, storage);
  read.flags = lent ? std::move(lent->flags) : flags_of(tensor);
  read.place = lent ? std::move(lent->place) : place_of(tensor);
  read.negated = is_negated(tensor);
  const std::optional<Dtype> dtype = TorchNames::get().dtype_of(py::handle(read.flags.dtype));
  if (dtype && !is_complex(*dtype)) read.numbers = dtype;
  if (!lent && !on_cpu(tensor)) {
    read.elsewhere = read.numbers && !is_meta(tensor);
    return read;
  }
  const std::int64_t size = read.numbers ? dtype_size(*read.numbers) : 0;
  const std::int64_t count = extent(read.layout());
  const std::int64_t bytes = count * size;
  // A storage may have been made smaller since.
  const bool held = storage.first != nullptr && storage.bytes >= (read.place.offset + count) * size;
  if (bytes == 0) {
    read.memory = "";
  } else if (held && bytes > kMostHashed) {
    read.elsewhere = true;
  } else if (held) {
    read.memory = std::string(read.place.first, static_cast<std::size_t>(bytes));
  }
  return read;
}

NameFacts FactTable::described(const Read& read, py::handle tensor) const {
  NameFacts facts = facts_of(read.flags);
  facts.strides = read.place.strides;
  facts.offset = read.place.offset;
  facts.overlaps_itself = overlaps_itself(read.flags.shape, read.place.strides);
  if (read.numbers && read.memory) enter_numbers(facts, read.layout(), *read.numbers, read.negated);
  if (read.elsewhere) enter_elsewhere(facts, read.layout(), tensor);
  return facts;
}

std::string FactTable::key_of(const Read& read) {
  std::string key = packed(read.flags);
  pack(key, read.place.strides);
  pack(key, read.place.offset);
  pack(key, read.negated);
  return key + *read.memory;
}

void FactTable::enter_elsewhere(NameFacts& entry, const Strided& layout, py::handle tensor) const {
  py::tuple said = numbers_elsewhere_(tensor, known_positions(layout));
  entry.elements = Elements(said[0].cast<std::vector<Elements::value_type>>());
  if (said[1].is_none()) return;
  entry.minimum = said[1].cast<double>();
  entry.maximum = said[2].cast<double>();
  if (const double sum = said[3].cast<double>(); std::isfinite(sum)) entry.sum = sum;
}

void FactTable::see(py::handle tensor, Read read, Known known) {
  if (auto former = seen_.find(tensor.ptr()); former != seen_.end()) {
    seen_room_ += former->second.read.memory->size();
    seen_.erase(former);
  }
  if (read.memory->size() > seen_room_) return;
  auto reference = py::reinterpret_steal<py::object>(PyWeakref_NewRef(tensor.ptr(), nullptr));
  if (!reference) throw py::error_already_set();
  seen_room_ -= read.memory->size();
  seen_.emplace(tensor.ptr(), Seen{std::move(reference), lent_dtype(tensor), std::move(read), known});
}

bool FactTable::Seen::still(py::handle tensor) const {
  if (referred(reference) != tensor.ptr()) return false;  // another tensor has its address by now
  const bool never_requires_grad = read.numbers && !is_floating(*read.numbers);
  return still_lies(tensor, lent_dtype, read.flags, read.place) &&
         (never_requires_grad || requires_grad(tensor) == read.flags.requires_grad) &&
         // What requires no gradient is a leaf.
         (!read.flags.requires_grad || is_leaf(tensor) == read.flags.is_leaf) &&
         (read.memory->empty() || std::memcmp(read.memory->data(), read.place.first, read.memory->size()) == 0);
}

}  // namespace jp::pyrunner
