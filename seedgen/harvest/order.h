// The order in which harvested calls are run: the most informative first
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
  kDispatched,  // ATen operators, and traits of their parameters, that its program is the first to dispatch to
  kOpera,       // signature part times parameter part
  kSignature,   // calls of the operator in what was harvested, against one more than those in the compiler's own tests
  kParameter,   // fraction of the call's parameters and pairs of parameters that cover a new value class
  kTotal,       // number of parameters and pairs that it covers, new or not
  kAdditional,  // number of parameters and pairs that it newly covers
  kRandom,
};

/// The best by APFD on the bugs of torch 2.13.0 that the operator database shows (docs/harvesting.md has the table, and
/// that of systematic faults, by which kDispatched is).
constexpr OrderBy kDefaultOrder = OrderBy::kAdditional;

std::string_view order_name(OrderBy by);
std::optional<OrderBy> order_of(std::string_view name);
const std::vector<OrderBy>& all_orders();

struct OrderInput {
  std::vector<Instance> instances;
  std::vector<DispatchedCall> dispatched;  // each once
  CallCounts library;   // calls in the library's tests, before duplicates were dropped; at least one is assumed
  CallCounts compiler;  // calls in the compiler's tests; none for an operator that is missing
};

/// Indices of the instances in the order in which to run them, each once. If novelty decides, scores are updated
/// whenever an instance is taken; once nothing is new any more, the covered set is cleared and the rest is ordered in
/// the same way. Equal instances keep their order. Only kRandom draws.
std::vector<std::size_t> order(const OrderInput& input, OrderBy by, Choices& choices);

}  // namespace jp::seedgen
