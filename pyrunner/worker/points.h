// The points of one eager run: what is known of live names before and after each statement (core/facts.h). The
// program's own code calls a hook at each point (runtime/profile.py inserts the calls).
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pyrunner/worker/fact_table.h"
#include "pyrunner/worker/frame_locals.h"

namespace jp::pyrunner {

class Points {
 public:
  /// `facts`: the module runtime/observe/facts.py, which describes everything that is not a tensor. `moves`: the
  /// program may give a tensor other memory in place.
  Points(const pybind11::object& facts, bool moves) : table_(facts, moves) {}
  /// Adds a point: after a statement, before the next, or both at once. Returns its number, for the hook.
  int add(std::optional<std::string> behind, std::optional<std::string> before);
  /// Two numbers for each point, of the statements after and before which it lies; -1 for none. `lines`: the points'
  /// lines, ascending.
  void add_all(const std::vector<std::string>& ids, const std::vector<int>& numbers, std::vector<int> lines);
  /// The hook at the point on whose line the program is.
  void hook_at_line();
  /// Called by the program: reads its frame's locals and the globals that its code names. Errors in between (no stack
  /// left, a key whose text can't be read) must not reach the program: nothing is known of that point then.
  void hook(int number);
  /// Everything that was observed, packed, as packed_facts.h says.
  pybind11::bytes packed(std::int64_t calls) const;

 private:
  struct Known {
    int name = 0;
    int entry = 0;
    int storage = -1;  // a number for each set of names that share it; -1: none, or not always the same
    bool operator==(const Known&) const = default;
  };
  using Seen = std::vector<Known>;  // by number of name
  struct Point {
    std::optional<std::string> behind, before;
    std::int64_t visits = 0;
    std::optional<Seen> seen;
  };
  struct Live {
    int name = 0;
    pybind11::object value;
  };
  struct Lying {
    Known known;
    std::uintptr_t storage = 0;
  };
  struct Key {
    pybind11::object text;  // kept alive, so that its address isn't reused
    std::optional<int> number;
  };
  struct Code {
    pybind11::object code;  // kept alive, so that its address isn't reused
    pybind11::frozenset names;
  };

  int number_of(const std::string& name);
  std::optional<int> number_of(pybind11::handle key);
  int number_of(const std::vector<int>& sharers);
  std::vector<Live> live_names();
  pybind11::handle names_in(pybind11::handle code);
  Seen look();
  Seen in_order(std::vector<Lying> found);
  void number_storages(std::vector<Lying>& by_name);
  Seen merged(const Seen& old, const Seen& now);
  std::vector<int> ranks() const;
  Seen ranked(const Seen& seen, const std::vector<int>& ranks) const;

  FactTable table_;
  std::vector<Point> points_;
  std::vector<int> lines_;  // of the first points
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> numbers_;
  std::unordered_map<PyObject*, Key> keys_;
  std::unordered_map<PyObject*, Code> codes_;
  std::vector<Local> locals_;  // of the frame being read
  std::map<std::vector<int>, int> companies_;
};

}  // namespace jp::pyrunner
