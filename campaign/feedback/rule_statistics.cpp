#include "campaign/feedback/rule_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "campaign/feedback/test_log.h"
#include "mutate/engine/mutation.h"
#include "report/evidence.h"
#include "report/store.h"

namespace jp::campaign {
namespace {

constexpr std::array<std::string_view, 7> kKinds = {"all", "mutation", "pair", "source", "oracle", "backend", "call"};
enum Kind : std::size_t { kAll, kMutation, kPair, kSource, kOracle, kBackend, kCall };

using Names = std::set<std::string>;

// The rows in which a test counts; under "call" only tests that diverged.
std::array<Names, kKinds.size()> places_of(const TestRecord& row) {
  std::array<Names, kKinds.size()> places;
  places[kAll] = {""};
  places[kMutation] = {row.steps.begin(), row.steps.end()};
  for (std::size_t i = 1; i < row.steps.size(); ++i)
    places[kPair].insert(fmt::format("{} {}", row.steps[i - 1], row.steps[i]));
  places[kSource] = {row.seed_source};
  places[kOracle] = {row.oracle};
  places[kBackend] = {row.backend};
  if (!row.signature.empty()) places[kCall] = {std::to_string(row.call + 1)};
  return places;
}

class Table {
 public:
  void add_test(const TestRecord& row) {
    const auto places = places_of(row);
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
      for (const std::string& name : places[kind]) {
        RuleCount& share = share_of(kind, name);
        ++share.tests;
        share.diverging += !row.signature.empty();
        share.graph_breaks += row.graph_breaks;
        share.recompiles += row.recompiles;
        share.seconds += row.seconds;
      }
  }

  void add_finding(std::size_t kind, const Names& names) {
    for (const std::string& name : names) {
      RuleCount& share = share_of(kind, name);
      ++share.findings;
      share.alone += names.size() == 1;
    }
  }

  RuleCount& share_of(std::size_t kind, const std::string& name) {
    RuleCount& share = shares_[kind][name];
    share.name = name;
    return share;
  }

  std::vector<RuleStatistics> rows() const {
    std::vector<RuleStatistics> all;
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      all.push_back({kKinds[kind], {}});
      for (const auto& [name, share] : shares_[kind]) all.back().rows.push_back(share);
    }
    return all;
  }

 private:
  std::array<std::map<std::string, RuleCount>, kKinds.size()> shares_;
};

// The mutations that a finding needs, in order.
std::vector<std::string> needed_by(const std::string& folder, const std::string& id) {
  if (report::load_reduced(folder, id)) return report::load_needed_mutations(folder, id);
  std::vector<std::string> all;
  if (Result<Finding> finding = report::load_finding(folder, id); finding.ok())
    for (const Step& step : finding.value().program.lineage().steps) all.push_back(step.mutation);
  return all;
}

void add_finding(Table& table, const std::string& folder, const std::string& id, const std::set<std::uint64_t>& tests,
                 const std::map<std::uint64_t, TestRecord>& diverging) {
  std::array<Names, kKinds.size()> names;
  for (std::uint64_t test : tests)
    if (auto row = diverging.find(test); row != diverging.end()) {
      auto places = places_of(row->second);
      for (std::size_t kind : {kAll, kSource, kOracle, kBackend, kCall}) names[kind].merge(places[kind]);
    }
  TestRecord needed;
  needed.steps = needed_by(folder, id);
  auto places = places_of(needed);
  for (std::size_t kind : {kMutation, kPair}) names[kind] = places[kind];
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) table.add_finding(kind, names[kind]);
}

}  // namespace

Result<std::vector<RuleStatistics>> rule_statistics_of(const std::string& folder,
                                                       const std::function<void(const TestRecord&)>& each) {
  Result<std::vector<report::FindingRow>> findings = report::list_findings(folder);
  if (!findings.ok()) return findings.error();
  Result<report::Sightings> sightings = report::list_sightings(folder);
  if (!sightings.ok()) return sightings.error();
  Table table;
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all())
    table.share_of(kMutation, std::string(mutation->name()));
  // A test that was under way when the campaign was killed has been run again, and its row stands there twice.
  std::set<std::uint64_t> seen;
  std::map<std::uint64_t, TestRecord> diverging;
  read_test_log(folder, [&](TestRecord row) {
    if (!seen.insert(row.test).second) return;
    table.add_test(row);
    if (each) each(row);
    row.mutant = std::nullopt;
    if (!row.signature.empty()) diverging.emplace(row.test, std::move(row));
  });
  for (const report::FindingRow& row : findings.value())
    if (row.status == status_name(Finding::Status::kConfirmed))
      add_finding(table, folder, row.id, sightings.value()[row.id], diverging);
  return table.rows();
}

}  // namespace jp::campaign
