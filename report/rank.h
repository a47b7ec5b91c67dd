// The order in which a person should look at findings: each next one as unlike all before it as can be, so that the
// first few show most of the bugs. Furthest-point-first after Chen and others, "Taming compiler fuzzers" (2013).
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace jp::report {

/// What a finding is ranked by.
struct Traits {
  /// 0 is worst; the worst of all comes first, and the worse one where two are as far from those before.
  int severity = 0;
  /// Parts of its signature, mutations, operators.
  std::set<std::string> features;
};

/// The Jaccard distance: the share of all features of two findings that only one has. 0 for equal sets (two empty ones
/// too), 1 for sets with nothing in common.
double distance(const std::set<std::string>& one, const std::set<std::string>& other);

/// Indices into `findings` in the order to look at, each once; of two that nothing tells apart the earlier one first.
/// Quadratic in their number.
std::vector<std::size_t> furthest_first(const std::vector<Traits>& findings);

}  // namespace jp::report
