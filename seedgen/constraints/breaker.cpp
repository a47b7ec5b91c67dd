#include "seedgen/constraints/breaker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "seedgen/constraints/call_breaches.h"
#include "seedgen/constraints/input_breaches.h"

namespace jp::seedgen {
namespace {

// Written for a dimension to find it again in the call: no operator writes that number.
constexpr std::int64_t kMarked = 7777;
// How far outside the dimensions of an input a far one is.
constexpr std::int64_t kFarDims = 64;

// An input as it was asked for.
struct Asked {
  int id = -1;
  std::optional<Dtype> only;   // the dtype, if only one was wanted
  std::optional<Shape> exact;  // the shape, if only one was wanted
  std::vector<Breach> breaches;
};

struct DrawnDim {
  int rank = 0;
  Dim drawn;
  std::optional<Dim> beside;
};

std::optional<Dtype> only_one(DtypeSet dtypes) {
  std::optional<Dtype> found;
  for (Dtype dtype : all_dtypes()) {
    if (!dtypes.has(dtype)) continue;
    if (found) return std::nullopt;
    found = dtype;
  }
  return found;
}

/// Notes what a call asks for. One of its dimensions may be marked.
class Notes final : public CallObserver {
 public:
  Notes(Draft& draft, int marked, bool breaches) : draft_(draft), marked_(marked), breaches_(breaches) {}

  void took(const Want& want, const Value& taken) override {
    Asked one{.id = taken.id, .only = only_one(want.dtypes), .exact = {}, .breaches = {}};
    if (want.shape.exact() != nullptr) one.exact = *want.shape.exact();
    if (breaches_) one.breaches = input_breaches(want, taken, draft_.graph().values);
    asked.push_back(std::move(one));
  }

  std::int64_t written(int rank, Dim drawn, const Dim* beside) override {
    const bool marks = static_cast<int>(dims.size()) == marked_;
    dims.push_back({rank, drawn, beside != nullptr ? std::optional(*beside) : std::nullopt});
    return marks ? kMarked : drawn.written;
  }

  std::vector<Asked> asked;
  std::vector<DrawnDim> dims;

 private:
  Draft& draft_;
  int marked_;
  bool breaches_;
};

/// Draws the member's next call once, and goes back when it is destroyed unless it is kept.
class Trial {
 public:
  Trial(Draft& draft, const Member& member, int marked, bool breaches)
      : notes(draft, marked, breaches), draft_(draft), before_(draft.state()), choices_(draft.choices()) {
    draft.observe(&notes);
    member.family->draw(draft, member.index);
    draft.observe(nullptr);
  }
  ~Trial() {
    if (kept_) return;
    draft_.observe(nullptr);
    draft_.restore(std::move(before_));
    draft_.choices() = std::move(choices_);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  Call& call() { return draft_.graph().calls.back(); }
  void keep() { kept_ = true; }

  Notes notes;

 private:
  Draft& draft_;
  Draft::State before_;
  Choices choices_;
  bool kept_ = false;
};

std::size_t times_read(const Call& call, int id) {
  std::size_t times = 0;
  for_each_operand(call, [&](int operand) { times += operand == id ? 1 : 0; });
  return times;
}

// Whether the input can be told apart in the call: it is there, and not for several inputs.
bool is_found(const Call& call, const std::vector<Asked>& asked, std::size_t at) {
  const auto same = std::count_if(asked.begin(), asked.end(), [&](const Asked& one) { return one.id == asked[at].id; });
  return same == 1 && times_read(call, asked[at].id) > 0;
}

bool reads(const Argument& argument, int id) {
  if (const auto* one = std::get_if<Ref>(&argument)) return one->value == id;
  const auto* several = std::get_if<std::vector<Ref>>(&argument);
  return several != nullptr && std::any_of(several->begin(), several->end(), [&](Ref ref) { return ref.value == id; });
}

// What is passed as `out=` has the type of the result, whatever the other operands become.
bool is_out(const Call& call, int id) { return call.out && reads(call.arguments.back(), id); }

std::string_view parameter_of_input(const Call& call, int id) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (reads(call.arguments[i], id)) return parameter_of(call, i);
  return "";
}

void add_inputs(Trial& trial, std::vector<Breach>& breaches) {
  const std::vector<Asked>& asked = trial.notes.asked;
  for (std::size_t i = 0; i < asked.size() && i < static_cast<std::size_t>(kMostPlaces); ++i) {
    if (!is_found(trial.call(), asked, i)) continue;
    const std::string_view parameter = parameter_of_input(trial.call(), asked[i].id);
    for (Breach breach : asked[i].breaches) {
      breach.place = static_cast<int>(i);
      breach.parameter = parameter;
      breaches.push_back(std::move(breach));
    }
  }
}

// Each mark in the text becomes the number.
std::string unmarked(std::string text, const std::string& number) {
  const std::string mark = std::to_string(kMarked);
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + number.size()))
    text.replace(at, mark.size(), number);
  return text;
}

bool unmark(Argument& argument, std::int64_t number) {
  bool found = false;
  if (auto* one = std::get_if<std::int64_t>(&argument); one != nullptr && *one == kMarked) {
    *one = number;
    found = true;
  } else if (auto* items = std::get_if<Ints>(&argument)) {
    for (std::int64_t& item : *items)
      if (item == kMarked) item = number, found = true;
  } else if (auto* text = std::get_if<std::string>(&argument)) {
    std::string plain = unmarked(*text, std::to_string(number));
    found = plain != *text;
    *text = std::move(plain);
  }
  return found;
}

// Writes the number in place of the mark, and says in which argument; nothing if the call has no mark.
std::optional<std::size_t> unmark(Call& call, std::int64_t number) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (unmark(call.arguments[i], number)) found = i;
  return found;
}

void add_dim(const DrawnDim& dim, int at, std::vector<Breach>& breaches) {
  auto add = [&](Constraint constraint, bool far, std::int64_t number) {
    Breach& breach = breaches.emplace_back();
    breach.constraint = constraint;
    breach.place = at;
    breach.far = far;
    breach.written = number;
  };
  for (std::int64_t beyond : {std::int64_t{0}, kFarDims}) {
    add(Constraint::kDim, beyond > 0, dim.rank + beyond);
    add(Constraint::kDim, beyond > 0, -dim.rank - 1 - beyond);
  }
  if (!dim.beside) return;
  const std::int64_t front = dim.beside->at;
  const bool negative = dim.beside->written < 0;
  add(Constraint::kOtherDim, false, negative ? front - dim.rank : front);
  add(Constraint::kOtherDim, true, negative ? front : front - dim.rank);
}

void replace_operand(Call& call, int id, int by) {
  for (Argument& argument : call.arguments) {
    if (auto* one = std::get_if<Ref>(&argument); one != nullptr && one->value == id) one->value = by;
    if (auto* several = std::get_if<std::vector<Ref>>(&argument))
      for (Ref& ref : *several)
        if (ref.value == id) ref.value = by;
  }
  if (call.written == id) call.written = by;
}

// Whether the value is an argument that only the last call reads, so that it can be changed itself.
bool is_own(const Graph& graph, int id) {
  for (const Input& input : graph.inputs)
    if (input.base == id || (input.value == id && input.base >= 0)) return false;
  const auto reads = [&](const Call& one) { return &one != &graph.calls.back() && times_read(one, id) > 0; };
  return graph.values[static_cast<std::size_t>(id)].input &&
         std::none_of(graph.calls.begin(), graph.calls.end(), reads);
}

Input input_of(const GraphValue& value, Layout layout) {
  Input input;
  input.value = value.id;
  input.interval = value.interval;
  input.layout = layout;
  input.requires_grad = value.requires_grad;
  return input;
}

// Puts an argument of the program in the place of an operand.
void put_argument(Graph& graph, Call& call, int id, GraphValue value, Layout layout) {
  value.input = true;
  value.storage = -1;
  if (is_own(graph, id)) {
    value.id = id;
    for (Input& input : graph.inputs)
      if (input.value == id) input = input_of(value, layout);
    graph.values[static_cast<std::size_t>(id)] = value;
    return;
  }
  value.id = static_cast<int>(graph.values.size());
  graph.inputs.push_back(input_of(value, layout));
  graph.values.push_back(value);
  replace_operand(call, id, value.id);
}

// Later inputs of the same dtype or shape by request get that of the broken one too.
void follow(Graph& graph, Call& call, const std::vector<Asked>& asked, const Breach& breach) {
  const GraphValue before = graph.values[static_cast<std::size_t>(asked[static_cast<std::size_t>(breach.place)].id)];
  for (std::size_t i = static_cast<std::size_t>(breach.place) + 1; i < asked.size(); ++i) {
    if (!is_found(call, asked, i) || is_out(call, asked[i].id)) continue;
    GraphValue value = graph.values[static_cast<std::size_t>(asked[i].id)];
    const bool dtype = breach.constraint == Constraint::kDtype && asked[i].only == before.dtype;
    const bool shape = breach.constraint != Constraint::kDtype && asked[i].exact == before.shape;
    if (!dtype && !shape) continue;
    Interval interval = value.interval;
    value = fresh(dtype ? breach.value.dtype : value.dtype, shape ? breach.value.shape : value.shape, interval);
    if (dtype) value.interval = breach.value.interval;
    put_argument(graph, call, asked[i].id, value, Layout::kContiguous);
  }
}

void break_input(Trial& trial, Graph& graph, const Breach& breach) {
  // By value: the graph's calls and values move.
  const std::vector<Asked> asked = trial.notes.asked;
  const int id = asked[static_cast<std::size_t>(breach.place)].id;
  Call call = trial.call();
  if (breach.constraint <= Constraint::kSize) follow(graph, call, asked, breach);
  if (breach.live >= 0)
    replace_operand(call, id, breach.live);
  else
    put_argument(graph, call, id, breach.value, breach.layout);
  graph.calls.back() = std::move(call);
}

void break_argument(Call& call, const Breach& breach) {
  if (breach.constraint == Constraint::kTensor) {
    call.forms = forms_with(call, static_cast<std::size_t>(breach.place));
    call.infix = "";
  }
  call.arguments[static_cast<std::size_t>(breach.place)] = breach.written;
}

bool is_of_dim(Constraint constraint) { return constraint == Constraint::kDim || constraint == Constraint::kOtherDim; }

bool is_of_argument(Constraint constraint) {
  return constraint == Constraint::kTensor || constraint >= Constraint::kLiteral;
}

bool gives_nothing(const Call& call, const Graph& graph) {
  return std::any_of(call.outputs.begin(), call.outputs.end(),
                     [&](int id) { return element_count(graph.values[static_cast<std::size_t>(id)].shape) == 0; });
}

// Breaches of the call itself; coverage counts them by the type of its first input.
void add_arguments(Trial& trial, const Graph& graph, std::vector<Breach>& breaches) {
  GraphValue first;
  if (!trial.notes.asked.empty()) first = graph.values[static_cast<std::size_t>(trial.notes.asked.front().id)];
  std::vector<Breach> added = call_breaches(trial.call(), first);
  if (std::optional<Breach> device = device_breach(trial.call(), graph)) added.push_back(std::move(*device));
  for (std::size_t i = 0; i < trial.notes.dims.size() && i < static_cast<std::size_t>(kMostPlaces); ++i)
    add_dim(trial.notes.dims[i], static_cast<int>(i), added);
  for (Breach& breach : added) {
    breach.value = breach.taken = first;
    breaches.push_back(std::move(breach));
  }
}

// Dimensions stand somewhere in the call, or can't be broken; their own ranges are known.
void keep_found_dims(Draft& draft, const Member& member, std::vector<Breach>& breaches) {
  std::map<int, std::optional<std::size_t>> arguments;  // by dimension
  for (const Breach& breach : breaches) {
    if (!is_of_dim(breach.constraint) || arguments.contains(breach.place)) continue;
    Trial marked(draft, member, breach.place, false);
    arguments[breach.place] = unmark(marked.call(), 0);
  }
  const auto is_dim = [&](int argument) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](const auto& dim) { return dim.second == static_cast<std::size_t>(argument); });
  };
  std::erase_if(breaches, [&](const Breach& breach) {
    if (is_of_dim(breach.constraint)) return !arguments[breach.place].has_value();
    return breach.constraint == Constraint::kRange && is_dim(breach.place);
  });
}

}  // namespace

std::vector<Breach> next_breaches(Draft& draft, const Member& member) {
  std::vector<Breach> breaches;
  {
    Trial trial(draft, member, -1, true);
    add_inputs(trial, breaches);
    add_arguments(trial, draft.graph(), breaches);
    // Where nothing is read, torch doesn't look at indices.
    if (gives_nothing(trial.call(), draft.graph()))
      std::erase_if(breaches, [](const Breach& breach) { return breach.constraint == Constraint::kValues; });
  }
  keep_found_dims(draft, member, breaches);
  return breaches;
}

Interval usual_elements(Dtype dtype) { return is_integral(dtype) ? Interval{0, 1} : Interval{0.25, 0.5}; }

void draw_broken(Draft& draft, const Member& member, const Breach& breach) {
  Trial trial(draft, member, is_of_dim(breach.constraint) ? breach.place : -1, false);
  trial.keep();
  if (is_of_dim(breach.constraint))
    unmark(trial.call(), std::get<std::int64_t>(breach.written));
  else if (is_of_argument(breach.constraint))
    break_argument(trial.call(), breach);
  else
    break_input(trial, draft.graph(), breach);
  trial.call().note =
      fmt::format("breaks a constraint on purpose: {} {}", member.id, breach_name(breach_number(breach)));
}

}  // namespace jp::seedgen
