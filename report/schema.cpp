#include "report/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace jp::report {
namespace {

constexpr int kApplicationId = 0x6A707262;  // "jprb"

constexpr const char* kTables = R"(
CREATE TABLE settings(text TEXT NOT NULL);
CREATE TABLE tests(
  number INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL,
  program TEXT,
  plan TEXT,
  verdict TEXT,
  rule TEXT,
  reason TEXT);
CREATE TABLE findings(
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  backend TEXT NOT NULL,
  stage TEXT NOT NULL,
  status TEXT NOT NULL,
  reproduced INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  reason TEXT NOT NULL,
  first_test INTEGER NOT NULL);
CREATE TABLE sightings(
  finding TEXT NOT NULL REFERENCES findings(id),
  test INTEGER NOT NULL,
  PRIMARY KEY(finding, test)) WITHOUT ROWID;
CREATE TABLE counts(
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY(subject, name)) WITHOUT ROWID;
)";

}  // namespace

std::string database_file(const std::string& folder) { return folder + "/campaign.db"; }

Result<bool> make_tables(Database& database, const std::string& settings) {
  Transaction transaction(database);
  if (!transaction.begun().ok()) return transaction.begun().error();
  Result<std::int64_t> tables = database.number("SELECT count(*) FROM sqlite_master");
  if (!tables.ok()) return tables.error();
  if (tables.value() > 0) return false;
  if (Status made = database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; {}",
                                                 kApplicationId, kSchemaVersion, kTables));
      !made.ok())
    return made.error();
  if (Status put = database.prepare("INSERT INTO settings VALUES(?1)").bind(1, settings).run(); !put.ok())
    return put.error();
  if (Status committed = transaction.commit(); !committed.ok()) return committed.error();
  return true;
}

Result<std::unique_ptr<Database>> open_campaign(const std::string& folder, Database::Mode mode) {
  const std::string file = database_file(folder);
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown) && !unknown)
    return Error{fmt::format("there is no campaign in {}: it has no campaign.db", folder)};
  Result<std::unique_ptr<Database>> opened = Database::open(file, mode);
  if (!opened.ok()) return opened;
  Database& database = *opened.value();
  Result<std::int64_t> application = database.number("PRAGMA application_id");
  if (!application.ok()) return application.error();
  Result<std::int64_t> version = database.number("PRAGMA user_version");
  if (!version.ok()) return version.error();
  if (application.value() != kApplicationId)
    return Error{fmt::format("{} is no campaign of jitprobe: take another folder", file)};
  if (version.value() > kSchemaVersion)
    return Error{fmt::format("{} was written by a newer jitprobe (schema {}, this one reads up to {}): use that one",
                             file, version.value(), kSchemaVersion)};
  return opened;
}

Status check_sound(Database& database) {
  Statement check = database.prepare("PRAGMA quick_check(1)");
  std::string answer = check.step() ? check.text(0) : "";
  if (Status status = check.status(); !status.ok()) return status;
  std::replace(answer.begin(), answer.end(), '\n', ' ');
  if (answer != "ok")
    return Error{
        fmt::format("{} is damaged ({}): take it from a copy, or start another campaign", database.file(), answer)};
  return Done{};
}

}  // namespace jp::report
