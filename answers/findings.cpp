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

/// Lines of the smallest program that shows the finding; null if none can be read.
codec::Json size_of(const std::string& folder, const std::string& id) {
  std::optional<Program> program = report::load_reduced(folder, id);
  if (!program)
    if (Result<Finding> finding = report::load_finding(folder, id); finding.ok()) program = finding.value().program;
  if (!program) return nullptr;
  return std::count(program->source().begin(), program->source().end(), '\n');
}

/// For each finding the id of the first that is the same bug.
std::vector<std::string> first_alike(const std::string& folder, const std::vector<report::FindingRow>& rows) {
  std::vector<std::string> ids;
  for (const report::FindingRow& row : rows) ids.push_back(row.id);
  std::vector<std::string> firsts;
  for (std::size_t first : campaign::first_of_bug(folder, ids)) firsts.push_back(ids[first]);
  return firsts;
}

/// Findings that are the same bug, by the one that is listed for all of them: the first. If the campaign took the first
/// for a known bug, it is the first one that the campaign did not: for that one it has been decided that it is none.
std::map<std::string, std::string> listed_for(const std::string& folder, const std::vector<report::FindingRow>& rows,
                                              const std::vector<std::string>& firsts) {
  std::map<std::string, std::string> listed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool by_a_person = !report::load_label(folder, firsts[i]).label.empty();
    if (by_a_person || label_of(folder, rows[i].id).label.empty())
      listed.try_emplace(firsts[i], by_a_person ? firsts[i] : rows[i].id);
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

codec::Json reductions_of(const campaign::LoadedFinding& kept) {
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

Result<std::vector<ListedFinding>> listed_findings(const std::string& folder) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  const std::vector<std::string> firsts = first_alike(folder, rows.value());
  std::map<std::string, std::string> listed = listed_for(folder, rows.value(), firsts);
  std::vector<ListedFinding> all;
  for (std::size_t i : campaign::ranking(folder, rows.value())) {
    const report::FindingRow& row = rows.value()[i];
    all.push_back({row, label_of(folder, row.id), firsts[i], listed[firsts[i]]});
  }
  return all;
}

std::string title_of_row(const std::string& folder, const report::FindingRow& row) {
  const Result<Finding> finding = report::load_finding(folder, row.id);
  return finding.ok() ? campaign::title_of(folder, finding.value()) : row.reason;
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
          {"title", title_of_row(folder, row)},
          {"size", size_of(folder, row.id)},
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

codec::Json finding_json(const campaign::LoadedFinding& kept) {
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

std::vector<Finding> siblings_of(const campaign::LoadedFinding& kept) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(kept.folder);
  if (!rows.ok()) return {};
  const std::vector<std::string> firsts = first_alike(kept.folder, rows.value());
  const std::string id = kept.finding.signature.id();
  std::string bucket;
  for (std::size_t i = 0; i < firsts.size(); ++i)
    if (rows.value()[i].id == id) bucket = firsts[i];
  std::vector<Finding> siblings;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    if (firsts[i] != bucket || rows.value()[i].id == id) continue;
    if (Result<Finding> sibling = report::load_finding(kept.folder, rows.value()[i].id); sibling.ok())
      siblings.push_back(sibling.value());
  }
  return siblings;
}

}  // namespace jp::answers
