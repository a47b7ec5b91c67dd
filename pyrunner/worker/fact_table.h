// A table of what is known of values, each entry stored once; points refer to entries by number.
//
// Most tensors are the same at a point as at the one before it, so a described tensor is recognised by everything that
// its entry is computed from, the bytes in memory included: what changes a tensor unnoticed, through `.data`, NumPy or
// an alias, changes its bytes. The table keeps no tensor alive: programs could observe that.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/facts.h"
#include "pyrunner/worker/tensor_numbers.h"
#include "pyrunner/worker/tensor_reader.h"

namespace jp::pyrunner {

class FactTable {
 public:
  /// `facts`: the module runtime/observe/facts.py. `moves`: tensors may be given other memory in place, so each is
  /// described anew at each point.
  FactTable(const pybind11::object& facts, bool moves);

  /// A value at some point: its entry, and the address of its storage or 0.
  struct Known {
    int entry = 0;
    std::uintptr_t storage = 0;
  };
  Known tensor(pybind11::handle tensor);
  /// The entry of a value that is not a tensor.
  int other(pybind11::handle value);
  /// Tensors inside a container, an object or a closure: [(text after the name, tensor)], or None.
  pybind11::object tensors_in(pybind11::handle value) const;
  /// The entry of the facts on which two others agree.
  int merged(int one, int other);

  const NameFacts& operator[](int entry) const { return entries_[static_cast<std::size_t>(entry)]; }

 private:
  /// What the entry of a plain strided tensor is computed from.
  struct Read {
    TensorFlags flags;
    TensorPlace place;
    bool negated = false;
    std::optional<Dtype> numbers;  // the dtype of elements that are real numbers
    /// From the first element to the last; none if there is no memory, or if we can't read it.
    std::optional<std::string> memory;
    bool elsewhere = false;  // torch reads its elements: on other devices, and if there are many
    Strided layout() const { return {flags.shape, place.strides, place.first}; }
  };
  /// A tensor as it was when it was last described.
  struct Seen {
    pybind11::object reference;  // weak
    std::int32_t lent_dtype = 0;
    Read read;
    Known known;
    bool still(pybind11::handle tensor) const;
  };

  int add(NameFacts facts);
  int asked(pybind11::handle value);
  int unknown_tensor();
  int outside(const TensorFlags& flags);
  Known strided(pybind11::handle tensor, const Storage& storage);
  static Read read_of(pybind11::handle tensor, const Storage& storage);
  static std::string key_of(const Read& read);
  NameFacts described(const Read& read, pybind11::handle tensor) const;
  void enter_elsewhere(NameFacts& entry, const Strided& layout, pybind11::handle tensor) const;
  void see(pybind11::handle tensor, Read read, Known known);

  pybind11::object describe_, tensors_in_, numbers_elsewhere_;  // of facts.py
  std::vector<NameFacts> entries_;
  std::unordered_map<std::string, int> tensors_;          // everything that an entry is computed from, packed
  pybind11::dict others_;                                 // facts.py's description of a value -> its entry
  std::map<std::pair<int, std::uint64_t>, int> scalars_;  // a tag of the type, and the value -> its entry
  std::map<std::pair<int, int>, int> merged_;
  std::unordered_map<PyObject*, Seen> seen_;
  bool moves_;
  std::size_t key_room_;
  std::size_t seen_room_;
};

}  // namespace jp::pyrunner
