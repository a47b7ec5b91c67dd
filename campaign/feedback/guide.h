// Guided seed selection: seeds are drawn so that they cover what earlier tests have not, and, with kCounters, so that
// they resemble what made the compiler behave in a new way; mutation steps are drawn so that they cover what no step
// has covered.
//
// Each finished test of a generated seed leaves a row in the campaign's folder (guide.jsonl): the seed, and the buckets
// of the compiler's counters that its runs fell into. The table of epoch e is computed from the rows of epochs up to e
// - 2, all of whose tests have ended by then, in the order of tests; therefore a test stays a function of (campaign
// seed, number, table of its epoch), and a resumed campaign makes the same ones.
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
  kPaths,     ///< the same, and paths of three operators
  kCounters,  ///< as kCoverage; and what the tests covered that were the first in some bucket of counters
};

/// "none", "coverage", "paths", "counters".
std::string_view guidance_name(Guidance guidance);
std::optional<Guidance> guidance_named(std::string_view name);

/// The buckets of the compiler's counters of some runs, ascending: "graphs 2", "recompiles 4+", "graph_break: REASON".
/// Counts fall into 1, 2, 3, 4+, 8+, 16+ and so on; zeros into none.
std::vector<std::string> counter_buckets(const std::vector<Outcome>& outcomes);

/// What a finished test adds to later tables.
struct GuideRow {
  std::uint64_t test = 0;
  Seed seed;
  std::vector<std::string> buckets;
  /// What its steps covered (step_coverage.h).
  std::vector<std::string> step_features;
};

/// What an epoch's seeds are drawn by.
struct GuideTable {
  explicit GuideTable(Guidance by = Guidance::kCoverage) : guidance(by) {}

  Guidance guidance;
  seedgen::Coverage known;
  /// What the tests covered whose runs were the first in a bucket.
  seedgen::Coverage worth;
  std::set<std::string> buckets;
  /// What steps have covered; with kCounters only steps of tests whose runs were the first in no bucket.
  std::set<std::string> step_features;

  bool paths() const { return guidance == Guidance::kPaths; }
  seedgen::Guide guide() const { return {.known = known, .worth = worth, .paths = paths()}; }
  /// Adds the tests of one more epoch, in their order. A seed that can't be made any more adds nothing.
  void learn(const std::map<std::uint64_t, GuideRow>& rows, std::uint64_t begin, std::uint64_t end);
};

/// A guided seed of a test: number `number` of its draw; drawn again (mostly, and a few times) while it covers nothing
/// new, which `dropped` is told. Nothing from a source whose seeds can't be guided. The first draw is the same as in a
/// campaign without a guide.
std::optional<Program> draw_guided_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number,
                                        const GuideTable& table, std::int64_t& dropped);
/// A seed with one rule broken on purpose: of a single operator as long as such seeds break rules in ways that the
/// table does not know, and without a table half of the time. Nothing from a source that can't make one.
std::optional<Program> draw_broken_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number,
                                        const GuideTable* table, std::int64_t& dropped);
/// The seed number that a test draws.
std::uint64_t drawn_number(const Choices& choices, std::uint64_t number);

/// The rows of a campaign, and the tables computed from them.
class GuideLog {
 public:
  /// Reads the rows of tests that have ended (`ended`: whether a test has); a line that was cut off is ignored.
  static Result<GuideLog> open(const std::string& folder, Guidance guidance, const Epochs& epochs,
                               const std::function<bool(std::uint64_t)>& ended);

  /// Stores a row; it is on the disk when this returns.
  Status add(const GuideRow& row);
  /// The table of an epoch, all of whose rows must be there: those of tests of epochs below epoch - 1. Epochs come in
  /// ascending order, except that the last few may come again.
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
