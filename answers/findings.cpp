#include "answers/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "campaign/triage/ranking.h"
#include "codec/codec.h"
#include "oracle/reduce/pass.h"
#include "report/issue.h"
#include "report/known_verdict.h"
#include "report/reduced.h"
#include "report/short_form.h"
#include "report/trail.h"

namespace jp::answers {
namespace {

using campaign::LoadedFinding;

std::int64_t lines_of(const Program& program) {
  return std::count(program.source().begin(), program.source().end(), '\n');
}

/// Lines of the smallest program that shows the finding; of one that can't be read, of what it was reduced to.
std::optional<std::int64_t> size_of(const std::string& folder, const std::string& id,
                                    const Result<LoadedFinding>& kept) {
  if (kept.ok()) return lines_of(kept.value().reduced ? *kept.value().reduced : kept.value().finding.program);
  const std::optional<Program> reduced = report::load_reduced(folder, id);
  return reduced ? std::optional(lines_of(*reduced)) : std::nullopt;
}

/// Findings that are the same bug, by the one that is listed for all of them: the first. If the campaign took the first
/// for a known bug, it is the first one that the campaign did not: for that one it has been decided that it is none.
std::map<std::string, std::string> listed_for(const std::string& folder, const std::vector<ListedFinding>& all) {
  std::map<std::string, std::string> listed;
  for (const ListedFinding& one : all) {
    const bool by_a_person = !report::load_label(folder, one.first).label.empty();
    if (by_a_person || one.label.label.empty()) listed.try_emplace(one.first, by_a_person ? one.first : one.row.id);
  }
  return listed;
}

/// "Removes comments. Shortens names.", of the passes of one step.
std::string sentences_of(const std::vector<std::string>& passes) {
  if (passes.empty()) return "The steps up to here are not stored.";
  std::string text;
  for (const std::string& pass : passes) {
    const std::string_view does = reduce::what_it_does(pass);
    const std::string sentence = does.empty() ? fmt::format("The pass {}.", pass) : std::string(does);
    if (text.find(sentence) == std::string::npos) text += (text.empty() ? "" : " ") + sentence;
  }
  return text;
}

codec::Json reduction_row(const char* step, const std::vector<std::string>& passes, const std::string& says,
                          const std::string& source) {
  return {{"step", step}, {"passes", passes}, {"says", says}, {"source", source}};
}

codec::Json reductions_of(const LoadedFinding& kept) {
  const std::string& found = kept.finding.program.source();
  const std::string& reduced = kept.reduced ? kept.reduced->source() : found;
  codec::Json rows = reductions_json(found, reduced, report::load_trail(kept.folder, kept.finding.signature.id()));
  if (kept.evidence && kept.evidence->plain)
    rows.push_back(reduction_row("values", {}, "Its values are written out.", kept.shown().program.source()));
  return rows;
}

}  // namespace

codec::Json reductions_json(const std::string& found, const std::string& reduced, report::Trail trail) {
  codec::Json rows = codec::Json::array({reduction_row("found", {}, "As it was found.", found)});
  if (found == reduced) return rows;
  for (const report::TrailStep& step : report::ending_in(std::move(trail), reduced))
    rows.push_back(reduction_row("reduction", step.passes, sentences_of(step.passes), step.source));
  return rows;
}

report::Label label_of(const std::string& folder, const std::string& id) {
  report::Label said = report::load_label(folder, id);
  if (!said.label.empty()) return said;
  const auto verdict = report::load_known_verdict(folder, id);
  if (!verdict || !verdict->known()) return said;
  return {"known", fmt::format("{}, {} (by its {})", verdict->name, verdict->link, verdict->by)};
}

std::string likeness_of(const std::string& folder, const std::string& id) {
  const auto verdict = report::load_known_verdict(folder, id);
  return verdict ? report::resemblance_text(*verdict) : "";
}

// Each finding's own file is read once, and let go: most of its bytes are values that a list doesn't show.
Result<std::vector<ListedFinding>> listed_findings(const std::string& folder) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  std::vector<ListedFinding> all;
  std::vector<report::Trace> traces;
  std::vector<report::Traits> traits;
  for (const report::FindingRow& row : rows.value()) {
    const Result<LoadedFinding> kept = campaign::load_finding(folder, row.id);
    traces.push_back(campaign::trace_of(row.id, kept));
    traits.push_back(campaign::traits_of(folder, row, kept));
    all.push_back({.row = row, .label = label_of(folder, row.id), .title = row.reason});
    if (kept.ok()) all.back().title = campaign::title_of(kept.value());
    all.back().size = size_of(folder, row.id, kept);
  }
  const std::vector<std::size_t> firsts = report::buckets(traces);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].first = all[firsts[i]].row.id;
  std::map<std::string, std::string> listed = listed_for(folder, all);
  std::vector<ListedFinding> ordered;
  for (const std::size_t i : campaign::ranking(rows.value(), traits)) {
    ordered.push_back(std::move(all[i]));
    ordered.back().listed = listed[ordered.back().first];
  }
  return ordered;
}

codec::Json row_json(const std::string& folder, const ListedFinding& finding) {
  const report::FindingRow& row = finding.row;
  Signature signature{.backend = row.backend, .stage = row.stage, .kind = row.kind};
  return {{"id", row.id},
          {"kind", row.kind},
          {"backend", row.backend},
          {"stage", row.stage},
          {"component", report::component(signature)},
          {"effect", report::effect(signature)},
          {"status", row.status},
          {"reproduced", row.reproduced},
          {"attempts", row.attempts},
          {"sightings", row.sightings},
          {"first_test", row.first_test == report::kNoTest ? codec::Json() : codec::Json(row.first_test)},
          {"label", finding.label.label},
          {"note", finding.label.note},
          {"title", finding.title},
          {"size", finding.size ? codec::Json(*finding.size) : codec::Json()},
          {"reason", row.reason},
          {"bucket", finding.first},
          {"like", likeness_of(folder, row.id)}};
}

Result<codec::Json> findings_json(const std::string& folder) {
  Result<std::vector<ListedFinding>> all = listed_findings(folder);
  if (!all.ok()) return all.error();
  codec::Json rows = codec::Json::array();
  for (const ListedFinding& finding : all.value()) rows.push_back(row_json(folder, finding));
  return rows;
}

codec::Json finding_json(const LoadedFinding& kept) {
  codec::Json json = codec::to_json(kept.finding);
  if (kept.evidence) json["evidence"] = report::to_json(*kept.evidence);
  if (kept.reduced) json["reduced"] = codec::to_json(*kept.reduced);
  const std::string id = kept.finding.signature.id();
  const report::Label label = label_of(kept.folder, id);
  json["label"] = {{"label", label.label}, {"note", label.note}};
  json["like"] = likeness_of(kept.folder, id);
  json["reductions"] = reductions_of(kept);
  return json;
}

std::vector<Finding> siblings_of(const LoadedFinding& kept) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(kept.folder);
  if (!rows.ok()) return {};
  std::vector<std::string> ids;
  for (const report::FindingRow& row : rows.value()) ids.push_back(row.id);
  const std::vector<std::size_t> firsts = campaign::first_of_bug(kept.folder, ids);
  const auto own = std::find(ids.begin(), ids.end(), kept.finding.signature.id());
  if (own == ids.end()) return {};
  const std::size_t bucket = firsts[static_cast<std::size_t>(own - ids.begin())];
  std::vector<Finding> siblings;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    if (firsts[i] != bucket || ids[i] == *own) continue;
    if (Result<Finding> sibling = report::load_finding(kept.folder, ids[i]); sibling.ok())
      siblings.push_back(sibling.value());
  }
  return siblings;
}

}  // namespace jp::answers
