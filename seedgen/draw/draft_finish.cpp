// Going back to an earlier state of a draft, and handing its graph over.
#include "seedgen/draw/draft.h"

namespace jp::seedgen {

Draft::State Draft::state() const { return {graph_, storages_, known_}; }

void Draft::restore(State state) {
  graph_ = std::move(state.graph);
  storages_ = std::move(state.storages);
  known_ = std::move(state.known);
}

Graph Draft::finish() {
  std::vector<int> number(graph_.values.size());
  int next = 0;
  for (bool inputs : {true, false})
    for (const Value& value : graph_.values)
      if (value.input == inputs) number[static_cast<std::size_t>(value.id)] = next++;
  auto renumber = [&](int& id) { id = number[static_cast<std::size_t>(id)]; };
  std::vector<Value> values(graph_.values.size());
  for (Value& value : graph_.values) {
    renumber(value.id);
    values[static_cast<std::size_t>(value.id)] = value;
  }
  graph_.values = std::move(values);
  for (Input& input : graph_.inputs) {
    renumber(input.value);
    if (input.base >= 0) renumber(input.base);
  }
  for (Call& call : graph_.calls) {
    for (int& output : call.outputs) renumber(output);
    if (call.written >= 0) renumber(call.written);
    for (Argument& argument : call.arguments) {
      if (auto* one = std::get_if<Ref>(&argument)) renumber(one->value);
      if (auto* several = std::get_if<std::vector<Ref>>(&argument))
        for (Ref& ref : *several) renumber(ref.value);
    }
  }
  return std::move(graph_);
}

}  // namespace jp::seedgen
