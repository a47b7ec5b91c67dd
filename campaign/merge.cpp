#include "campaign/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "campaign/triage/finding_index.h"
#include "codec/codec.h"
#include "oracle/signature/signature.h"
#include "report/files.h"
#include "report/reduced.h"
#include "report/store.h"

namespace jp::campaign {
namespace {

namespace fs = std::filesystem;

struct Source {
  std::string folder;
  codec::Json settings;
  std::vector<report::FindingRow> rows;
  report::Sightings sightings;
  std::map<std::uint64_t, std::string> verdicts;  // by test
  std::uint64_t numbers = 0;
  std::vector<std::uint64_t> unlike;
};

// A finding of one of the campaigns.
struct Met {
  std::size_t source = 0;
  report::FindingRow row;
};

Result<Source> read(const std::string& folder) {
  Source source{.folder = folder};
  Result<codec::Json> settings = report::read_campaign_settings(folder);
  if (!settings.ok()) return settings.error();
  source.settings = std::move(settings).value();
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  source.rows = std::move(rows).value();
  Result<report::Sightings> sightings = report::list_sightings(folder);
  if (!sightings.ok()) return sightings.error();
  source.sightings = std::move(sightings).value();
  Result<std::map<std::uint64_t, std::string>> verdicts = report::list_verdicts(folder);
  if (!verdicts.ok()) return verdicts.error();
  source.verdicts = std::move(verdicts).value();
  return source;
}

std::uint64_t last_number(const Source& source) {
  std::uint64_t last = 0;
  for (const auto& [id, tests] : source.sightings)
    for (const std::uint64_t test : tests)
      if (test != report::kNoTest) last = std::max(last, test);
  return last;
}

// What makes tests the same, whatever their number; on another machine some of them may come to something else.
std::string making(codec::Json settings) {
  for (const char* other : {"machine", "limits", "tests"}) settings.erase(other);
  return codec::text(settings);
}

// Campaigns of the same settings make the same tests.
void number(std::vector<Source>& sources) {
  std::map<std::string, std::uint64_t> lengths;
  for (const Source& source : sources) {
    std::uint64_t& length = lengths[making(source.settings)];
    length = std::max(length, last_number(source) + 1);
  }
  std::map<std::string, std::uint64_t> begins;
  std::uint64_t next = 0;
  for (Source& source : sources) {
    const std::string settings = making(source.settings);
    const auto [begin, added] = begins.try_emplace(settings, next);
    if (added) next += lengths.at(settings);
    source.numbers = begin->second;
  }
}

// Compares the verdicts of tests that several campaigns of the same settings have.
void compare(std::vector<Source>& sources) {
  std::map<std::string, std::map<std::uint64_t, std::string>> first;
  for (Source& source : sources) {
    std::map<std::uint64_t, std::string>& before = first[making(source.settings)];
    for (const auto& [test, verdict] : source.verdicts)
      if (before.try_emplace(test, verdict).first->second != verdict) source.unlike.push_back(test);
  }
}

std::uint64_t moved(const Source& source, std::uint64_t test) {
  return test == report::kNoTest ? test : source.numbers + test;
}

// The better ones first, so that none of a kept finding's files has to be replaced.
std::vector<Met> in_order(const std::vector<Source>& sources) {
  std::vector<Met> all;
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (const report::FindingRow& row : sources[i].rows) all.push_back({i, row});
  std::stable_sort(all.begin(), all.end(), [](const Met& one, const Met& other) {
    return std::tuple(-report::rank(one.row.status), one.source, one.row.first_test, one.row.id) <
           std::tuple(-report::rank(other.row.status), other.source, other.row.first_test, other.row.id);
  });
  return all;
}

fs::path findings_of(const std::string& folder) { return fs::path(folder) / "findings"; }

class Merge {
 public:
  Merge(const std::vector<Source>& sources, report::Store& store) : sources_(sources), store_(store) {}

  // Whether the finding was not there before.
  Result<bool> take(const Met& met) {
    const Source& source = sources_[met.source];
    Result<Finding> loaded = report::load_finding(source.folder, met.row.id);
    if (!loaded.ok()) return loaded.error();
    Finding& finding = loaded.value();
    const std::vector<report::ReducedProgram> forms = report::load_reduced_programs(source.folder, met.row.id);
    const std::string same = known_as(finding, forms);
    if (same.empty()) {
      if (Status entered = enter(met, finding); !entered.ok()) return entered.error();
    } else {
      for (const report::ReducedProgram& form : forms)
        if (Status kept = report::keep_also(store_.folder(), same, form); !kept.ok()) return kept.error();
    }
    const std::string id = same.empty() ? finding.signature.id() : same;
    for (const report::ReducedProgram& form : forms) index_.add_small(id, form);
    if (Status seen = count_sightings(source, met.row.id, id); !seen.ok()) return seen.error();
    return same.empty();
  }

 private:
  // The finding that it is, or "". Wrong values of one kind have one signature until they are reduced, so each campaign
  // gives it to the first bug that it meets: another bug of that signature gets the signature of its reduced form.
  std::string known_as(Finding& finding, const std::vector<report::ReducedProgram>& forms) const {
    for (const report::ReducedProgram& form : forms)
      if (std::string same = index_.same_bug(finding.signature, form); !same.empty()) return same;
    if (!index_.has(finding.signature.id())) return "";
    if (forms.empty()) return finding.signature.id();
    finding.signature = oracle::refined(oracle::unrefined(finding.signature), forms.front().program);
    return index_.has(finding.signature.id()) ? finding.signature.id() : "";
  }

  Status enter(const Met& met, const Finding& finding) {
    const Source& source = sources_[met.source];
    Result<bool> stored = store_.add_finding(finding, moved(source, met.row.first_test));
    if (!stored.ok()) return stored.error();
    index_.add(finding.signature);
    // finding.json has the signature and was written with it.
    const auto written = [](const std::string& name) { return name == "finding.json"; };
    return report::copy_contents(findings_of(source.folder) / met.row.id,
                                 findings_of(store_.folder()) / finding.signature.id(), written);
  }

  Status count_sightings(const Source& source, const std::string& of, const std::string& id) {
    const auto tests = source.sightings.find(of);
    if (tests == source.sightings.end()) return Done{};
    for (const std::uint64_t test : tests->second)
      if (Result<bool> seen = store_.sighted(id, moved(source, test)); !seen.ok()) return seen.error();
    return Done{};
  }

  const std::vector<Source>& sources_;
  report::Store& store_;
  FindingIndex index_;
};

Result<std::vector<Source>> read_all(const std::vector<std::string>& folders) {
  std::vector<Source> sources;
  std::map<fs::path, std::string> seen;
  for (const std::string& folder : folders) {
    std::error_code error;
    const auto [other, added] = seen.try_emplace(fs::weakly_canonical(folder, error), folder);
    if (!added) return Error{fmt::format("{} and {} are the same campaign: name it once", other->second, folder)};
    Result<Source> source = read(folder);
    if (!source.ok()) return source.error();
    sources.push_back(std::move(source).value());
  }
  number(sources);
  compare(sources);
  return sources;
}

// Half of a merge is of no use, and would be in the way of the next one.
Error given_up(std::unique_ptr<report::Store> store, const Error& why) {
  const fs::path made = store->folder();
  store.reset();
  std::error_code error;
  fs::remove_all(findings_of(made), error);
  for (const fs::directory_entry& file : fs::directory_iterator(made, error))
    if (file.path().filename().string().starts_with("campaign.")) fs::remove(file.path(), error);
  fs::remove(made, error);  // if nothing else is in it
  return why;
}

codec::Json settings_of(const std::vector<Source>& sources) {
  codec::Json merged = codec::Json::array();
  for (const Source& source : sources)
    merged.push_back({{"campaign", source.folder}, {"numbers", source.numbers}, {"settings", source.settings}});
  return {{"merged", std::move(merged)}};
}

}  // namespace

Result<std::vector<MergedFrom>> merge(const std::vector<std::string>& folders, const std::string& into) {
  Result<std::vector<Source>> read = read_all(folders);
  if (!read.ok()) return read.error();
  const std::vector<Source>& sources = read.value();
  if (std::error_code error; fs::exists(findings_of(into), error))
    return Error{fmt::format("{} has findings already: take a new folder", into)};
  Result<std::unique_ptr<report::Store>> store = report::Store::create(into, settings_of(sources));
  if (!store.ok()) return store.error();
  std::vector<MergedFrom> told;
  for (const Source& source : sources)
    told.push_back(
        {.folder = source.folder, .findings = source.rows.size(), .numbers = source.numbers, .unlike = source.unlike});
  Merge joined(sources, *store.value());
  for (const Met& met : in_order(sources)) {
    const Result<bool> added = joined.take(met);
    if (!added.ok()) return given_up(std::move(store).value(), added.error());
    told[met.source].added += added.value() ? 1 : 0;
  }
  return told;
}

bool is_merged(const codec::Json& settings) { return settings.contains("merged"); }

}  // namespace jp::campaign
