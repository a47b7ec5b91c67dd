#include "pyrunner/worker/points.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "pyrunner/packed_facts.h"
#include "pyrunner/worker/convert.h"

namespace py = pybind11;

namespace jp::pyrunner {
namespace {

// After so many visits a point's facts are dropped, so that a long loop ends in time.
constexpr std::int64_t kMostVisits = 1000;
// Numbers of storages that several names share start here.
constexpr int kAboveNames = 1 << 30;

bool is_shown(const std::string& name) { return !name.starts_with("__") && !name.starts_with("."); }

// Names of attributes too, and of nested code.
void add_names(py::handle code, py::set& names) {
  for (py::handle name : py::tuple(code.attr("co_names"))) names.add(name);
  for (py::handle constant : py::tuple(code.attr("co_consts")))
    if (PyCode_Check(constant.ptr())) add_names(constant, names);
}

py::object attribute(py::handle object, PyObject* name) {
  auto value = py::reinterpret_steal<py::object>(PyObject_GetAttr(object.ptr(), name));
  if (!value) throw py::error_already_set();
  return value;
}

// The hook has no Python frame: the running one is its caller's.
py::object running_frame() {
  PyFrameObject* frame = PyEval_GetFrame();
  if (frame == nullptr) throw py::value_error("no frame");
  return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(frame));
}

py::object code_of(PyFrameObject* frame) {
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
}

// While it exists, torch's function modes and the __torch_function__ of subclasses are off.
class FunctionModeOff {
 public:
  FunctionModeOff() : guard_(TorchNames::get().function_mode_off()) {
    static PyObject* const kEnter = PyUnicode_InternFromString("__enter__");
    Py_XDECREF(PyObject_CallMethodNoArgs(guard_.ptr(), kEnter));
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  }
  ~FunctionModeOff() {
    static PyObject* const kExit = PyUnicode_InternFromString("__exit__");
    py::error_scope kept;
    Py_XDECREF(PyObject_CallMethodObjArgs(guard_.ptr(), kExit, Py_None, Py_None, Py_None, nullptr));
    PyErr_Clear();  // it can't be told from a destructor, and was never observed
  }
  FunctionModeOff(const FunctionModeOff&) = delete;
  FunctionModeOff& operator=(const FunctionModeOff&) = delete;

 private:
  py::object guard_;
};

// Assigns numbers in the order in which keys are first asked for.
template <typename Key>
class Renumbered {
 public:
  int operator[](const Key& key) {
    auto [place, is_new] = numbers_.try_emplace(key, static_cast<int>(order.size()));
    if (is_new) order.push_back(key);
    return place->second;
  }
  std::vector<Key> order;

 private:
  std::map<Key, int> numbers_;
};

// Compares two lists by number of name: calls `gone` for the names that only the first has, `put` for what is new or
// different in the second.
template <typename Seen, typename Gone, typename Put>
void differences(const Seen& former, const Seen& now, const Gone& gone, const Put& put) {
  auto old = former.begin();
  for (const auto& known : now) {
    for (; old != former.end() && old->name < known.name; ++old) gone(old->name);
    const bool stands = old != former.end() && old->name == known.name;
    if (!stands || !(*old == known)) put(known);
    if (stands) ++old;
  }
  for (; old != former.end(); ++old) gone(old->name);
}

}  // namespace

int Points::add(std::optional<std::string> behind, std::optional<std::string> before) {
  points_.push_back({std::move(behind), std::move(before), 0, std::nullopt});
  return static_cast<int>(points_.size()) - 1;
}

void Points::add_all(const std::vector<std::string>& ids, const std::vector<int>& numbers, std::vector<int> lines) {
  auto id = [&](int number) {
    return number < 0 ? std::nullopt : std::optional(ids.at(static_cast<std::size_t>(number)));
  };
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) add(id(numbers[i]), id(numbers[i + 1]));
  lines_ = std::move(lines);
}

void Points::hook_at_line() {
  PyFrameObject* frame = PyEval_GetFrame();
  const int line = frame != nullptr ? PyFrame_GetLineNumber(frame) : 0;
  const auto place = std::lower_bound(lines_.begin(), lines_.end(), line);
  if (place != lines_.end() && *place == line) hook(static_cast<int>(place - lines_.begin()));
}

void Points::hook(int number) {
  Point& point = points_.at(static_cast<std::size_t>(number));
  if (++point.visits > kMostVisits) point.seen = Seen();
  if (point.seen && point.seen->empty()) return;
  try {
    Seen seen = look();
    // Inspecting a value may have run the program's own code, which may have visited this point, too.
    Point& now = points_[static_cast<std::size_t>(number)];
    now.seen = now.seen ? merged(*now.seen, seen) : std::move(seen);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    points_[static_cast<std::size_t>(number)].seen = Seen();
  } catch (const std::exception&) {
    points_[static_cast<std::size_t>(number)].seen = Seen();
  }
}

py::handle Points::names_in(py::handle code) {
  auto known = codes_.find(code.ptr());
  if (known == codes_.end()) {
    py::set names;
    add_names(code, names);
    known = codes_.emplace(code.ptr(), Code{py::reinterpret_borrow<py::object>(code), py::frozenset(names)}).first;
  }
  return known->second.names;
}

int Points::number_of(const std::string& name) {
  auto [place, is_new] = numbers_.try_emplace(name, static_cast<int>(names_.size()));
  if (is_new) names_.push_back(name);
  return place->second;
}

// Nothing for names that are not shown.
std::optional<int> Points::number_of(py::handle key) {
  if (auto known = keys_.find(key.ptr()); known != keys_.end()) return known->second.number;
  const std::string name = text_of(key);
  std::optional<int> number;
  if (is_shown(name)) number = number_of(name);
  // Other names may be created anew at each visit.
  if (PyUnicode_CheckExact(key.ptr()) && PyUnicode_CHECK_INTERNED(key.ptr()) != 0)
    keys_.emplace(key.ptr(), Key{py::reinterpret_borrow<py::object>(key), number});
  return number;
}

std::vector<Points::Live> Points::live_names() {
  static PyObject* const kLocals = PyUnicode_InternFromString("f_locals");
  static PyObject* const kGlobals = PyUnicode_InternFromString("f_globals");
  py::object frame = running_frame();
  auto* running = reinterpret_cast<PyFrameObject*>(frame.ptr());
  auto shared = py::reinterpret_borrow<py::dict>(attribute(frame, kGlobals));
  std::vector<Live> live;
  auto enter = [&](py::handle key, py::handle value) {
    if (PyModule_Check(value.ptr())) return;
    if (std::optional<int> name = number_of(key)) live.push_back({*name, py::reinterpret_borrow<py::object>(value)});
  };
  locals_.clear();
  py::dict locals;
  if (!read_locals(running, locals_)) {
    // The attribute, not PyEval_GetLocals: that one still shows deleted names, from Python 3.13 on.
    py::object own = attribute(frame, kLocals);
    locals = PyDict_Check(own.ptr()) ? py::reinterpret_borrow<py::dict>(own) : py::dict(own);
    for (auto [key, value] : locals) enter(key, value);
    if (own.is(shared)) return live;
  }
  for (const auto& [key, value] : locals_) enter(key, value);
  auto is_local = [&](py::handle key) {
    auto has_name = [&](const Local& local) { return PyUnicode_Compare(local.name.ptr(), key.ptr()) == 0; };
    return PyDict_Contains(locals.ptr(), key.ptr()) != 0 || std::any_of(locals_.begin(), locals_.end(), has_name);
  };
  const py::handle names = names_in(code_of(running));
  // Looks up the smaller set: a code names many attributes besides globals, and a file may have hundreds of globals.
  auto enter_global = [&](py::handle key, py::handle value) {
    if (!PyModule_Check(value.ptr()) && !is_local(key)) enter(key, value);
  };
  if (PyDict_Size(shared.ptr()) < PySet_Size(names.ptr())) {
    for (auto [key, value] : shared)
      if (PyUnicode_CheckExact(key.ptr()) && PySet_Contains(names.ptr(), key.ptr()) == 1) enter_global(key, value);
  } else {
    for (py::handle key : names)
      if (PyObject* value = PyDict_GetItem(shared.ptr(), key.ptr())) enter_global(key, value);
  }
  return live;
}

Points::Seen Points::look() {
  const TorchNames& torch = TorchNames::get();
  std::vector<Live> live = live_names();
  std::optional<FunctionModeOff> off;
  if (torch.in_function_mode()) off.emplace();
  std::vector<Lying> found;
  auto enter_tensor = [&](int name, py::handle tensor) {
    if (!off && !torch.is_plain(tensor)) off.emplace();
    const FactTable::Known known = table_.tensor(tensor);
    found.push_back({{name, known.entry, -1}, known.storage});
  };
  for (const auto& [name, value] : live) {
    if (torch.is_tensor(value)) {
      enter_tensor(name, value);
      continue;
    }
    found.push_back({{name, table_.other(value), -1}, 0});
    py::object inside = table_.tensors_in(value);
    if (inside.is_none()) continue;
    for (py::handle one : py::reinterpret_borrow<py::list>(inside)) {
      py::tuple pair = py::reinterpret_borrow<py::tuple>(one);
      enter_tensor(number_of(names_[static_cast<std::size_t>(name)] + text_of(pair[0])), pair[1]);
    }
  }
  return in_order(std::move(found));
}

// What is known at both visits. The names that share memory with a name are known if they were the same each time.
Points::Seen Points::merged(const Seen& old, const Seen& now) {
  if (old == now) return old;
  Seen both;
  auto other = now.begin();
  for (const Known& known : old) {
    while (other != now.end() && other->name < known.name) ++other;
    if (other == now.end()) break;
    if (other->name != known.name) continue;
    const int entry = known.entry == other->entry ? known.entry : table_.merged(known.entry, other->entry);
    both.push_back({known.name, entry, known.storage == other->storage ? known.storage : -1});
  }
  return both;
}

// Sorted by name, with the names that share memory.
Points::Seen Points::in_order(std::vector<Lying> found) {
  auto by_name = [](const Lying& one, const Lying& other) { return one.known.name < other.known.name; };
  if (!std::is_sorted(found.begin(), found.end(), by_name)) std::stable_sort(found.begin(), found.end(), by_name);
  // Several keys with one text are ambiguous; the first one is used.
  auto same_name = [](const Lying& one, const Lying& other) { return one.known.name == other.known.name; };
  found.erase(std::unique(found.begin(), found.end(), same_name), found.end());
  number_storages(found);
  Seen seen;
  seen.reserve(found.size());
  for (const auto& [known, storage] : found) seen.push_back(known);
  return seen;
}

void Points::number_storages(std::vector<Lying>& by_name) {
  std::vector<std::pair<std::uintptr_t, std::size_t>> places;  // so that names in one storage are adjacent
  places.reserve(by_name.size());
  for (std::size_t i = 0; i < by_name.size(); ++i)
    if (by_name[i].storage != 0) places.emplace_back(by_name[i].storage, i);
  std::sort(places.begin(), places.end());
  std::vector<int> sharers;
  for (std::size_t first = 0, past = 0; first < places.size(); first = past) {
    sharers.clear();
    for (past = first; past < places.size() && places[past].first == places[first].first; ++past)
      sharers.push_back(by_name[places[past].second].known.name);
    const int number = number_of(sharers);
    for (std::size_t i = first; i < past; ++i) by_name[places[i].second].known.storage = number;
  }
}

// A name that shares with none has its own number; sets of names have numbers far above those.
int Points::number_of(const std::vector<int>& sharers) {
  if (sharers.size() == 1) return sharers.front();
  return companies_.try_emplace(sharers, kAboveNames + static_cast<int>(companies_.size())).first->second;
}

// The ranks of names by their texts, so that the packed form doesn't depend on where a name was first seen.
std::vector<int> Points::ranks() const {
  std::vector<int> order(names_.size());
  std::iota(order.begin(), order.end(), 0);
  auto name = [this](int number) -> const std::string& { return names_[static_cast<std::size_t>(number)]; };
  std::sort(order.begin(), order.end(), [&](int one, int other) { return name(one) < name(other); });
  std::vector<int> ranks(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    ranks[static_cast<std::size_t>(order[rank])] = static_cast<int>(rank);
  return ranks;
}

Points::Seen Points::ranked(const Seen& seen, const std::vector<int>& ranks) const {
  Seen by_rank = seen;
  for (Known& known : by_rank) known.name = ranks[static_cast<std::size_t>(known.name)];
  std::sort(by_rank.begin(), by_rank.end(), [](const Known& one, const Known& other) { return one.name < other.name; });
  std::vector<int> firsts(names_.size() + companies_.size(), -1);  // by storage: the first name that uses it
  for (Known& known : by_rank) {
    if (known.storage < 0) continue;
    const bool is_company = known.storage >= kAboveNames;
    const auto storage = static_cast<std::size_t>(is_company ? known.storage - kAboveNames : known.storage);
    int& first = firsts[is_company ? names_.size() + storage : storage];
    if (first < 0) first = known.name;
    known.storage = first;
  }
  return by_rank;
}

py::bytes Points::packed(std::int64_t calls) const {
  PackedFacts facts;
  facts.calls = calls;
  const std::vector<int> rank_of = ranks();
  facts.names.resize(names_.size());
  for (std::size_t i = 0; i < names_.size(); ++i) facts.names[static_cast<std::size_t>(rank_of[i])] = names_[i];
  Renumbered<int> entries;
  Renumbered<PackedFacts::Item> items;
  Seen former;
  for (const Point& point : points_) {
    if (!point.seen) continue;
    const auto number = static_cast<std::int32_t>(facts.points.size());
    if (point.before) facts.before.emplace_back(*point.before, number);
    if (point.before) facts.visits.emplace_back(*point.before, point.visits);
    if (point.behind) facts.after.emplace_back(*point.behind, number);
    std::vector<std::int32_t>& edits = facts.points.emplace_back();
    Seen now = ranked(*point.seen, rank_of);
    auto gone = [&](int name) { edits.push_back(~name); };
    auto put = [&](const Known& known) { edits.push_back(items[{known.name, entries[known.entry], known.storage}]); };
    differences(former, now, gone, put);
    former = std::move(now);
  }
  for (auto* placed : {&facts.before, &facts.after}) std::sort(placed->begin(), placed->end());
  facts.items = std::move(items.order);
  for (int entry : entries.order) facts.table.push_back(table_[entry]);
  return pack(facts);
}

}  // namespace jp::pyrunner
