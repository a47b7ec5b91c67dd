// Recorded values as Python expressions, formatted as black does: on one line if it fits, else one item a line with a
// trailing comma each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/observation.h"

namespace jp::report {

/// The width that torch's own sources keep to.
inline constexpr std::size_t kLineWidth = 88;

/// An expression: `head` alone, or `head` (ending in a bracket), items, `tail` (beginning with the closing bracket).
struct Expression {
  std::string head;
  std::vector<Expression> items;
  std::string tail;
  bool operator==(const Expression&) const = default;
};

/// The text of an expression whose first line begins after `used` characters and whose last line is followed by `rest`
/// more; lines after the first are indented by at least `indent`.
std::string layout(const Expression& expression, std::size_t indent, std::size_t used, std::size_t rest = 0);

/// `NAME(a, b)`, `[a, b]`.
Expression call(std::string name, std::vector<Expression> arguments);
Expression list(std::vector<Expression> items);
/// `(a, b)`, `(a,)`, `()`.
Expression tuple(std::vector<Expression> items);

/// The elements of dense bytes as Python literals, in order; "torch.nan" and "torch.inf" where needed. Empty for a
/// dtype without a rule, and for bytes whose size doesn't match.
std::vector<std::string> element_literals(std::string_view dtype, std::string_view bytes, std::size_t count);

/// A float written so that Python reads the same number: "1.0", "-torch.inf". `single`: it is a float32, for which
/// fewer digits suffice.
std::string float_literal(double value, bool single = false);

/// A contiguous tensor with these values: `torch.tensor([...])`, or `torch.zeros`, `ones`, `full`, `arange` if they say
/// the same in fewer words. Nothing for a tensor whose bytes are missing.
std::optional<Expression> tensor_expression(const TensorRecord& record);

/// A value of plain Python and tensors; containers of the built-in types only. Nothing for other values.
std::optional<Expression> value_expression(const Value& value, const std::vector<TensorRecord>& tensors);

/// A value for people, on several lines: like value_expression; tensors of more than 64 elements by their kind, and
/// what is not plain Python by its type and text.
std::string value_text(const Value& value, const std::vector<TensorRecord>& tensors);

}  // namespace jp::report
