// Harvested calls as operators: recorded calls of other code, inside drawn graphs.
//
// A harvested call is known to be valid for the arguments with which it was recorded, and for nothing else: an operator
// that requires a positive definite matrix looks like any other. Therefore a call gets new arguments with the recorded
// elements, and its results have the measured interval, slightly widened. Two kinds of calls accept live values of the
// recorded dtype, shape and strides as well. Those that only move elements were identified by experiment
// (as_operator.py in pyrunner/harvest); their results contain those elements. Of others it is known where their results
// lie if their arguments lie in given intervals (bounds.py there). In all cases the results are values like all others.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/functions_named.h"
#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// A tensor as it was recorded: of its elements the least and the largest, of complex ones over both parts.
struct HarvestedTensor : BasicTensorType<Ints> {
  Interval interval;
  bool overlaps_itself = false;
};

struct HarvestedArgument {
  HarvestedTensor tensor;
  /// The expression in make_inputs that makes it.
  std::string text;
  /// Any elements are valid: of at most `bound`, or within the widest level of the call.
  bool free = false;
};

struct HarvestedResult {
  HarvestedTensor tensor;
  /// The argument whose memory it shares; -1: none.
  int of = -1;
};

/// Where the results lie if the free arguments lie in these intervals.
struct HarvestedLevel {
  std::vector<Interval> arguments;  // each; of one that is not free, its recorded elements
  std::vector<Interval> results;
};

/// One call.
struct HarvestedOperator {
  std::string op;
  /// "torch.cat([$0, $1])": a form of Call.
  std::string text;
  std::vector<HarvestedArgument> arguments;
  std::vector<HarvestedResult> results;
  /// It returns a tuple or list, possibly of one item.
  bool several = false;
  double bound = 0;
  /// The results require gradients whichever free argument does.
  bool gradients = false;
  /// From the widest to the narrowest; none for a call that only moves elements, or has no free argument.
  std::vector<HarvestedLevel> levels = {};
  /// It is discontinuous: free arguments accept exact values only (see Want::exact).
  bool exact = false;
};

/// Why a call can't be part of graphs, "" if it can: too many or too large tensors, elements out of range, numbers of
/// arguments that don't exist.
std::string fault_of(const HarvestedOperator& harvested);

/// The calls of a harvest. Each has no fault. Graphs that were drawn with it may outlive it.
class HarvestedOperators {
 public:
  /// `folder` and `sha256` name the harvest in lineages. At least one call.
  HarvestedOperators(std::vector<HarvestedOperator> harvested, std::string folder, std::string sha256);

  /// Draws an operator uniformly, then one of its calls, and records it.
  void draw(Draft& draft) const;

  /// Those whose text names none of these functions; null if that leaves none.
  std::shared_ptr<const HarvestedOperators> without(const MissingFunctions& missing) const;

  const std::string& folder() const { return folder_; }
  const std::string& sha256() const { return sha256_; }
  std::size_t operators() const { return harvested_.size(); }

 private:
  std::vector<std::vector<HarvestedOperator>> harvested_;  // by operator, in the order of the names
  std::string folder_;
  std::string sha256_;
};

}  // namespace jp::seedgen
