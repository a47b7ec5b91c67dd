// What a campaign has learnt from its own tests, epoch by epoch: the weights of mutations, the shares of backends and
// oracles, and the corpus that tests start from.
//
// Each finished test leaves a row (test_log.jsonl). The table of epoch e is computed from the rows of epochs up to e -
// 2, all of whose tests have ended by then, in the order of tests; therefore a test stays a function of (campaign seed,
// number, table of its epoch), and a resumed campaign makes the same ones.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "campaign/common/epochs.h"
#include "campaign/feedback/corpus.h"
#include "campaign/feedback/mutation_weights.h"
#include "campaign/feedback/test_record.h"
#include "campaign/feedback/test_shares.h"
#include "core/choices.h"
#include "core/result.h"

namespace jp::campaign {

/// The state by which an epoch's tests are drawn.
struct FeedbackState {
  MutationWeights mutation_weights;
  TestShares shares;
  Corpus corpus;
  std::set<std::string> buckets;
  std::set<std::string> signatures;

  /// Adds one more row; rows come in the order of tests. `most`: how many mutants the corpus holds.
  void learn(const TestRecord& row, CorpusPolicy corpus_policy, const Choices& choices,
             std::size_t most = Corpus::kMost);
  /// To be called when an epoch has passed.
  void fade();
};

/// What tests are drawn by: all but the signatures. Reading it gives an Error if the JSON is something else.
codec::Json to_json(const FeedbackState& state);
Result<FeedbackState> read_feedback(const codec::Json& json);

/// The file of a campaign's test log.
std::string test_log_file(const std::string& folder);

class TestLog {
 public:
  struct Options {
    std::uint64_t seed = 0;
    Epochs epochs;
    CorpusPolicy corpus_policy = CorpusPolicy::kAll;
  };

  /// Reads the rows of tests that have ended (`ended`: whether a test has).
  static Result<TestLog> open(const std::string& folder, const Options& options,
                              const std::function<bool(std::uint64_t)>& ended);

  /// Whether the program of a test that agreed may join the corpus: its runs were in a bucket that is not `known` by
  /// the table of the test's own epoch, or it is one of those considered.
  static bool wants_program(const Options& options, std::uint64_t test, const std::vector<std::string>& buckets,
                            const std::set<std::string>& known);
  /// Stores rows; they are on the disk when this returns.
  Status add(std::vector<TestRecord> rows);
  /// The table of an epoch, all of whose rows must be there: those of tests of epochs below epoch - 1. Epochs come in
  /// ascending order, except that the last few may come again.
  std::shared_ptr<const FeedbackState> table(std::uint64_t epoch);

 private:
  TestLog(std::string path, const Options& options);

  std::string path_;
  Options options_;
  Choices choices_;
  std::map<std::uint64_t, TestRecord> rows_;  // rows that no table contains yet
  std::map<std::uint64_t, std::shared_ptr<const FeedbackState>> tables_;
};

/// Every row of a campaign's folder, in the order in which they were written; tests that were run again have two.
void read_test_log(const std::string& folder, const std::function<void(TestRecord)>& take);

}  // namespace jp::campaign
