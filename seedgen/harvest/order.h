// In which order harvested calls are run: those first that tell most
// (docs/decisions/0006-order-by-dispatched-calls.md), as OPERA does it, and the orders that these are compared with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "seedgen/harvest/instance.h"

namespace jp::seedgen {

/// How often each operator is called.
using CallCounts = std::map<std::string, std::uint64_t, std::less<>>;

enum class OrderBy : std::uint8_t {
  kDispatched,  // ATen operators, and traits of their parameters, that its program newly dispatches to
  kOpera,       // signature part times parameter part
  kSignature,   // calls of the operator in what was harvested, against one more than those in the compiler's own tests
  kParameter,   // share of the call's parameters and pairs of parameters that cover a new value class
  kTotal,       // parameters and pairs that it covers, new or not
  kAdditional,  // parameters and pairs that it newly covers
  kRandom,
};

std::string_view order_name(OrderBy by);
std::optional<OrderBy> order_of(std::string_view name);
const std::vector<OrderBy>& all_orders();

struct OrderInput {
  std::vector<Instance> instances;
  std::vector<DispatchedCall> dispatched;  // each once
  CallCounts library;   // calls in the library's tests, before equal ones were dropped; at least one is assumed
  CallCounts compiler;  // calls in the compiler's tests; none of an operator that is missing
};

/// The places of the instances in the order in which to run them: each once. Where what is new decides, scores are
/// renewed whenever an instance is taken; once nothing is new any more, all that was covered is forgotten and the rest
/// is ordered in the same way. What is equal stays in the order of the instances. Only kRandom draws.
std::vector<std::size_t> order(const OrderInput& input, OrderBy by, Choices& choices);

}  // namespace jp::seedgen
