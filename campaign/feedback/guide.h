// A campaign that learns: seeds are drawn so that they cover what earlier tests have not, and, if asked for, so that
// they come near to what made the compiler behave in a new way; mutation steps so that they touch what no step has
// touched.
//
// Each finished test of a generated seed leaves a row in the campaign's folder (guide.jsonl): the seed, and the buckets
// of the compiler's counters that its runs fell into. The table of epoch e is made from the rows of epochs up to e - 2,
// all of whose tests have ended by then, in the order of tests; so a test stays a function of (campaign seed, number,
// table of its epoch), and a resumed campaign makes the same ones.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/common/epochs.h"
#include "campaign/sources/seed_source.h"
#include "core/choices.h"
#include "core/lineage.h"
#include "core/outcome.h"
#include "core/result.h"
#include "seedgen/measure/coverage.h"

namespace jp::campaign {

/// What seeds are drawn by.
enum class Guidance : std::uint8_t {
  kNone,      ///< chance alone
  kCoverage,  ///< what no test has covered yet
  kPaths,     ///< the same, paths of three operators too
  kCounters,  ///< as kCoverage; and what tests have covered that were the first in some bucket of counters
};

/// "none", "coverage", "paths", "counters".
std::string_view guidance_name(Guidance guidance);
std::optional<Guidance> guidance_named(std::string_view name);

/// Where the compiler's counters of some runs lie, ascending: "graphs 2", "recompiles 4+", "graph_break: REASON".
/// Counts fall into 1, 2, 3, 4+, 8+, 16+ and so on; zeros into none.
std::vector<std::string> counter_buckets(const std::vector<Outcome>& outcomes);

/// What a finished test adds to later tables.
struct GuideRow {
  std::uint64_t test = 0;
  Seed seed;
  std::vector<std::string> buckets;
  /// What its steps touched (touched.h).
  std::vector<std::string> step_features;
};

/// What an epoch's seeds are drawn by.
struct GuideTable {
  explicit GuideTable(Guidance by = Guidance::kCoverage) : guidance(by) {}

  Guidance guidance;
  seedgen::Coverage known;
  /// Covered by tests whose runs were the first in a bucket.
  seedgen::Coverage worth;
  std::set<std::string> buckets;
  /// What steps have touched; with kCounters only in tests whose runs were the first in no bucket.
  std::set<std::string> step_features;

  bool paths() const { return guidance == Guidance::kPaths; }
  seedgen::Guide guide() const { return {.known = known, .worth = worth, .paths = paths()}; }
  /// Takes in the tests of one epoch more, in their order. A seed that can't be made any more adds nothing.
  void learn(const std::map<std::uint64_t, GuideRow>& rows, std::uint64_t begin, std::uint64_t end);
};

/// A guided seed of a test: one of `number` in its draw; drawn again (mostly, and a few times) while it covers nothing
/// new, of which `dropped` is told. Nothing from a door whose seeds can't be guided. The first draw is that of a
/// campaign without a guide.
std::optional<Program> draw_guided_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number,
                                        const GuideTable& table, std::int64_t& dropped);
/// A seed with one rule broken on purpose: of a single operator while such ones break rules in ways that the table
/// does not know, and without a table half of the time. Nothing from a door that can't.
std::optional<Program> draw_broken_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number,
                                        const GuideTable* table, std::int64_t& dropped);
/// The number that a test draws.
std::uint64_t drawn_number(const Choices& choices, std::uint64_t number);

/// The rows of a campaign, and the tables that are made from them.
class GuideLog {
 public:
  /// Reads the rows of tests that have ended (`ended`: whether a test has); a line that was cut off is left out.
  static Result<GuideLog> open(const std::string& folder, Guidance guidance, const Epochs& epochs,
                               const std::function<bool(std::uint64_t)>& ended);

  /// Keeps a row; it is on the disk when this returns.
  Status add(const GuideRow& row);
  /// The table of an epoch, none of whose rows is missing any more: those of tests of epochs below epoch - 1. Epochs
  /// come in ascending order, but for the last few again.
  std::shared_ptr<const GuideTable> table(std::uint64_t epoch);

 private:
  GuideLog(std::string path, Guidance guidance, const Epochs& epochs)
      : path_(std::move(path)), guidance_(guidance), epochs_(epochs) {}

  std::string path_;
  Guidance guidance_;
  Epochs epochs_;
  std::map<std::uint64_t, GuideRow> rows_;
  std::map<std::uint64_t, std::shared_ptr<const GuideTable>> tables_;
};

}  // namespace jp::campaign
