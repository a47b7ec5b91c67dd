// What a finished test was made of and what came of it: a line of ledger.jsonl in the campaign's folder. Tables that
// later tests are drawn by, and the shares of what found what, are made from nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "core/lineage.h"
#include "core/program.h"

namespace jp::campaign {

/// A mutant as its seed and the steps since: mutate::replay() gives it, with the ids that further steps go by.
struct CorpusProgram {
  Program seed;
  std::vector<Step> steps;
};

struct TestRecord {
  std::uint64_t test = 0;
  std::string seed_source;
  std::string oracle;
  std::string backend;
  /// The mutations that this test put on what it began with, in order.
  std::vector<std::string> steps;
  /// Variants between the seed and what it began with; 0 when it began with a seed.
  int depth = 0;
  std::string verdict;  // verdict_name
  /// Of a divergence: its signature's id, and the call at which the worst difference stands, from 0.
  std::string signature;
  int call = 0;
  /// Where the compiler's counters lay (guide.h).
  std::vector<std::string> buckets;
  std::int64_t graph_breaks = 0;
  std::int64_t recompiles = 0;
  /// Wall time of the test's runs; shown, never used for choosing.
  double seconds = 0;
  /// Where later tests may begin with the program: how far it is from its seed (parents.h), and what makes it again.
  std::int64_t distance = 0;
  std::optional<CorpusProgram> variant = std::nullopt;
};

codec::Json to_json(const TestRecord& row);
/// Nothing when it is none.
std::optional<TestRecord> read_test_record(const codec::Json& json);

}  // namespace jp::campaign
