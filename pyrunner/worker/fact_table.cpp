#include "pyrunner/worker/fact_table.h"

#include <pybind11/stl.h>

#include <cmath>
#include <cstring>
#include <type_traits>

namespace py = pybind11;

namespace jp::pyrunner {
namespace {

constexpr std::int64_t kMostHashed = 1 << 18;      // bytes of a tensor; larger ones are described at each point
constexpr std::size_t kMostRemembered = 1U << 24;  // bytes of all tensors that are known again

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
  pack(key, flags.dtype);
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

NameFacts agreed(NameFacts one, const NameFacts& other) {
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
  return one;
}

}  // namespace

FactTable::FactTable(const py::object& facts)
    : describe_(facts.attr("describe")),
      tensors_in_(facts.attr("tensors_in")),
      numbers_elsewhere_(facts.attr("numbers_elsewhere")),
      room_(kMostRemembered) {}

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
  if (auto seen = seen_.find(tensor.ptr()); seen != seen_.end() && seen->second.still(tensor))
    return seen->second.known;
  try {
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
  TensorFlags flags = flags_of(tensor);
  TensorPlace place = place_of(tensor);
  const bool negated = is_negated(tensor);
  const std::optional<Dtype> dtype = TorchNames::get().dtype_of(py::handle(flags.dtype));
  const Strided layout{flags.shape, place.strides, place.first};
  const std::int64_t count = extent(layout);
  const bool numeric = dtype && !is_complex(*dtype);
  const std::int64_t bytes = numeric ? count * dtype_size(*dtype) : 0;
  const bool cpu = on_cpu(tensor);
  // A storage may have been made smaller since.
  const bool held =
      bytes == 0 || (place.first != nullptr && storage.bytes >= (place.offset + count) * dtype_size(*dtype));
  const bool hashed = cpu && held && bytes <= kMostHashed;

  std::string key;
  std::string memory;
  if (hashed) {
    if (bytes > 0) memory.assign(place.first, static_cast<std::size_t>(bytes));
    key = packed(flags);
    pack(key, place.strides);
    pack(key, place.offset);
    pack(key, negated);
    key += memory;
    if (auto found = tensors_.find(key); found != tensors_.end()) {
      const Known known{found->second, storage.identity};
      see(tensor, std::move(flags), std::move(place), std::move(memory), known);
      return known;
    }
  }
  NameFacts facts = facts_of(flags);
  facts.strides = place.strides;
  facts.offset = place.offset;
  facts.overlaps_itself = overlaps_itself(layout);
  if (numeric && cpu && held) enter_numbers(facts, layout, *dtype, negated);
  if (numeric && !cpu && !is_meta(tensor)) enter_elsewhere(facts, layout, tensor);
  const Known known{add(std::move(facts)), storage.identity};
  if (hashed && memory.size() <= room_) {
    tensors_.emplace(std::move(key), known.entry);
    see(tensor, std::move(flags), std::move(place), std::move(memory), known);
  }
  return known;
}

void FactTable::enter_elsewhere(NameFacts& entry, const Strided& layout, py::handle tensor) const {
  py::tuple said = numbers_elsewhere_(tensor, known_positions(layout));
  entry.elements = Elements(said[0].cast<std::vector<Elements::value_type>>());
  if (said[1].is_none()) return;
  entry.minimum = said[1].cast<double>();
  entry.maximum = said[2].cast<double>();
}

void FactTable::see(py::handle tensor, TensorFlags flags, TensorPlace place, std::string memory, Known known) {
  if (memory.size() > room_) return;
  room_ -= memory.size();
  auto reference = py::reinterpret_steal<py::object>(PyWeakref_NewRef(tensor.ptr(), nullptr));
  if (!reference) throw py::error_already_set();
  seen_.insert_or_assign(tensor.ptr(), Seen{std::move(reference), version_of(tensor), std::move(flags),
                                            std::move(place), std::move(memory), known});
}

bool FactTable::Seen::still(py::handle tensor) const {
  if (referred(reference) != tensor.ptr()) return false;  // another has its address by now
  return version == version_of(tensor) && place == place_of(tensor) && flags == flags_of(tensor) &&
         (memory.empty() || std::memcmp(memory.data(), place.first, memory.size()) == 0);
}

}  // namespace jp::pyrunner
