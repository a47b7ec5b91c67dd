#include "mutate/material/norm_calls.h"

#include <utility>

#include "mutate/calls/module_calls.h"
#include "mutate/facts/expression_facts.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

std::vector<NormCall> norm_calls(const Parsed& parsed, const Statement& statement) {
  std::vector<NormCall> found;
  if (!insertion_point(parsed, statement)) return found;
  for (auto& [call, module] : module_operator_calls(parsed, statement, "LayerNorm", "layer_norm")) {
    // With one argument, a size, eps is 1e-5.
    const auto made = module.made.given();
    const auto given = module.call.given();
    if (!made || made->size() != 1 || !given || given->size() != 1 || !given->front().keyword.empty()) continue;
    const Node input = given->front().node;
    if (call.comes_first() && is_known_expression(input))
      found.push_back({std::move(call), input, std::string(module.call.function.text())});
  }
  return found;
}

bool has_weight_of_one_axis(const Facts& facts, const NormCall& norm) {
  const std::size_t dot = norm.module.find('.');
  const NameFacts* weight =
      part_before(facts, *norm.call.statement, norm.module.substr(0, dot), norm.module.substr(dot + 1) + ".weight");
  return weight && weight->shape && weight->shape->size() == 1;
}

}  // namespace jp::mutate
