// Inputs of calls that nothing but what was recorded is known of: live values that are like it, or its own text.
#include <algorithm>

#include "seedgen/draft.h"

namespace jp::seedgen {

std::optional<Value> Draft::live_input(const Want& want) {
  if (!choices_.chance(reuse_, 1000)) return std::nullopt;
  std::vector<int> fitting;
  for (const Value& value : graph_.values)
    if (fits(value, want)) fitting.push_back(value.id);
  if (fitting.empty()) return std::nullopt;
  return live(fitting[choices_.below(fitting.size())]);
}

bool Draft::has_live(const Want& want) const {
  return std::any_of(graph_.values.begin(), graph_.values.end(), [&](const Value& value) { return fits(value, want); });
}

Value Draft::given_argument(Value argument, std::string text) {
  argument.input = true;
  argument.requires_grad = false;
  argument.exact = true;
  argument.storage = new_storage({.argument = true, .leaf = false, .values = 1});
  argument.id = static_cast<int>(graph_.values.size());
  // Views of contiguous arguments may be arguments too.
  graph_.inputs.push_back({.value = argument.id,
                           .interval = argument.interval,
                           .layout = is_contiguous(argument) ? Layout::kContiguous : Layout::kStepped,
                           .text = std::move(text)});
  graph_.values.push_back(argument);
  read_.push_back(false);
  add_motion(argument, Motion::kMoves);
  return argument;
}

}  // namespace jp::seedgen
