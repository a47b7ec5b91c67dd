// Reads a campaign's folder, even while it is written: takes no lock and changes nothing.
#include <fmt/format.h>

#include "codec/codec.h"
#include "core/files.h"
#include "report/schema.h"
#include "report/store.h"

namespace jp::report {
namespace {

// A complete id, from one or a prefix of one.
Result<std::string> full_id(Database& database, const std::string& folder, const std::string& id) {
  // Every id begins with the empty one.
  if (id.empty()) return Error{fmt::format("there is no finding '' in {}: see jitprobe findings list", folder)};
  Statement find = database.prepare("SELECT id FROM findings WHERE substr(id, 1, ?2) = ?1 ORDER BY id");
  find.bind(1, id).bind(2, static_cast<std::int64_t>(id.size()));
  std::vector<std::string> ids;
  while (find.step()) ids.push_back(find.text(0));
  if (Status read = find.status(); !read.ok()) return read.error();
  if (ids.empty()) return Error{fmt::format("there is no finding {} in {}: see jitprobe findings list", id, folder)};
  if (ids.size() > 1)
    return Error{fmt::format("{} findings in {} begin with {}: give more of the id", ids.size(), folder, id)};
  return ids.front();
}

}  // namespace

Result<std::vector<FindingRow>> list_findings(const std::string& folder) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement rows = database.value()->prepare(
      "SELECT id, kind, backend, stage, status, reproduced, attempts, first_test, reason, "
      "(SELECT count(*) FROM sightings WHERE finding = id) FROM findings "
      "ORDER BY CASE status WHEN 'confirmed' THEN 0 WHEN 'flaky' THEN 1 WHEN 'known' THEN 3 ELSE 2 END, first_test, "
      "id");
  std::vector<FindingRow> findings;
  while (rows.step()) {
    FindingRow row;
    row.id = rows.text(0);
    row.kind = rows.text(1);
    row.backend = rows.text(2);
    row.stage = rows.text(3);
    row.status = rows.text(4);
    row.reproduced = static_cast<int>(rows.integer(5));
    row.attempts = static_cast<int>(rows.integer(6));
    row.first_test = static_cast<std::uint64_t>(rows.integer(7));
    row.reason = rows.text(8);
    row.sightings = rows.integer(9);
    findings.push_back(std::move(row));
  }
  if (Status read = rows.status(); !read.ok()) return read.error();
  return findings;
}

Result<std::vector<std::string>> entered_findings(const std::string& folder) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement rows = database.value()->prepare("SELECT id FROM findings ORDER BY rowid");
  std::vector<std::string> ids;
  while (rows.step()) ids.push_back(rows.text(0));
  if (Status read = rows.status(); !read.ok()) return read.error();
  return ids;
}

Result<Sightings> list_sightings(const std::string& folder) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement rows = database.value()->prepare("SELECT finding, test FROM sightings");
  Sightings sightings;
  while (rows.step()) sightings[rows.text(0)].insert(static_cast<std::uint64_t>(rows.integer(1)));
  if (Status read = rows.status(); !read.ok()) return read.error();
  return sightings;
}

Result<Finding> load_finding(const std::string& folder, const std::string& id) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Result<std::string> full = full_id(*database.value(), folder, id);
  if (!full.ok()) return full.error();
  const std::string file = fmt::format("{}/findings/{}/finding.json", folder, full.value());
  Result<std::string> text = read_file(file);
  if (!text.ok()) return text.error();
  Result<codec::Json> json = codec::parse_text(text.value());
  if (!json.ok()) return Error{fmt::format("{} is damaged: {}", file, json.error().message)};
  if (!json.value().is_object() || !json.value().contains("finding"))
    return Error{fmt::format("{} holds no finding", file)};
  const codec::Json version = json.value().value("version", codec::Json(0));
  if (!version.is_number()) return Error{fmt::format("{} is damaged: its version is no number", file)};
  if (version > codec::kVersion) return Error{fmt::format("{} was written by a newer jitprobe: use that one", file)};
  Result<Finding> finding = codec::read<Finding>(json.value()["finding"]);
  if (!finding.ok()) return Error{fmt::format("{} is damaged: {}", file, finding.error().message)};
  if (finding.value().verdict.differences.empty())
    return Error{fmt::format("{} is damaged: its verdict has no difference", file)};
  return finding;
}

Result<std::map<std::string, std::int64_t>> count_verdicts(const std::string& folder) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement rows = database.value()->prepare("SELECT coalesce(verdict, ''), count(*) FROM tests GROUP BY 1");
  std::map<std::string, std::int64_t> verdicts;
  while (rows.step()) verdicts[rows.text(0)] = rows.integer(1);
  if (Status read = rows.status(); !read.ok()) return read.error();
  return verdicts;
}

Result<std::map<std::uint64_t, std::string>> list_verdicts(const std::string& folder) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement rows = database.value()->prepare("SELECT number, verdict FROM tests WHERE verdict NOT NULL");
  std::map<std::uint64_t, std::string> verdicts;
  while (rows.step()) verdicts[static_cast<std::uint64_t>(rows.integer(0))] = rows.text(1);
  if (Status read = rows.status(); !read.ok()) return read.error();
  return verdicts;
}

Result<Counts> read_counts(const std::string& folder) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement rows = database.value()->prepare("SELECT subject, name, value FROM counts");
  Counts counts;
  while (rows.step()) counts[rows.text(0)][rows.text(1)] = rows.integer(2);
  if (Status read = rows.status(); !read.ok()) return read.error();
  return counts;
}

Result<codec::Json> read_campaign_settings(const std::string& folder) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement row = database.value()->prepare("SELECT text FROM settings");
  const bool there = row.step();
  if (Status read = row.status(); !read.ok()) return read.error();
  if (!there) return Error{fmt::format("the campaign in {} has no settings", folder)};
  return codec::parse_text(row.text(0));
}

Result<EndedTest> read_verdict(const std::string& folder, std::uint64_t number) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement row = database.value()->prepare(
      "SELECT verdict, coalesce(rule, ''), coalesce(reason, ''), coalesce(program, '') FROM tests WHERE number = ?1");
  row.bind(1, static_cast<std::int64_t>(number));
  const bool there = row.step();
  if (Status read = row.status(); !read.ok()) return read.error();
  if (!there || row.is_null(0))
    return Error{fmt::format("test {} of the campaign in {} has no verdict", number, folder)};
  return EndedTest{row.text(0), row.text(1), row.text(2), row.text(3)};
}

Status copy_before(const std::string& folder, std::uint64_t number, const std::string& copy) {
  Result<std::unique_ptr<Database>> from = open_campaign(folder, Database::Mode::kReadOnly);
  if (!from.ok()) return from.error();
  // A consistent snapshot, whoever writes meanwhile.
  if (Status copied = from.value()->prepare("VACUUM INTO ?1").bind(1, database_file(copy)).run(); !copied.ok())
    return copied;
  Result<std::unique_ptr<Database>> made = open_campaign(copy, Database::Mode::kReadWrite);
  if (!made.ok()) return made.error();
  for (const char* gone : {"DELETE FROM sightings WHERE test >= ?1 OR finding IN (SELECT id FROM findings WHERE "
                           "first_test >= ?1)",
                           "DELETE FROM findings WHERE first_test >= ?1", "DELETE FROM tests WHERE number = ?1"})
    if (Status deleted = made.value()->prepare(gone).bind(1, static_cast<std::int64_t>(number)).run(); !deleted.ok())
      return deleted;
  return Done{};
}

Result<JournaledTest> read_test(const std::string& folder, std::uint64_t number) {
  Result<std::unique_ptr<Database>> database = open_campaign(folder, Database::Mode::kReadOnly);
  if (!database.ok()) return database.error();
  Statement row = database.value()->prepare("SELECT program, plan FROM tests WHERE number = ?1");
  row.bind(1, static_cast<std::int64_t>(number));
  const bool there = row.step();
  if (Status read = row.status(); !read.ok()) return read.error();
  if (!there || row.is_null(0))
    return Error{fmt::format(
        "the program of test {} is not kept in {}: only those under way and those that diverged are", number, folder)};
  Result<codec::Json> parsed = codec::parse_text(row.text(1));
  if (!parsed.ok()) return parsed.error();
  Result<Plan> plan = codec::read<Plan>(parsed.value());
  if (!plan.ok()) return plan.error();
  return JournaledTest{row.text(0), std::move(plan).value()};
}

}  // namespace jp::report
