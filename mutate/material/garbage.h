// Garbage: tensors that are added to a live result after a multiplication by zero, or that a test discards.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/engine/mutation.h"
#include "mutate/material/zeros.h"

namespace jp::mutate {

/// A tensor of the target's dtype that broadcasts to its shape, computed from live values by a convolution, a dense
/// layer, add, sub or mul, with or without a path for gradients. Its elements are finite and bounded, far enough from
/// overflow that gradients times zero are zero. Nothing if none can be made.
std::optional<BoundedExpression> draw_garbage(const Point& point, const LiveTensor& target, Choices& choices);

/// The product of garbage and a zero, in either order. `zero` draws a zero of the target's dtype that is exact: see
/// material/zeros.h and material/profiled.h.
using DrawZero = std::optional<BoundedExpression> (*)(const Point&, const LiveTensor&, Choices&);
std::optional<BoundedExpression> draw_product(const Point& point, const LiveTensor& target, DrawZero zero,
                                              Choices& choices);

/// How a target changes: an expression is added to it, or replaces it.
struct Changed {
  BoundedExpression made;
  bool added = true;
};

/// A mutation that changes a live result directly after the statement that binds it, or a tensor where a statement
/// reads it. Site path: "" binds the name again, "in_place" writes in place, "read2" changes the third name that the
/// statement reads; reads are sites of statements after which the name can't be bound again.
class GarbageMutation : public Mutation {
 public:
  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override;
  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override;
  /// `v3 = v3 + 0`, `v3 += 0`.
  std::optional<Step> as_constant(const Step& step) const override;

 protected:
  using Mutation::Mutation;

 private:
  /// A change that leaves the target's elements as they are, except for rounding and signs of zeros; nothing if the
  /// draw doesn't fit.
  virtual std::optional<Changed> draw(const Point& point, const LiveTensor& target, Choices& choices) const = 0;
  /// The same for a target that has_any_shape().
  virtual Changed draw_any_shape(const std::string& torch, const LiveTensor& target, Choices& choices) const = 0;
  std::optional<NamedText> draw_line(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                     bool in_place, Choices& choices) const;
  EditSet rewrite_read(const Parsed& parsed, const Facts& facts, const Statement& statement, std::string_view path,
                       Choices& choices, int step_number) const;
  std::optional<NamedText> draw_read(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                     const Node& node, Choices& choices) const;
};

}  // namespace jp::mutate
