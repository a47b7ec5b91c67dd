// What a campaign has learnt of its own tests, epoch by epoch: how mutations are drawn, and which variants tests begin
// with.
//
// Each finished test leaves a row (ledger.jsonl). The table of epoch e is made from the rows of epochs up to e - 2, all
// of whose tests have ended by then, in the order of tests; so a test stays a function of (campaign seed, number, table
// of its epoch), and a resumed campaign makes the same ones.
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
#include "core/choices.h"
#include "core/result.h"

namespace jp::campaign {

/// What an epoch's tests are drawn by.
struct FeedbackState {
  MutationWeights credit;
  Corpus corpus;
  std::set<std::string> buckets;
  std::set<std::string> signatures;

  /// Takes in one row more; rows come in the order of tests.
  void learn(const TestRecord& row, CorpusPolicy corpus_policy, const Choices& choices);
};

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

  /// Whether later tests may begin with the program of a test that agreed: it was in a bucket that the table of its own
  /// epoch does not know, or is one of those looked at.
  bool wants_program(std::uint64_t test, const std::vector<std::string>& buckets) const;
  /// Keeps a row; it is on the disk when this returns.
  Status add(TestRecord row);
  /// The table of an epoch, none of whose rows is missing any more: those of tests of epochs below epoch - 1. Epochs
  /// come in ascending order, but for the last few again.
  std::shared_ptr<const FeedbackState> table(std::uint64_t epoch);

 private:
  TestLog(std::string path, const Options& options)
      : path_(std::move(path)), options_(options), choices_(Choices(options.seed).fork("ledger")) {}

  std::string path_;
  Options options_;
  Choices choices_;
  std::map<std::uint64_t, TestRecord> rows_;  // that no table has taken in
  std::map<std::uint64_t, std::shared_ptr<const FeedbackState>> tables_;
};

/// Every row of a campaign's folder, in the order in which they were written: of tests that were run again two.
void read_test_log(const std::string& folder, const std::function<void(TestRecord)>& take);

}  // namespace jp::campaign
