// Definite assignment: which local names of a function are surely bound at each statement, in one forward pass. The
// answer is conservative: a loop may run zero times, a branch may not be taken, an exception may leave a `try` at any
// point, and a context manager may swallow an exception (those of torch don't).
#pragma once

#include <optional>
#include <vector>

#include "mutate/names/scopes.h"

namespace jp::mutate {

/// Follows the statements of one function.
class Flow {
 public:
  /// `before`, if not null, receives for each statement the names that are surely bound before it.
  Flow(const Parsed& parsed, const Scopes& scopes, int frame, std::vector<NameSet>* before)
      : parsed_(parsed), scopes_(scopes), frame_(frame), before_(before) {}

  /// Follows a function's body, starting with `bound`.
  void follow_body(const Node& body, const NameSet& bound);
  /// Names surely bound after the statement; nothing if it never ends normally.
  std::optional<NameSet> follow(const Statement& statement, NameSet bound);
  /// Local names of the frame that are read, here or in nested functions, where they are not surely bound.
  const NameSet& early_reads() const { return early_reads_; }

 private:
  using State = std::optional<NameSet>;
  State follow_block(const Node& clause, State bound);
  State follow_if(const Statement& statement, NameSet bound);
  State follow_loop(const Statement& statement, NameSet bound);
  State follow_try(const Statement& statement, NameSet bound);
  State follow_with(const Statement& statement, NameSet bound);
  State follow_match(const Statement& statement, NameSet bound);
  /// Records early reads in bytes [begin, end), then adds the names bound there to `bound` and removes the deleted
  /// ones.
  void pass(std::size_t begin, std::size_t end, NameSet& bound);
  void read(std::size_t begin, std::size_t end, const NameSet& bound);
  /// `bound` without the names that are deleted in [begin, end); `except … as` deletes its name at its end.
  NameSet without_deleted(NameSet bound, std::size_t begin, std::size_t end) const;
  static State meet(const State& one, const State& other);

  const Parsed& parsed_;
  const Scopes& scopes_;
  int frame_;
  std::vector<NameSet>* before_;
  NameSet early_reads_;
};

/// For each statement, by index: the local names of its function that are surely bound when it starts; empty outside of
/// functions.
std::vector<NameSet> bound_before(const Parsed& parsed);

}  // namespace jp::mutate
