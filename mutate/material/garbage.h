// Garbage: tensors that are added to a live result and that a zero takes away again, or that a test leaves out.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mutate/engine/mutation.h"
#include "mutate/material/zeros.h"

namespace jp::mutate {

/// A tensor of the target's dtype that broadcasts to its shape: by conv, linear, add, sub, mul of what is live. Finite,
/// and its elements bounded.
std::optional<BoundedExpression> draw_garbage(const Point& point, const LiveTensor& target, Choices& choices);

/// The product of garbage and a zero, in either order. `zero` may be multiplied with the garbage: see draw_zero_*.
using DrawZero = std::optional<BoundedExpression> (*)(const Point&, const LiveTensor&, double garbage, Choices&);
std::optional<BoundedExpression> draw_product(const Point& point, const LiveTensor& target, DrawZero zero,
                                              Choices& choices);

/// What becomes of a target: something is added to it, or it is something else.
struct Changed {
  BoundedExpression made;
  bool added = true;
};

/// A mutation that changes a live result right behind the statement that binds it. Site path: "" binds the name anew,
/// "in_place" writes.
class GarbageMutation : public Mutation {
 public:
  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override;
  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override;

 protected:
  using Mutation::Mutation;

 private:
  /// Something that leaves the target as it is but for rounding and signs of zeros; nothing when the dice fall badly.
  virtual std::optional<Changed> draw(const Point& point, const LiveTensor& target, Choices& choices) const = 0;
  std::string draw_line(const Parsed& parsed, const Facts& facts, const Statement& statement, bool in_place,
                        Choices& choices) const;
};

}  // namespace jp::mutate
