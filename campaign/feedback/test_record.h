// What a finished test was made of and what came of it: a line of test_log.jsonl in the campaign's folder. The tables
// by which later tests are drawn, and the statistics of what found what, are computed from nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/lineage.h"
#include "core/program.h"

namespace jp::campaign {

/// A mutant as its seed and the steps since: mutate::replay() gives the program, with the statement ids that further
/// steps refer to.
struct CorpusProgram {
  Program seed;
  std::vector<Step> steps;
};

struct TestRecord {
  std::uint64_t test = 0;
  std::string seed_source;
  std::string oracle;
  std::string backend;
  /// The mutations that this test applied to the program it started from, in order.
  std::vector<std::string> steps;
  /// Mutants between the seed and the program it started from; 0 if it started from a seed.
  int depth = 0;
  std::string verdict;  // verdict_name
  /// For a divergence: its signature's id, and the call at which the worst difference occurs, from 0.
  std::string signature;
  int call = 0;
  /// The buckets of the compiler's counters (counter_buckets.h).
  std::vector<std::string> buckets;
  std::int64_t graph_breaks = 0;
  std::int64_t recompiles = 0;
  /// Wall time of the test's runs; shown, never used for choosing.
  double seconds = 0;
  /// If the program may join the corpus: its distance from its seed (corpus.h), and what makes it again.
  std::int64_t distance = 0;
  std::optional<CorpusProgram> mutant = std::nullopt;
};

/// "seed" and "since"; nothing if the JSON is none.
codec::Json to_json(const CorpusProgram& mutant);
std::optional<CorpusProgram> read_corpus_program(const codec::Json& json);

codec::Json to_json(const TestRecord& row);
/// Nothing if the JSON is no record.
std::optional<TestRecord> read_test_record(const codec::Json& json);

}  // namespace jp::campaign
