// The corpus: mutants that later tests start from and take statements from, in addition to seeds.
//
// A test that is the first in some bucket of the compiler's counters joins in any case. Of the other tests kLookedAt
// per epoch are considered, and accepted by the campaign's policy:
//   all      every one
//   distant  those far from their seed: in the kinds of their statements, their lines and the counters of their runs
//   mcmc     a Markov chain in the order of tests: a program at least as far from its seed as the last accepted one is
//            always accepted, a nearer one with a chance that halves with every six steps (Metropolis)
// The last kMost that joined are kept. Campaigns of many cores consider and keep more (campaign/common/epochs.h).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>

#include "campaign/feedback/test_record.h"
#include "codec/json.h"
#include "core/choices.h"
#include "core/program.h"

namespace jp::campaign {

enum class CorpusPolicy : std::uint8_t { kAll, kDistant, kMcmc };

/// "all", "distant", "mcmc".
std::string_view corpus_policy_name(CorpusPolicy corpus_policy);
std::optional<CorpusPolicy> corpus_policy_named(std::string_view name);

/// The distance of a mutant from its seed: four for each kind of statement that only one of them has, plus the
/// difference in the number of statements.
std::int64_t distance_of(const Program& seed, const Program& mutant);

/// Mutants considered for the corpus in each epoch, on average.
inline constexpr std::uint64_t kLookedAt = 16;

struct CorpusEntry {
  CorpusProgram mutant;
  int depth = 0;  // mutants between it and its seed, itself included
};

class Corpus {
 public:
  static constexpr std::size_t kMost = 256;
  /// The least distance that the policy "distant" accepts.
  static constexpr std::int64_t kFar = 24;

  /// Adds a test's program, in the order of tests. `firsts`: the number of buckets that it is the first in.
  void add(const TestRecord& row, std::int64_t firsts, CorpusPolicy corpus_policy, const Choices& choices,
           std::size_t most = kMost);
  /// An entry of a depth below `depth`, drawn at random; nullptr if there is none.
  const CorpusEntry* draw(int depth, Choices& choices) const;
  std::size_t size() const { return corpus_.size(); }

  /// What draw() depends on.
  codec::Json to_json() const;
  /// Throws codec::Json::exception if it is not what to_json gave. Nothing can be added to it.
  static Corpus read(const codec::Json& json);

 private:
  bool accepted(const TestRecord& row, std::int64_t firsts, CorpusPolicy corpus_policy, const Choices& choices);

  std::deque<std::shared_ptr<const CorpusEntry>> corpus_;
  std::int64_t last_ = 0;  // the distance of the newest program in the chain
};

}  // namespace jp::campaign
