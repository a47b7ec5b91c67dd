#include "pyrunner/worker/points.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "pyrunner/worker/convert.h"

namespace py = pybind11;

namespace jp::pyrunner {
namespace {

// Beyond this a point's facts are given up, so that a long loop ends in time.
constexpr std::int64_t kMostVisits = 1000;

bool is_shown(const std::string& name, py::handle value) {
  return !name.starts_with("__") && !name.starts_with(".") && !PyModule_Check(value.ptr());
}

// Of attributes too, and of code inside.
void add_names(py::handle code, std::set<std::string>& names) {
  for (py::handle name : py::tuple(code.attr("co_names"))) names.insert(text_of(name));
  for (py::handle constant : py::tuple(code.attr("co_consts")))
    if (PyCode_Check(constant.ptr())) add_names(constant, names);
}

// The hook is no frame of Python's: the running one is its caller's.
py::object running_frame() {
  PyFrameObject* frame = PyEval_GetFrame();
  if (frame == nullptr) throw py::value_error("no frame");
  return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(frame));
}

// Inside, torch's function modes and the __torch_function__ of subclasses are off.
class FunctionModeOff {
 public:
  FunctionModeOff() : guard_(TorchNames::get().function_mode_off()) { guard_.attr("__enter__")(); }
  ~FunctionModeOff() {
    py::error_scope kept;
    try {
      guard_.attr("__exit__")(py::none(), py::none(), py::none());
    } catch (const py::error_already_set&) {  // it can't be told from a destructor, and never was seen
    }
  }
  FunctionModeOff(const FunctionModeOff&) = delete;
  FunctionModeOff& operator=(const FunctionModeOff&) = delete;

 private:
  py::object guard_;
};

// The form of protocol.h.
Json wire(const NameFacts& facts) {
  Json json = {{"kind", facts.kind}};
  auto put = [&json](const char* name, const auto& field) {
    if (field) json.emplace(name, *field);
  };
  put("literal", facts.literal);
  put("length", facts.length);
  if (facts.dtype) json["dtype"] = dtype_name(*facts.dtype);
  put("shape", facts.shape);
  put("strides", facts.strides);
  put("offset", facts.offset);
  put("requires_grad", facts.requires_grad);
  put("is_leaf", facts.is_leaf);
  put("overlaps_itself", facts.overlaps_itself);
  put("minimum", facts.minimum);
  put("maximum", facts.maximum);
  if (facts.elements.empty()) return json;
  std::vector<std::uint8_t> values;
  std::vector<std::int64_t> positions;
  for (const auto& [position, value] : facts.elements) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    values.insert(values.end(), bytes, bytes + sizeof(value));
    positions.push_back(position);
  }
  const std::size_t count = facts.elements.size();
  const bool whole = facts.elements.nth(count - 1).first == static_cast<std::int64_t>(count) - 1;
  if (!whole) json.emplace("positions", std::move(positions));
  json.emplace("values", Json::binary(std::move(values)));
  return json;
}

// Numbers in the order in which they are first asked for.
class Renumbered {
 public:
  int operator[](int number) {
    auto [place, is_new] = numbers_.try_emplace(number, static_cast<int>(order.size()));
    if (is_new) order.push_back(number);
    return place->second;
  }
  std::vector<int> order;

 private:
  std::map<int, int> numbers_;
};

}  // namespace

int Points::add(std::optional<std::string> behind, std::optional<std::string> before) {
  points_.push_back({std::move(behind), std::move(before), 0, std::nullopt});
  return static_cast<int>(points_.size()) - 1;
}

void Points::hook(int number) {
  Point& point = points_.at(static_cast<std::size_t>(number));
  if (++point.visits > kMostVisits) point.seen = Seen();
  if (point.seen && point.seen->empty()) return;
  try {
    Seen seen = look();
    // What was looked at may have been the program's own code, which may have come by here.
    Point& now = points_[static_cast<std::size_t>(number)];
    now.seen = now.seen ? merged(*now.seen, seen) : std::move(seen);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    points_[static_cast<std::size_t>(number)].seen = Seen();
  } catch (const std::exception&) {
    points_[static_cast<std::size_t>(number)].seen = Seen();
  }
}

const std::vector<py::str>& Points::names_in(py::handle code) {
  auto known = codes_.find(code.ptr());
  if (known == codes_.end()) {
    std::set<std::string> names;
    add_names(code, names);
    known =
        codes_.emplace(code.ptr(), Code{py::reinterpret_borrow<py::object>(code), {names.begin(), names.end()}}).first;
  }
  return known->second.names;
}

std::vector<Points::Live> Points::live_names() {
  py::object frame = running_frame();
  // The attribute, not PyEval_GetLocals: that one goes on showing what was deleted, from Python 3.13 on.
  py::object own = frame.attr("f_locals");
  auto shared = py::reinterpret_borrow<py::dict>(frame.attr("f_globals"));
  py::dict locals = PyDict_Check(own.ptr()) ? py::reinterpret_borrow<py::dict>(own) : py::dict(own);
  std::vector<Live> live;
  auto enter = [&live](py::handle key, py::handle value) {
    std::string name = text_of(key);
    if (is_shown(name, value)) live.push_back({std::move(name), py::reinterpret_borrow<py::object>(value)});
  };
  for (auto [key, value] : locals) enter(key, value);
  if (!own.is(shared)) {
    for (const py::str& key : names_in(frame.attr("f_code"))) {
      PyObject* value = PyDict_GetItem(shared.ptr(), key.ptr());
      if (value != nullptr && PyDict_Contains(locals.ptr(), key.ptr()) == 0) enter(key, value);
    }
  }
  std::sort(live.begin(), live.end(), [](const Live& one, const Live& other) { return one.name < other.name; });
  return live;
}

int Points::number_of(const std::string& name) {
  auto [place, is_new] = numbers_.try_emplace(name, static_cast<int>(names_.size()));
  if (is_new) names_.push_back(name);
  return place->second;
}

Points::Seen Points::look() {
  const TorchNames& torch = TorchNames::get();
  std::vector<Live> live = live_names();
  FunctionModeOff off;
  Seen seen;
  std::set<std::string> inner;
  std::vector<std::uintptr_t> storages;
  auto enter_tensor = [&](const std::string& name, py::handle tensor) {
    const FactTable::Known known = table_.tensor(tensor);
    int storage = -1;
    if (known.storage != 0) {
      auto found = std::find(storages.begin(), storages.end(), known.storage);
      storage = static_cast<int>(found - storages.begin());
      if (found == storages.end()) storages.push_back(known.storage);
    }
    seen.push_back({number_of(name), known.entry, storage});
  };
  for (const auto& [name, value] : live) {
    if (torch.is_tensor(value)) {
      enter_tensor(name, value);
      continue;
    }
    seen.push_back({number_of(name), table_.other(value), -1});
    py::object inside = table_.tensors_in(value);
    if (inside.is_none()) continue;
    for (py::handle one : py::reinterpret_borrow<py::list>(inside)) {
      py::tuple pair = py::reinterpret_borrow<py::tuple>(one);
      std::string whole = name + text_of(pair[0]);
      // Keys of one text: which is meant can't be said, the first stands for them.
      if (inner.insert(whole).second) enter_tensor(whole, pair[1]);
    }
  }
  return seen;
}

Points::Seen Points::merged(const Seen& old, const Seen& now) {
  if (old == now) return old;
  std::unordered_map<int, const Known*> others;
  for (const Known& known : now) others.emplace(known.name, &known);
  Seen both;
  for (const Known& known : old) {
    auto found = others.find(known.name);
    if (found == others.end()) continue;
    const Known& other = *found->second;
    const int entry = known.entry == other.entry ? known.entry : table_.merged(known.entry, other.entry);
    both.push_back({known.name, entry, known.storage == other.storage ? known.storage : -1});
  }
  return both;
}

py::bytes Points::packed(std::int64_t calls) const {
  Json all = {{"points", Json::array()},
              {"before", Json::object()},
              {"after", Json::object()},
              {"visits", Json::object()},
              {"calls", calls}};
  Renumbered names;
  Renumbered entries;
  for (const Point& point : points_) {
    if (!point.seen) continue;
    const std::size_t number = all["points"].size();
    if (point.before) all["before"][*point.before] = number;
    if (point.before) all["visits"][*point.before] = point.visits;
    if (point.behind) all["after"][*point.behind] = number;
    std::vector<std::int32_t> numbers;
    for (const Known& known : *point.seen) {
      numbers.push_back(names[known.name]);
      numbers.push_back(entries[known.entry]);
      numbers.push_back(known.storage);
    }
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers.data());
    all["points"].push_back(Json::binary({bytes, bytes + numbers.size() * sizeof(std::int32_t)}));
  }
  Json& named = all["names"] = Json::array();
  for (int name : names.order) named.push_back(names_[static_cast<std::size_t>(name)]);
  Json& table = all["table"] = Json::array();
  for (int entry : entries.order) table.push_back(wire(table_[entry]));
  std::string bytes;
  Json::to_msgpack(all, bytes);
  return bytes;
}

}  // namespace jp::pyrunner
