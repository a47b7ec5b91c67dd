// jitprobe findings credit: what found what.
#include "app/cmd_credit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/command.h"
#include "app/terminal.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/feedback/rule_statistics.h"
#include "codec/codec.h"
#include "report/store.h"

namespace jp::app {
namespace {

constexpr std::size_t kMostPairs = 20;

using Counts = std::map<std::string, std::map<std::string, std::int64_t>>;

codec::Json json_of(const RuleCount& share) {
  return {{"name", share.name},
          {"tests", share.tests},
          {"diverging", share.diverging},
          {"findings", share.findings},
          {"alone", share.alone},
          {"graph_breaks", share.graph_breaks},
          {"recompiles", share.recompiles},
          {"seconds", share.seconds}};
}

codec::Json json_of(const std::vector<RuleStatistics>& all, Counts& counts) {
  codec::Json json = codec::Json::object();
  for (const RuleStatistics& shares : all) {
    codec::Json& rows = json[std::string(shares.kind)] = codec::Json::array();
    for (const RuleCount& share : shares.rows) {
      rows.push_back(json_of(share));
      if (shares.kind != "mutation") continue;
      for (const char* name : {"tried", "applied", "undone"})
        rows.back()[name] = counts["mutation:" + share.name][name];
    }
  }
  return json;
}

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

// The most fruitful first.
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

}  // namespace

int print_credit(const std::string& asked, bool json) {
  Result<std::string> folder = campaign_folder(asked);
  if (!folder.ok()) return cannot(folder.error());
  Result<std::vector<RuleStatistics>> shares = rule_statistics_of(folder.value());
  if (!shares.ok()) return cannot(shares.error());
  Result<Counts> counts = report::read_counts(folder.value());
  if (!counts.ok()) return cannot(counts.error());
  if (json) {
    put("{}\n", codec::text(json_of(shares.value(), counts.value())));
    return kDidItsWork;
  }
  for (RuleStatistics& kind : shares.value()) {
    if (kind.kind == "pair") sort_pairs(kind);
    if (!kind.rows.empty()) print_rows(kind, counts.value());
    if (kind.kind == "mutation") print_fruitless(kind);
  }
  return kDidItsWork;
}

}  // namespace jp::app
