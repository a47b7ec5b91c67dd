// What one eager run saw before and after each statement: plain data that mutations may rely on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/elements.h"

namespace jp {

/// What is known of one live name at one point. A field is known only if it was the same at every visit of that point
/// in every call; an unknown field is empty.
struct NameFacts {
  /// "tensor", "int", "float", "bool", "str", "none", "list", "tuple", "dict", "function", "module", or "object";
  /// "" when it differed between visits.
  std::string kind;
  /// Python numbers, bools and short strings: the value as a Python literal.
  std::optional<std::string> literal;
  /// Lists, tuples, dicts: the number of items.
  std::optional<std::int64_t> length;

  // Tensors only.
  std::optional<Dtype> dtype;
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::int64_t>> strides;
  std::optional<std::int64_t> offset;
  /// Names with one number share storage at this point; also with tensors in containers and closures, whose entries
  /// stand under "name[...]" (kind "tensor", not a name to use).
  std::optional<std::int64_t> storage;
  std::optional<bool> requires_grad;
  std::optional<bool> is_leaf;
  /// True when the tensor's own elements overlap in memory (expand and the like).
  std::optional<bool> overlaps_itself;
  /// Elements by row-major position: all up to 64 elements, else 16 fixed positions (i * (n-1) / 15). Bools are 0
  /// and 1, complex elements are left out. Exact for every dtype but int64 beyond 2^53, which is left out too.
  Elements elements;
  std::optional<double> minimum;
  std::optional<double> maximum;
  bool operator==(const NameFacts&) const = default;
};

/// Names that are live at a point, each with what is known.
using Names = std::map<std::string, NameFacts>;

/// One run's facts. `before[id]` is the point just before the statement; `after[id]` just behind it (no entry for
/// a statement that never ended normally). A statement without an entry was never reached or can't be profiled.
struct Facts {
  std::map<std::string, Names> before;
  std::map<std::string, Names> after;
  /// Statements that were reached, with the number of visits over all calls.
  std::map<std::string, std::int64_t> visits;
  /// Number of calls of the entry.
  std::int64_t calls = 0;

  /// What is known of a name before a statement, or nullptr.
  const NameFacts* find_before(const std::string& statement, const std::string& name) const;
  const NameFacts* find_after(const std::string& statement, const std::string& name) const;
};

}  // namespace jp
