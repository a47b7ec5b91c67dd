// Inputs of calls that nothing but what was recorded is known of: live values that are like it, or its own text.
#include <algorithm>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

std::optional<Value> Draft::live_input(const Want& want) {
  if (!choices_.chance(reuse_, 1000)) return std::nullopt;
  find_fitting(want, candidates_);
  if (candidates_.empty()) return std::nullopt;
  return live(candidates_.at(choices_.below(candidates_.count())));
}

bool Draft::has_live(const Want& want) {
  ValueSet found;
  find_fitting(want, found);
  return !found.empty();
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
  add_known(argument, InputSensitivity::kDependent);
  return argument;
}

}  // namespace jp::seedgen
