// Expressions whose value is proved: zeros that hold for all finite elements, zeros that hold on this input, and Python
// integers that are zero by a tensor's shape.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "mutate/facts/live.h"
#include "mutate/names/scopes.h"

namespace jp::mutate {

/// An expression, the names that it reads, and the largest magnitude that it may have.
struct BoundedExpression {
  std::string text;
  NameSet names;
  double most = 0;
};

/// A text and the names that it reads, as a note has it.
struct NamedText {
  std::vector<std::string> names;
  std::string text;

  auto fields() { return std::tie(names, text); }
  /// All its names can be read there.
  bool readable(const Parsed& parsed, const Statement& statement) const;
};
NamedText named_text(const NameSet& names, std::string text);

/// Where expressions are made: what is live there.
struct Point {
  std::string torch;
  std::vector<LiveTensor> live;
  /// Names whose elements are those of an argument of the entry that nobody has written to since.
  NameSet given;
};

/// The point before a statement, or behind it.
Point point_before(const Parsed& parsed, const Facts& facts, const Statement& statement);
/// With the tensor that the statement binds.
Point point_after(const Parsed& parsed, const Facts& facts, const Statement& statement, const LiveTensor& target);

/// The tensor's text where no gradient may flow back: "v0", or "v0.detach()".
std::string detached(const LiveTensor& tensor);

/// A tensor that is zero whatever its finite operands are, and may be multiplied with a tensor like `target` of
/// elements up to `garbage`: exact, or with a residue of which 1,000 are still far below torch.testing's default
/// tolerances.
std::optional<BoundedExpression> draw_universal_zero(const Point& point, const LiveTensor& target, double garbage,
                                                     Choices& choices);
/// The same, of what is zero on this input: a tensor, or a Python integer.
std::optional<BoundedExpression> draw_zero_here(const Point& point, const LiveTensor& target, double garbage,
                                                Choices& choices);
/// "v0.dim() - 2", "v0.shape[1] - 4", "v1.numel() - 12".
std::optional<BoundedExpression> draw_integer_zero(const Point& point, Choices& choices);

/// "v0.dim() - 1", "v0.shape[1] // 4": Python integers that are one.
std::optional<BoundedExpression> draw_integer_one(const Point& point, Choices& choices);

}  // namespace jp::mutate
