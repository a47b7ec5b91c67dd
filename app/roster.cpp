#include "app/roster.h"

#include <algorithm>

#include "core/check.h"
#include "oracle/reduce/canonical.h"
#include "oracle/signature.h"
#include "report/store.h"

namespace jp::app {
namespace {

std::string coarse_id(const Signature& signature) { return oracle::unrefined(signature).id(); }

}  // namespace

bool Roster::Entry::explains(const Features& features) const {
  // What is not reduced yet can't tell, and a program that calls nothing by name would explain everything.
  if (triggers.empty()) return !flaky;
  return std::any_of(triggers.begin(), triggers.end(), [&](const Features& trigger) {
    return !trigger.empty() && std::includes(features.begin(), features.end(), trigger.begin(), trigger.end());
  });
}

Result<Roster> Roster::of(const std::string& folder, bool tells_apart) {
  Roster roster;
  roster.tells_apart_ = tells_apart;
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  Result<report::Sightings> sightings = report::list_sightings(folder);
  if (!sightings.ok()) return sightings.error();
  // The first of a signature is the one that was found first, whatever came of it.
  std::stable_sort(rows.value().begin(), rows.value().end(),
                   [](const auto& a, const auto& b) { return a.first_test < b.first_test; });
  for (const report::FindingRow& row : rows.value()) {
    if (row.first_test == report::kNoTest) continue;  // no test may depend on it
    Result<Finding> finding = report::load_finding(folder, row.id);
    if (!finding.ok()) return finding.error();
    roster.add(finding.value().signature);
    roster.tests_[coarse_id(finding.value().signature)].merge(sightings.value()[row.id]);
    roster.set_flaky(row.id, row.status == status_name(Finding::Status::kFlaky));
    for (const report::SmallForm& small : report::load_small_forms(folder, row.id)) roster.add_small(row.id, small);
  }
  return roster;
}

void Roster::add(const Signature& signature) {
  const std::string id = signature.id();
  if (!entries_.try_emplace(id, Entry{.signature = signature}).second) return;
  alike_[coarse_id(signature)].push_back(id);
}

void Roster::set_flaky(const std::string& id, bool flaky) { entries_.at(id).flaky = flaky; }

void Roster::add_small(const std::string& id, const report::SmallForm& small) {
  const auto found = entries_.find(id);
  JP_CHECK(found != entries_.end(), "a reduced program of {}, which was not found", id);
  Entry& entry = found->second;
  entry.refined.push_back(oracle::refined(oracle::unrefined(entry.signature), small.program).id());
  entry.forms.push_back(reduce::canonical_form(small.program));
  entry.triggers.push_back(kept_by(small.program, small.mutations));
  // Its own reduction, or one that place() has not given out: that of an earlier run of the campaign.
  std::size_t forms = 0;
  const std::string coarse = coarse_id(entry.signature);
  for (const std::string& one : alike_[coarse]) forms += entries_.at(one).forms.size();
  spent_[coarse] = std::max(spent_[coarse], forms);
}

Place Roster::place(const Signature& signature, const Program& program, std::uint64_t number) {
  const std::string coarse = coarse_id(signature);
  tests_[coarse].insert(number);
  const auto alike = alike_.find(coarse);
  if (alike == alike_.end()) return {};
  const Place first{Place::Kind::kSighting, alike->second.front()};
  const auto is_flaky = [&](const std::string& id) { return entries_.at(id).flaky; };
  if (std::all_of(alike->second.begin(), alike->second.end(), is_flaky)) {
    if (retries_[coarse] >= kReductions) return first;
    ++retries_[coarse];
    return {Place::Kind::kRetry, first.id};
  }
  // Signatures of other kinds than values tell enough by themselves.
  if (!tells_apart_ || !oracle::is_of_values(signature)) return first;
  const Features features = features_of(program);
  for (const std::string& id : alike->second)
    if (entries_.at(id).explains(features)) return {Place::Kind::kSighting, id};
  std::size_t& spent = spent_[coarse];
  if (spent >= kReductions + tests_[coarse].size() / kSightings) return first;
  ++spent;
  return {Place::Kind::kUnexplained, first.id};
}

std::string Roster::same_bug(const Signature& signature, const report::SmallForm& small) const {
  const auto alike = alike_.find(coarse_id(signature));
  if (alike == alike_.end()) return "";
  const std::string refined = oracle::refined(oracle::unrefined(signature), small.program).id();
  const std::string form = reduce::canonical_form(small.program);
  const auto has = [](const std::vector<std::string>& list, const std::string& one) {
    return !one.empty() && std::find(list.begin(), list.end(), one) != list.end();
  };
  for (const std::string& id : alike->second) {
    const Entry& entry = entries_.at(id);
    if (has(entry.refined, refined) || has(entry.forms, form)) return id;
  }
  return "";
}

}  // namespace jp::app
