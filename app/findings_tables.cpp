// jitprobe findings suppressions and findings statistics.
#include "app/findings_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "answers/statistics.h"
#include "app/command.h"
#include "app/render.h"
#include "app/terminal.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/feedback/rule_statistics.h"
#include "campaign/feedback/suppressions.h"
#include "codec/codec.h"
#include "report/store.h"

namespace jp::app {
namespace {

struct Options {
  std::string folder;
  bool json = false;
};

constexpr std::size_t kMostPairs = 20;

using answers::Counts;

double mean(std::int64_t sum, std::int64_t tests) {
  return tests == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(tests);
}

void print_rows(const RuleStatistics& shares, Counts& counts) {
  const bool mutations = shares.kind == "mutation";
  put("\n{:<44}{:>8}{:>9}{:>9}{:>7}{:>8}{:>11}{:>8}", shares.kind, "tests", "diverge", "findings", "alone", "breaks",
      "recompiles", "s/test");
  put("{}\n", mutations ? fmt::format("{:>8}{:>8}{:>7}", "tried", "applied", "undone") : "");
  for (const RuleCount& share : shares.rows) {
    put("{:<44}{:>8}{:>9}{:>9}{:>7}{:>8.2f}{:>11.2f}{:>8.2f}", share.name.empty() ? "all" : share.name, share.tests,
        share.diverging, share.findings, share.alone, mean(share.graph_breaks, share.tests),
        mean(share.recompiles, share.tests), share.tests == 0 ? 0 : share.seconds / static_cast<double>(share.tests));
    if (mutations) {
      auto& own = counts["mutation:" + share.name];
      put("{:>8}{:>8}{:>7}", own["tried"], own["applied"], own["undone"]);
    }
    put("\n");
  }
}

// The most productive pairs first.
void sort_pairs(RuleStatistics& pairs) {
  std::stable_sort(pairs.rows.begin(), pairs.rows.end(), [](const RuleCount& one, const RuleCount& other) {
    return std::tuple(one.findings, one.diverging, one.tests) >
           std::tuple(other.findings, other.diverging, other.tests);
  });
  if (pairs.rows.size() > kMostPairs) pairs.rows.resize(kMostPairs);
}

void print_fruitless(const RuleStatistics& mutations) {
  std::vector<std::string> names;
  for (const RuleCount& share : mutations.rows)
    if (share.findings == 0) names.push_back(share.name);
  if (!names.empty()) put("\nneeded for no finding: {}\n", fmt::join(names, ", "));
}

// The suppressions of the newest epoch.
int suppressions(const Options& options) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return cannot(folder.error());
  if (Result<std::vector<report::FindingRow>> rows = report::list_findings(folder.value()); !rows.ok())
    return cannot(rows.error());
  Result<std::map<std::uint64_t, Suppressions>> tables = load_suppressions(folder.value());
  if (!tables.ok()) return cannot(tables.error());
  const Suppressions none;
  const Suppressions& newest = tables.value().empty() ? none : tables.value().rbegin()->second;
  if (options.json) {
    put("{}\n", codec::text(to_json(newest)));
    return kDidItsWork;
  }
  for (const auto& [pair, weight] : newest)
    put("{:>6.3f}  {}{}{}\n", static_cast<double>(weight) / kFullWeight, pair.first,
        pair.first == pair.second ? "" : "  ", pair.first == pair.second ? "" : pair.second);
  if (newest.empty())
    fmt::print(stderr,
               "nothing is suppressed yet: suppressions come from findings two epochs back (see fuzz --epoch)\n");
  return kDidItsWork;
}

int statistics(const Options& options) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return cannot(folder.error());
  Result<std::vector<RuleStatistics>> shares = rule_statistics_of(folder.value());
  if (!shares.ok()) return cannot(shares.error());
  Result<Counts> counts = report::read_counts(folder.value());
  if (!counts.ok()) return cannot(counts.error());
  if (options.json) {
    put("{}\n", codec::text(answers::statistics_json(shares.value(), counts.value())));
    return kDidItsWork;
  }
  for (RuleStatistics& kind : shares.value()) {
    if (kind.kind == "pair") sort_pairs(kind);
    if (!kind.rows.empty()) print_rows(kind, counts.value());
    if (kind.kind == "mutation") print_fruitless(kind);
  }
  const Result<JobTime> time = load_job_time(folder.value());
  if (!time.ok()) return cannot(time.error());
  if (const std::string phases = render_phases(time.value().phases); !phases.empty()) put("\n{}", phases);
  return kDidItsWork;
}

}  // namespace

// Each table also has the name that it had in earlier versions, which the help doesn't show.
void attach_tables(CLI::App& command, int& exit_code) {
  struct Table {
    const char* name;
    const char* former;
    const char* help;
    int (*print)(const Options&);
  };
  constexpr Table kTables[] = {
      {"suppressions", "masks", "which pairs of features are suppressed, with their weights", suppressions},
      {"statistics", "credit",
       "what found what: by mutation, seed source, oracle, backend and call; where the time went", statistics}};
  for (const Table& table : kTables)
    for (const char* name : {table.name, table.former}) {
      auto options = std::make_shared<Options>();
      CLI::App* part = command.add_subcommand(name, table.help);
      if (name == table.former) part->group("");
      part->add_option("--campaign", options->folder, "folder of the campaign (the newest in ./campaigns by default)");
      part->add_flag("--json", options->json, "as JSON");
      part->footer(fmt::format("example: jitprobe findings {} --campaign campaigns/night", table.name));
      part->callback([options, &exit_code, print = table.print] { exit_code = print(*options); });
    }
}

}  // namespace jp::app
