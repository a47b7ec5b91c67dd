// Cutting something out of a program together with all that can't do without it: the statements that read a name which
// nobody binds any more, the items of a returned tuple that mention it, the argument of the entry that it was.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/edit.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// The display that a return statement gives back ("return a, b", "return (a, b)", "return [a]"), or no node.
mutate::Node returned_display(const mutate::Statement& statement);

/// The names of the entry's plain parameters, in order; empty when it has others ("*args", keyword-only) or none.
std::vector<mutate::Node> plain_parameters(const mutate::Parsed& parsed);

/// Collects one proposal. A cut that would take the entry itself away fails, and so does what depends on it.
class Cut {
 public:
  explicit Cut(const mutate::Parsed& parsed) : parsed_(parsed) {}

  /// The statement, and what depends on the names that then are bound nowhere.
  bool statement(const mutate::Statement& statement);
  /// The entry's argument of that position in every call, its parameter, and what reads it.
  bool argument(std::size_t position);
  /// One item of a list display.
  bool item(const std::vector<mutate::Node>& items, std::size_t at);

  /// All that was cut.
  const EditSet& edits() const { return edits_; }

 private:
  /// What reads a variable whose bindings are all gone.
  bool readers(int owner, std::string_view name);
  bool reader(const mutate::Use& use);
  bool unbound(int owner, std::string_view name) const;
  bool gone(const mutate::Node& node) const;

  const mutate::Parsed& parsed_;
  EditSet edits_;
  std::set<int> statements_;
  std::set<int> nodes_;  // items and parameters, by their first node
  std::set<std::pair<int, std::string_view>> variables_;
};

}  // namespace jp::reduce
