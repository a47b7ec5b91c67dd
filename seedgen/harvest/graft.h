// Harvested calls as operators: what others have called, inside drawn graphs.
//
// What a harvested call was recorded with is known to be fine, and nothing else: an operator that wants a positive
// definite matrix looks like any other. So a call gets new arguments with the recorded elements, and its results have
// the interval that was measured, a little wider. Calls that only move elements were found by trying (graft.py in
// pyrunner/harvest): they take live values of the recorded dtype, shape and strides as well, and their results hold
// those elements. Either way the results are values like all others.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// A tensor as it was recorded: of its elements the least and the largest, of complex ones over both parts.
struct HarvestedTensor {
  Dtype dtype = Dtype::kFloat32;
  Shape shape;
  Strides strides;
  Interval interval;
  bool overlaps_itself = false;
};

struct HarvestedArgument {
  HarvestedTensor tensor;
  /// The expression in make_inputs that gives it.
  std::string text;
  /// Any elements of at most Graft::bound do.
  bool free = false;
};

struct HarvestedResult {
  HarvestedTensor tensor;
  /// The argument whose memory it shares; -1: none.
  int of = -1;
};

/// One call.
struct HarvestedOperator {
  std::string op;
  /// "torch.cat([$0, $1])": a form of Call.
  std::string text;
  std::vector<HarvestedArgument> arguments;
  std::vector<HarvestedResult> results;
  /// It gives a tuple or list, be it of one.
  bool several = false;
  double bound = 0;
  /// The results require gradients whichever free argument does.
  bool gradients = false;
};

/// What keeps a call out of graphs, "" for nothing: too many or too large tensors, elements out of range, numbers of
/// arguments that don't exist.
std::string fault_of(const HarvestedOperator& harvested);

/// The calls of a harvest. Each has no fault. Graphs that were drawn with it may outlive it.
class HarvestedOperators {
 public:
  /// `folder` and `sha256` name the harvest in lineages. At least one call.
  HarvestedOperators(std::vector<HarvestedOperator> harvested, std::string folder, std::string sha256);

  /// Draws an operator evenly, then one of its calls, and records it.
  void draw(Draft& draft) const;

  const std::string& folder() const { return folder_; }
  const std::string& sha256() const { return sha256_; }
  std::size_t operators() const { return harvested_.size(); }

 private:
  std::vector<std::vector<HarvestedOperator>> harvested_;  // by operator, in the order of the names
  std::string folder_;
  std::string sha256_;
};

}  // namespace jp::seedgen
