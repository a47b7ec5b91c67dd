// What a run may leave behind in tables of Python's, seen soon: most runs leave thousands of entries as they were.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace jp::pyrunner {

/// The items of a dict as they were when it was asked, known again by identity: nothing is called, and values aren't
/// touched.
class KeptItems {
 public:
  /// `holder`: a dict, or a module or class with its own.
  explicit KeptItems(const pybind11::object& holder);
  /// Whether the dict holds the same objects under the same keys in the same order, and nothing else.
  bool still();
  /// The same, but others may have come behind them.
  bool begins() const;
  /// The keys that came since, the latest first, or None if some went too. Looks at no more than those.
  pybind11::object added() const;

 private:
  pybind11::object dict_;
  std::vector<std::pair<pybind11::object, pybind11::object>> items_;  // kept, so that addresses stay their own
  std::uint64_t version_ = 0;                                         // of the dict when it was last seen to hold them
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
