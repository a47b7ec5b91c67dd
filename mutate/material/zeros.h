// Expressions with a known value: tensors that are zero for all finite elements, and Python integers that are zero or
// one by a tensor's shape. Zeros that hold only on this input are in profiled.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "mutate/facts/live.h"
#include "mutate/names/scopes.h"

namespace jp::mutate {

/// An expression, the names that it reads, and the largest magnitude that its elements may have.
struct BoundedExpression {
  std::string text;
  NameSet names;
  double most = 0;
};

/// A text and the names that it reads, as they are recorded.
struct NamedText {
  std::vector<std::string> names;
  std::string text;

  auto fields() { return std::tie(names, text); }
  /// All its names can be read at the statement.
  bool readable(const Parsed& parsed, const Statement& statement) const;
};
NamedText named_text(const NameSet& names, std::string text);

/// The live tensors at a point of the program, from which expressions are made.
struct Point {
  std::string torch;
  std::vector<LiveTensor> live;
  /// Names of tensors that hold an argument of the entry to which nothing has been written.
  NameSet given = {};
  /// By name: how far moved roundings move the tensor (facts/spread.h), where it is known.
  std::map<std::string, double, std::less<>> spread = {};
  /// By name: what draws an unchanged argument again (constants.h).
  std::map<std::string, std::string, std::less<>> redrawn = {};
  /// Names that may be read without `.detach()` in what is added to the target. Only of point_after().
  NameSet attachable = {};
};

/// The point before a statement.
Point point_before(const Parsed& parsed, const Facts& facts, const Statement& statement);
/// The point after a statement, including the tensor that it binds.
Point point_after(const Parsed& parsed, const Facts& facts, const Statement& statement, const LiveTensor& target);

/// The tensor's text without a path for gradients: "v0" if it doesn't require grad, otherwise "v0.detach()".
std::string detached(const LiveTensor& tensor);

/// The same, or without `.detach()` in one of two draws where gradients may flow.
std::string operand(const Point& point, const LiveTensor& tensor, Choices& choices);

/// A tensor of the target's dtype that is +0 or -0 for all finite operands up to 1e4 in magnitude, however intermediate
/// results are rounded. Its gradients are zero.
std::optional<BoundedExpression> draw_universal_zero(const Point& point, const LiveTensor& target, Choices& choices);
/// A Python integer that is zero: "v0.dim() - 2", "v0.shape[1] - 4", "v1.numel() - 12".
std::optional<BoundedExpression> draw_integer_zero(const Point& point, Choices& choices);

/// A Python integer that is one: "v0.dim() - 1", "v0.shape[1] // 4".
std::optional<BoundedExpression> draw_integer_one(const Point& point, Choices& choices);

}  // namespace jp::mutate
