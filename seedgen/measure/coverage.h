// What generated programs have covered, and the guide that prefers what they have not. After HirGen (2023), which
// defines the first three kinds and suggests paths:
//
//   dtype   (operator, dtype of a result)
//   shape   (operator, shape class of a result): its rank, and whether it has 0, 1, 2 to 7, 8 to 63 or more elements
//   edge    (operator, operator that reads a result of it)
//   path    (operator, operator, operator), each reading a result of the one before
//   broken  (operator, constraint of it that is broken, dtype, shape class) of the value that breaks it, or of the
//           call's first input; for programs that break a constraint, and only those
//
// A guide accepts a drawn call if it adds a feature; else the call is rejected and another is drawn, up to a number of
// retries, after which any call is accepted. Rejected calls are recorded with the seed, so that a guided program is
// reproduced without the guide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/graph.h"
#include "seedgen/constraints/constraint.h"

namespace jp::seedgen {

/// One covered thing, as a number: stable as long as the set of operators is the same.
using Feature = std::uint64_t;

/// "dtype relu float32", "shape relu 2d 8+", "edge relu add", "path relu add sum", "broken add dtype:1:near int8 2d
/// 8+".
std::string feature_name(Feature feature);

/// The feature of a breach in a call of the operator of this number in all_members().
Feature broken_feature(int op, const Breach& breach);

/// A set of features.
class Coverage {
 public:
  /// True if it is new.
  bool add(Feature feature) { return features_.insert(feature).second; }
  bool has(Feature feature) const { return features_.contains(feature); }
  std::size_t size() const { return features_.size(); }

 private:
  std::unordered_set<Feature> features_;
};

/// Finds the features of a graph call by call, in their order.
class FeatureFinder {
 public:
  /// The features of the graph's next call. Valid until the next call of this function.
  const std::vector<Feature>& next(const Graph& graph);
  /// Removes the last call, which was rejected.
  void put_back();

 private:
  std::vector<int> producers_;             // by value: the call that made it, -1 for arguments
  std::vector<int> numbers_;               // by call: its operator
  std::vector<std::vector<int>> sources_;  // by call: the operators that it reads from
  std::vector<Feature> found_;
};

/// All features of a graph, each once, ascending.
std::vector<Feature> coverage_of(const Graph& graph);

/// The parameters of a guided draw.
struct Guide {
  /// What earlier programs have covered.
  const Coverage& known;
  /// How often a call is redrawn.
  int retries = 3;
};

}  // namespace jp::seedgen
