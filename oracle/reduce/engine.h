// Makes a program as simple as possible while it stays interesting, with whatever passes are registered.
//
// A pass proposes edit sets for the current program. The engine merges all of them that don't conflict and asks; on
// failure it asks for halves, quarters and so on down to single proposals, always on top of what was accepted before
// (delta debugging over proposals, as C-Vise and Shrink Ray do it). A pass is repeated until it finds nothing; a tier
// begins when the tiers before it find nothing in the current program, so the end is a fixpoint: running the reducer on
// its own result changes nothing.
//
// A candidate is asked about only if it is simpler by order.h and was not asked about before. Candidates are asked
// about in lists of which the first interesting one is wanted. Whoever answers may judge several at a time: the list
// does not depend on that, hence neither does the result.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/edit.h"
#include "core/facts.h"
#include "oracle/reduce/order.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce {

/// The progress of a reduction.
struct Progress {
  /// Candidates that were asked about: in a list, those up to the first interesting one.
  std::int64_t asked = 0;
  std::int64_t accepted = 0;
  struct PassCount {
    std::int64_t asked = 0;
    std::int64_t accepted = 0;
    bool operator==(const PassCount&) const = default;
  };
  std::map<std::string, PassCount, std::less<>> passes;
  bool operator==(const Progress&) const = default;
  /// Adds what an earlier or later part of the same reduction counted.
  Progress& operator+=(const Progress& other);
};

/// What a reduction needs from outside. Only `first_interesting` is required.
struct Problem {
  /// The index of the first candidate in the list that is interesting; nothing if none is. Must answer the same for the
  /// same list every time. May answer anything once `stop` is true (but see reduce_then_verify.h).
  std::function<std::optional<std::size_t>(const std::vector<Program>&)> first_interesting;
  /// Facts of a program, for passes that need some; empty if there are none.
  std::function<Facts(const Parsed&)> facts;
  /// True once the reduction shall end with what it has.
  std::function<bool()> stop;
  /// The output of the entry that shows the fault, if one does (focus.h).
  std::optional<std::size_t> output = std::nullopt;
  /// Called with each better program, before anything else is asked.
  std::function<void(const Program&, const Progress&)> better;
  /// Called before `better` with the program that a pass (or a stage's own step: what_it_does in pass.h) made from
  /// another one.
  std::function<void(const Program& before, const Program& after, std::string_view pass)> accepted;
};

/// The reduced program. It is interesting, whether or not the reduction finished.
struct Reduced {
  Parsed parsed;
  Progress progress;
  /// False if `stop` ended it.
  bool finished = false;
};

/// Reduces a program that parses and is interesting. `passes` are in the order of their turns.
Reduced reduce(const Parsed& start, const Problem& problem, const std::vector<const Pass*>& passes = passes_in_order());

/// Asking, remembering answers and accepting candidates: shared by both stages.
class Search {
 public:
  Search(Parsed start, const Problem& problem) : problem_(problem), current_(std::move(start)) {
    weight_ = weigh(current_);
  }

  const Parsed& current() const { return current_; }
  const Progress& progress() const { return progress_; }
  Progress& progress() { return progress_; }
  bool stopped() const { return problem_.stop && problem_.stop(); }

  /// A candidate of a list, or none if a proposal could not be applied: then it counts as not interesting.
  using Candidate = std::optional<Parsed>;
  /// Asks for the first interesting candidate that is simpler than the current program; it becomes the current one.
  std::optional<std::size_t> first(const std::vector<Candidate>& candidates, std::string_view who);
  /// Delta debugging over proposals: asks for all of them together, then for halves, quarters and so on down to chunks
  /// of `finest`, always on top of what was accepted before. `make` returns the candidate of an edit set. Returns
  /// everything that was accepted, merged; empty if nothing was.
  EditSet minimise(std::vector<EditSet> proposals, std::string_view who,
                   const std::function<Candidate(const EditSet&)>& make, std::size_t finest = 1);

 private:
  void accept(const Parsed& parsed, std::string_view who);

  const Problem& problem_;
  Parsed current_;
  Weight weight_;
  Progress progress_;
  std::set<std::string> refused_;  // SHA-256 of programs that are not interesting
};

}  // namespace jp::reduce
