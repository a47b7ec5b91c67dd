// What generated programs have covered, and the guide that prefers what they have not. After HirGen (2023), whose three
// coverages these are, with paths as it names them for later:
//
//   dtype   (operator, dtype of a result)
//   shape   (operator, shape class of a result): its rank, and whether it has 0, 1, 2 to 7, 8 to 63 or more elements
//   edge    (operator, operator that reads a result of it)
//   path    (operator, operator, operator), each reading a result of the one before
//   broken  (rule that is broken on purpose, dtype, shape class) of the value that it is broken on; of programs that
//           break one, and only of those
//
// A guide lets a drawn call pass when it adds a feature, or has one that is worth repeating; else the call is put back
// and another is drawn, so often at most, then it passes anyway. What was put back is recorded with the seed, so that a
// guided program is made again without the guide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/graph.h"

namespace jp::seedgen {

/// One covered thing, as a number: the same as long as the operators are the same ones.
using Feature = std::uint64_t;

/// "dtype relu float32", "shape relu 2d 8+", "edge relu add", "path relu add sum", "broken dim_twice int8 2d 8+".
std::string feature_name(Feature feature);
/// The feature of a name; nothing where one of its words is unknown by now.
std::optional<Feature> feature_named(std::string_view name);

/// Of the rule of this number in broken_rules(), broken on a value like this.
Feature broken_rule_feature(int rule, const GraphValue& value);

/// A set of features.
class Coverage {
 public:
  /// True when it was not in it.
  bool add(Feature feature) { return features_.insert(feature).second; }
  bool has(Feature feature) const { return features_.contains(feature); }
  std::size_t size() const { return features_.size(); }
  /// All of them, ascending.
  std::vector<Feature> sorted() const;

 private:
  std::unordered_set<Feature> features_;
};

/// Finds the features of a graph call by call, in their order.
class FeatureFinder {
 public:
  /// `paths`: features of three operators too.
  explicit FeatureFinder(bool paths) : paths_(paths) {}

  /// Those of the graph's next call. Good until the next call of this function.
  const std::vector<Feature>& next(const Graph& graph);
  /// The last call was put back.
  void put_back();

 private:
  bool paths_;
  std::vector<int> producers_;             // by value: the call that gave it, -1 for arguments
  std::vector<int> numbers_;               // by call: its operator
  std::vector<std::vector<int>> sources_;  // by call: the operators that it reads from
  std::vector<Feature> found_;
};

/// All features of a graph, each once, ascending.
std::vector<Feature> coverage_of(const Graph& graph, bool paths);

/// What a guided draw goes by.
struct Guide {
  /// What earlier programs have covered.
  const Coverage& known;
  /// Covered, but worth to be met again.
  const Coverage& worth;
  /// Paths count too.
  bool paths = false;
  /// How often a call is drawn again.
  int retries = 3;
};

/// The part of `features` that is new to the guide or worth repeating.
std::size_t gain(const std::vector<Feature>& features, const Guide& guide);

}  // namespace jp::seedgen
