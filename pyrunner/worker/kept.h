// Fast detection of what a run left behind in Python's tables: most runs leave thousands of entries unchanged.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace jp::pyrunner {

/// A snapshot of a dict's items, compared by identity: nothing is called, and values aren't touched.
class KeptItems {
 public:
  /// `holder`: a dict, or a module or class with its own dict.
  explicit KeptItems(const pybind11::object& holder);
  /// Whether the dict holds the same objects under the same keys in the same order, and nothing else.
  bool still();
  /// The same, but others may have been added after them.
  bool begins() const;
  /// The keys that were added since, the latest first, or None if some were removed too. Costs no more than their
  /// number.
  pybind11::object added() const;

 private:
  pybind11::object dict_;
  std::vector<std::pair<pybind11::object, pybind11::object>> items_;  // kept alive, so that their addresses aren't
                                                                      // reused
  std::uint64_t version_ = 0;                                         // of the dict when the items were last seen in it
};

/// The same for values of context variables.
class KeptValues {
 public:
  explicit KeptValues(const pybind11::list& variables);
  bool still() const;

 private:
  std::vector<std::pair<pybind11::object, pybind11::object>> values_;
};

/// Whether this Python counts the changes of a dict, so that one which wasn't changed is known without looking at it.
bool knows_dict_versions();

}  // namespace jp::pyrunner
