#include "campaign/triage/finding_index.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "oracle/reduce/canonical.h"
#include "oracle/signature/signature.h"
#include "report/store.h"

namespace jp::campaign {
namespace {

std::string coarse_id(const Signature& signature) { return oracle::unrefined(signature).id(); }

}  // namespace

bool FindingIndex::Entry::explains(const Features& features, const std::string& place) const {
  if (!place.empty() && !places.empty() && !places.contains(place)) return false;
  // A finding that is not reduced yet can't tell, and a program that calls nothing by name would explain everything.
  if (triggers.empty()) return !flaky;
  return std::any_of(triggers.begin(), triggers.end(), [&](const Features& trigger) {
    return !trigger.empty() && std::includes(features.begin(), features.end(), trigger.begin(), trigger.end());
  });
}

Result<FindingIndex> FindingIndex::of(const std::string& folder, bool tells_apart) {
  FindingIndex finding_index;
  finding_index.tells_apart_ = tells_apart;
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  Result<report::Sightings> sightings = report::list_sightings(folder);
  if (!sightings.ok()) return sightings.error();
  Result<std::vector<std::string>> entered = report::entered_findings(folder);
  if (!entered.ok()) return entered.error();
  std::map<std::string, std::size_t> order;
  for (const std::string& id : entered.value()) order.emplace(id, order.size());
  // The first finding of a signature is the one that was found first, whatever came of it.
  std::sort(rows.value().begin(), rows.value().end(), [&](const auto& a, const auto& b) {
    return std::pair(a.first_test, order[a.id]) < std::pair(b.first_test, order[b.id]);
  });
  for (const report::FindingRow& row : rows.value()) {
    if (row.first_test == report::kNoTest) continue;                   // no test may depend on it
    if (row.status == status_name(Finding::Status::kKnown)) continue;  // nothing is told apart from it
    Result<Finding> finding = report::load_finding(folder, row.id);
    if (!finding.ok()) return finding.error();
    finding_index.add(finding.value().signature);
    finding_index.alike_[coarse_id(finding.value().signature)].tests.merge(sightings.value()[row.id]);
    finding_index.set_flaky(row.id, row.status == status_name(Finding::Status::kFlaky));
    for (const report::ReducedProgram& small : report::load_reduced_programs(folder, row.id))
      finding_index.add_small(row.id, small);
  }
  return finding_index;
}

void FindingIndex::add(const Signature& signature) {
  const std::string id = signature.id();
  const auto [entry, added] = entries_.try_emplace(id, Entry{.signature = signature});
  if (!added) return;
  if (std::string place = oracle::place_of(signature); !place.empty()) entry->second.places.insert(std::move(place));
  alike_[coarse_id(signature)].ids.push_back(id);
}

void FindingIndex::set_flaky(const std::string& id, bool flaky) { entries_.at(id).flaky = flaky; }

void FindingIndex::add_small(const std::string& id, const report::ReducedProgram& small) {
  const auto found = entries_.find(id);
  JP_CHECK(found != entries_.end(), "a reduced program of {}, which was not found", id);
  Entry& entry = found->second;
  entry.refined.push_back(oracle::refined(oracle::unrefined(entry.signature), small.program).id());
  entry.forms.push_back(reduce::canonical_form(small.program));
  entry.triggers.push_back(kept_by(small.program, small.mutations));
  const std::string place = small.place.empty() ? oracle::place_of(entry.signature) : small.place;
  if (!place.empty()) entry.places.insert(place);
  entry.reduced_at.push_back(place);
  // Either its own reduction, or one that place() has not granted: that of an earlier run of the campaign.
  Alike& alike = alike_[coarse_id(entry.signature)];
  std::size_t forms = 0;
  for (const std::string& one : alike.ids) {
    const std::vector<std::string>& places = entries_.at(one).reduced_at;
    forms += static_cast<std::size_t>(std::count(places.begin(), places.end(), place));
  }
  alike.spent[place] = std::max(alike.spent[place], forms);
  if (alike.under_way > 0) --alike.under_way;
}

// A finding's own reduction does not count as wasted.
std::size_t FindingIndex::wasted(const Alike& alike) const {
  std::size_t wasted = alike.under_way;
  for (const std::string& id : alike.ids)
    if (const std::size_t forms = entries_.at(id).forms.size(); forms > 1) wasted += forms - 1;
  return wasted;
}

bool FindingIndex::may_reduce(const Alike& alike, const std::string& place) const {
  const std::size_t more = alike.tests.size() / kSightings;
  const auto spent = alike.spent.find(place);
  return (spent == alike.spent.end() || spent->second < kReductions + more) && wasted(alike) < kWasted + more &&
         alike.ids.size() < kFindings;
}

bool FindingIndex::has_alike(const Signature& signature) const {
  const auto alike = alike_.find(coarse_id(signature));
  return alike != alike_.end() && !alike->second.ids.empty();
}

bool FindingIndex::wants_place(const Signature& signature) const {
  return tells_apart_ && oracle::is_of_values(signature) && wants_second_look(signature);
}

bool FindingIndex::wants_second_look(const Signature& signature) const {
  const auto alike = alike_.find(coarse_id(signature));
  if (alike == alike_.end()) return true;
  const std::size_t seen = alike->second.tests.size();
  return seen < kMeasured || seen % kMeasureOne == 0;
}

TriageDecision FindingIndex::place(const Signature& signature, const Program& program, std::uint64_t number) {
  Alike& alike = alike_[coarse_id(signature)];
  alike.tests.insert(number);
  if (alike.ids.empty()) return {};
  const std::string place = oracle::place_of(signature);
  const auto fits = [&](const std::string& id) {
    const Entry& entry = entries_.at(id);
    return place.empty() || entry.places.empty() || entry.places.contains(place);
  };
  const auto fitting = std::find_if(alike.ids.begin(), alike.ids.end(), fits);
  const TriageDecision first{TriageDecision::Kind::kSighting,
                             fitting == alike.ids.end() ? alike.ids.front() : *fitting};
  const auto is_flaky = [&](const std::string& id) { return entries_.at(id).flaky; };
  if (std::all_of(alike.ids.begin(), alike.ids.end(), is_flaky)) {
    if (alike.tests.size() > 1 + kReductions) return first;
    // A program that goes wrong elsewhere is not another attempt at the same flaky finding.
    return fitting == alike.ids.end() ? TriageDecision{} : TriageDecision{TriageDecision::Kind::kRetry, first.id};
  }
  // Signatures of other kinds than values are distinctive enough by themselves.
  if (!tells_apart_ || !oracle::is_of_values(signature)) return first;
  const Features features = features_of(program);
  for (const std::string& id : alike.ids)
    if (entries_.at(id).explains(features, place)) return {TriageDecision::Kind::kSighting, id};
  if (!may_reduce(alike, place)) return first;
  ++alike.spent[place];
  ++alike.under_way;
  return {TriageDecision::Kind::kUnexplained, first.id};
}

bool FindingIndex::has_form(const std::string& id, const report::ReducedProgram& small) const {
  const std::vector<std::string>& forms = entries_.at(id).forms;
  return std::find(forms.begin(), forms.end(), reduce::canonical_form(small.program)) != forms.end();
}

const Signature& FindingIndex::signature(const std::string& id) const { return entries_.at(id).signature; }

std::string FindingIndex::same_bug(const Signature& signature, const report::ReducedProgram& small) const {
  const auto alike = alike_.find(coarse_id(signature));
  if (alike == alike_.end()) return "";
  const std::string refined = oracle::refined(oracle::unrefined(signature), small.program).id();
  const std::string form = reduce::canonical_form(small.program);
  const auto has = [](const std::vector<std::string>& list, const std::string& one) {
    return !one.empty() && std::find(list.begin(), list.end(), one) != list.end();
  };
  for (const std::string& id : alike->second.ids) {
    const Entry& entry = entries_.at(id);
    if (has(entry.refined, refined) || has(entry.forms, form)) return id;
  }
  return "";
}

}  // namespace jp::campaign
