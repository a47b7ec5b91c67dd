// The contract of an operator: how a call of it is drawn, one input and attribute after the other, so that every draw
// is valid (sound) and every valid call can come (complete), without backtracking and without rejection.
//
// A family is one file in operators/ and one registration; its members differ by name and a row of a table. A family
// says what it wants of each input (want.h), gets a live value or a new argument from the Draft, infers the type and
// the interval of the result, and records the call with the forms in which it may be written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/registry.h"
#include "seedgen/draw/draft.h"

namespace jp::seedgen {

class Operator {
 public:
  virtual ~Operator() = default;
  /// The family's name, which is its file's.
  virtual std::string_view name() const = 0;
  /// The operators of the family: ids unique over the registry, in the order of `draw`'s `member`.
  virtual std::vector<std::string_view> members() const = 0;
  /// The member's results are the same whatever its inputs hold: such calls mostly come early, so that later ones read
  /// them.
  virtual bool constant(std::size_t /*member*/) const { return false; }
  /// Draws one call of a member and records it in the draft: exactly one.
  virtual void draw(Draft& draft, std::size_t member) const = 0;
};

/// The ids of a table whose rows have a `name`.
template <typename Table>
std::vector<std::string_view> names_of(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& row : table) names.push_back(row.name);
  return names;
}

}  // namespace jp::seedgen
