// Variants that later tests begin with, and take statements from, beside the seeds.
//
// A test that is the first in some bucket of the compiler's counters becomes one in any case. Of the others so many an
// epoch are looked at, and accepted by the campaign's rule:
//   all      every one
//   distant  those far from their seed: in the kinds of their statements, their lines and the counters of their runs
//   mcmc     a Markov chain, in the order of tests: one that is as far as the last one accepted or farther always, a
//            nearer one with a chance that halves with every six steps (Metropolis)
// The last kMost that joined are kept.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>

#include "campaign/feedback/test_record.h"
#include "core/choices.h"
#include "core/program.h"

namespace jp::campaign {

enum class CorpusPolicy : std::uint8_t { kAll, kDistant, kMcmc };

/// "all", "distant", "mcmc".
std::string_view corpus_policy_name(CorpusPolicy corpus_policy);
std::optional<CorpusPolicy> corpus_policy_named(std::string_view name);

/// How far a variant is from its seed: kinds of statements that only one of them has, four for each; and the statements
/// that it has more or fewer.
std::int64_t distance_of(const Program& seed, const Program& variant);

/// Variants looked at in each epoch, on average.
inline constexpr std::uint64_t kLookedAt = 16;

struct CorpusEntry {
  CorpusProgram variant;
  int depth = 0;  // variants between it and its seed, itself included
};

class Corpus {
 public:
  static constexpr std::size_t kMost = 256;
  /// What "distant" takes, at least.
  static constexpr std::int64_t kFar = 24;

  /// A test's program, in the order of tests. `firsts`: buckets that it is the first in.
  void add(const TestRecord& row, std::int64_t firsts, CorpusPolicy corpus_policy, const Choices& choices);
  /// One of a depth below `depth`, drawn; nullptr when there is none.
  const CorpusEntry* draw(int depth, Choices& choices) const;
  std::size_t size() const { return corpus_.size(); }

 private:
  bool accepted(const TestRecord& row, std::int64_t firsts, CorpusPolicy corpus_policy, const Choices& choices);

  std::deque<std::shared_ptr<const CorpusEntry>> corpus_;
  std::int64_t last_ = 0;  // the distance of the chain's newest
};

}  // namespace jp::campaign
