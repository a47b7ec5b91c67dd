// The order in which a person should look at findings: each next one as unlike all before it as possible, so that the
// first few show most of the bugs. Furthest-point-first after Chen and others, "Taming compiler fuzzers" (2013).
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace jp::report {

/// What a finding is ranked by.
struct Traits {
  /// 0 is worst; the worst of all comes first, and the worse one of two that are equally far from those before.
  int severity = 0;
  /// Parts of its signature, mutations, operators.
  std::set<std::string> features;
};

/// The fraction of all features of two findings that only one has (Jaccard distance): 0 for equal sets, 1 for sets with
/// nothing in common.
double distance(const std::set<std::string>& one, const std::set<std::string>& other);

/// Indices in the order to look at; of two equal ones the earlier first.
std::vector<std::size_t> furthest_first(const std::vector<Traits>& findings);

}  // namespace jp::report
