// Calls of modules nn.LayerNorm that can be written out.
#pragma once

#include <string>
#include <vector>

#include "mutate/calls/operator_call.h"

namespace jp::mutate {

/// A call of a module nn.LayerNorm over its last axis with eps as it is by default, 1e-5, before which its statement
/// calls nothing. Facts must say whether the module has a weight and a bias.
struct NormCall {
  OperatorCall call;
  Node input;          // is_known_expression() holds
  std::string module;  // "self.norm"
};

/// Those of a statement, with paths "module0" and so on.
std::vector<NormCall> norm_calls(const Parsed& parsed, const Statement& statement);

/// The module has a weight of one axis, and so a bias.
bool has_weight_of_one_axis(const Facts& facts, const NormCall& norm);

}  // namespace jp::mutate
