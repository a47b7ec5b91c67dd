#include "report/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "codec/codec.h"
#include "core/files.h"
#include "report/files.h"
#include "report/schema.h"

namespace jp::report {
namespace {

std::int64_t key(std::uint64_t number) { return static_cast<std::int64_t>(number); }

}  // namespace

int rank(std::string_view status) { return status == "confirmed" ? 2 : status == "flaky" ? 1 : 0; }

Store::Store(std::string folder, std::unique_ptr<Lock> lock, std::unique_ptr<Database> database)
    : folder_(std::move(folder)),
      settings_(std::make_unique<codec::Json>()),
      lock_(std::move(lock)),
      database_(std::move(database)) {}

Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::create(const std::string& folder, const codec::Json& settings) {
  std::error_code unknown;
  const bool there = std::filesystem::exists(folder, unknown);
  if (Status made = make_folder(folder); !made.ok()) return made.error();
  if (Status local = require_local(folder); !local.ok()) return local.error();
  Result<std::unique_ptr<Lock>> lock = Lock::take(folder);
  if (!lock.ok()) return lock.error();
  Result<std::unique_ptr<Database>> database = Database::open(database_file(folder), Database::Mode::kCreate);
  if (!database.ok()) return database.error();
  Result<bool> made = make_tables(*database.value(), codec::text(settings));
  if (!made.ok()) return made.error();
  if (!made.value())
    return Error{fmt::format("{} holds a campaign already: go on with --resume, or take another folder", folder)};
  std::unique_ptr<Store> store(new Store(folder, std::move(lock).value(), std::move(database).value()));
  store->made_folder_ = !there;
  if (Status loaded = store->load(); !loaded.ok()) return loaded.error();
  return store;
}

Result<std::unique_ptr<Store>> Store::open(const std::string& folder) {
  Result<std::unique_ptr<Database>> there = open_campaign(folder, Database::Mode::kReadOnly);
  if (!there.ok()) return there.error();
  if (Status sound = check_sound(*there.value()); !sound.ok()) return sound.error();
  if (Status local = require_local(folder); !local.ok()) return local.error();
  Result<std::unique_ptr<Lock>> lock = Lock::take(folder);
  if (!lock.ok()) return lock.error();
  Result<std::unique_ptr<Database>> database = Database::open(database_file(folder), Database::Mode::kReadWrite);
  if (!database.ok()) return database.error();
  std::unique_ptr<Store> store(new Store(folder, std::move(lock).value(), std::move(database).value()));
  if (Status loaded = store->load(); !loaded.ok()) return loaded.error();
  return store;
}

void Store::discard(std::unique_ptr<Store> store) {
  const Result<std::vector<std::uint64_t>> begun = store->under_way();
  if (!begun.ok() || !begun.value().empty() || store->finished().size() > 0) return;
  const std::string folder = store->folder();
  const std::string database = database_file(folder);
  const bool ours = store->made_folder_;
  store.reset();
  std::error_code ignored;
  for (const std::string& file : {database, database + "-wal", database + "-shm", lock_file(folder)})
    std::filesystem::remove(file, ignored);
  if (ours) std::filesystem::remove(folder, ignored);
}

Status Store::load() {
  Statement settings = database_->prepare("SELECT text FROM settings");
  if (settings.step()) {
    Result<codec::Json> parsed = codec::parse_text(settings.text(0));
    if (!parsed.ok()) return parsed.error();
    settings_ = std::make_unique<codec::Json>(std::move(parsed).value());
  }
  if (Status read = settings.status(); !read.ok()) return read;
  Statement tests = database_->prepare("SELECT number FROM tests WHERE verdict IS NOT NULL ORDER BY number");
  while (tests.step()) finished_.add(static_cast<std::uint64_t>(tests.integer(0)));
  return tests.status();
}

Status Store::set_setting(const std::string& name, const codec::Json& value) {
  std::lock_guard lock(mutex_);
  codec::Json changed = *settings_;
  changed[name] = value;
  if (Status put = database_->prepare("UPDATE settings SET text = ?1").bind(1, codec::text(changed)).run(); !put.ok())
    return put;
  settings_ = std::make_unique<codec::Json>(std::move(changed));
  return Done{};
}

bool Store::is_finished(std::uint64_t number) const {
  std::lock_guard lock(mutex_);
  return finished_.contains(number);
}

std::uint64_t Store::first_unfinished() const {
  std::lock_guard lock(mutex_);
  return finished_.first_missing();
}

Ranges Store::finished() const {
  std::lock_guard lock(mutex_);
  return finished_;
}

Result<std::vector<std::uint64_t>> Store::under_way() const {
  std::lock_guard lock(mutex_);
  std::vector<std::uint64_t> numbers;
  Statement tests = database_->prepare("SELECT number FROM tests WHERE verdict IS NULL ORDER BY number");
  while (tests.step()) numbers.push_back(static_cast<std::uint64_t>(tests.integer(0)));
  if (Status read = tests.status(); !read.ok()) return read.error();
  return numbers;
}

Status Store::put_begun(std::uint64_t number, const Program& program, const Plan& plan) {
  return database_
      ->prepare(
          "INSERT INTO tests(number, sha256, program, plan) VALUES(?1, ?2, ?3, ?4) ON CONFLICT(number) DO UPDATE SET "
          "sha256 = excluded.sha256, program = excluded.program, plan = excluded.plan WHERE verdict IS NULL")
      .bind(1, key(number))
      .bind(2, program.sha256())
      .bind(3, program.source())
      .bind(4, codec::text(codec::to_json(plan)))
      .run();
}

Status Store::begin_test(std::uint64_t number, const Program& program, const Plan& plan) {
  std::lock_guard lock(mutex_);
  return put_begun(number, program, plan);
}

Status Store::skip_test(std::uint64_t number, std::string_view verdict, std::string_view reason) {
  std::lock_guard lock(mutex_);
  Statement update = database_->prepare(
      "INSERT INTO tests(number, sha256, verdict, rule, reason) VALUES(?1, '', ?2, 'skipped', ?3) ON CONFLICT(number) "
      "DO UPDATE SET verdict = excluded.verdict, rule = excluded.rule, reason = excluded.reason WHERE verdict IS NULL");
  if (Status put = update.bind(1, key(number)).bind(2, verdict).bind(3, reason).run(); !put.ok()) return put;
  finished_.add(number);
  return Done{};
}

// Whatever is in a database at the end costs little more for a thousand tests than for one: statements are prepared
// once, and counts are added up first.
Status Store::put_made(const std::vector<MadeTest>& tests) {
  Statement row = database_->prepare(
      "INSERT INTO tests(number, sha256, program, plan, verdict, rule, reason) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON "
      "CONFLICT(number) DO UPDATE SET sha256 = excluded.sha256, program = excluded.program, plan = excluded.plan, "
      "verdict = excluded.verdict, rule = excluded.rule, reason = excluded.reason WHERE verdict IS NULL");
  Statement sighting = database_->prepare("INSERT OR IGNORE INTO sightings VALUES(?1, ?2)");
  Counts sums;
  for (const MadeTest& test : tests) {
    const bool keep = test.program && test.verdict->kind == Verdict::Kind::kDiverge;
    row.bind(1, key(test.number)).bind(2, test.program ? test.program->sha256() : "").bind_null(3).bind_null(4);
    if (keep) row.bind(3, test.program->source()).bind(4, codec::text(codec::to_json(*test.plan)));
    row.bind(5, test.program ? verdict_name(test.verdict->kind) : "rejected");
    row.bind(6, test.program ? std::string_view(test.verdict->rule) : "skipped");
    row.bind(7, test.program ? std::string_view(test.verdict->reason) : "");
    if (Status put = row.run(); !put.ok()) return put;
    // No row changed: the test has its verdict, and has added its counts.
    if (database_->changes() > 0)
      for (const auto& [subject, names] : *test.counts)
        for (const auto& [name, value] : names) sums[subject][name] += value;
    for (const std::string& id : test.sightings)
      if (Status put = sighting.bind(1, id).bind(2, key(test.number)).run(); !put.ok()) return put;
  }
  return put_counts(sums);
}

Status Store::add_tests(const std::vector<MadeTest>& tests) {
  std::lock_guard lock(mutex_);
  Transaction transaction(*database_);
  if (!transaction.begun().ok()) return transaction.begun().error();
  if (Status put = put_made(tests); !put.ok()) return put;
  if (Status committed = transaction.commit(); !committed.ok()) return committed;
  for (const MadeTest& test : tests) finished_.add(test.number);
  return Done{};
}

Status Store::break_test(std::uint64_t number, std::string_view verdict, std::string_view reason) {
  std::lock_guard lock(mutex_);
  return database_
      ->prepare("UPDATE tests SET verdict = ?2, rule = 'skipped', reason = ?3 WHERE number = ?1 AND verdict NOT NULL")
      .bind(1, key(number))
      .bind(2, verdict)
      .bind(3, reason)
      .run();
}

Status Store::put_counts(const Counts& counts) {
  Statement add = database_->prepare(
      "INSERT INTO counts VALUES(?1, ?2, ?3) ON CONFLICT(subject, name) DO UPDATE SET value = value + excluded.value");
  for (const auto& [subject, names] : counts)
    for (const auto& [name, value] : names)
      if (Status put = add.bind(1, subject).bind(2, name).bind(3, value).run(); !put.ok()) return put;
  return Done{};
}

Result<std::optional<Store::Stored>> Store::stored(const std::string& id, bool by_test) {
  Statement find = database_->prepare("SELECT status, first_test FROM findings WHERE id = ?1");
  find.bind(1, id);
  std::optional<Stored> row;
  if (find.step()) row = Stored{find.text(0), find.integer(1)};
  if (Status read = find.status(); !read.ok()) return read.error();
  if (row && by_test && row->first_test == key(kNoTest)) row.reset();
  return row;
}

Status Store::put_sighting(const std::string& id, std::uint64_t number) {
  return database_->prepare("INSERT OR IGNORE INTO sightings VALUES(?1, ?2)").bind(1, id).bind(2, key(number)).run();
}

Result<bool> Store::sighted(const std::string& id, std::uint64_t number) {
  std::lock_guard lock(mutex_);
  const auto row = stored(id);
  if (!row.ok()) return row.error();
  if (!row.value()) return false;
  if (Status put = put_sighting(id, number); !put.ok()) return put.error();
  return true;
}

Status Store::put_row(const Finding& finding, std::uint64_t number) {
  const Signature& signature = finding.signature;
  return database_
      ->prepare(
          "INSERT INTO findings VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT(id) DO UPDATE SET "
          "status = excluded.status, reproduced = excluded.reproduced, attempts = excluded.attempts, "
          "reason = excluded.reason, first_test = min(first_test, excluded.first_test)")
      .bind(1, signature.id())
      .bind(2, signature.kind)
      .bind(3, signature.backend)
      .bind(4, signature.stage)
      .bind(5, status_name(finding.status))
      .bind(6, std::int64_t{finding.reproduced})
      .bind(7, std::int64_t{finding.attempts})
      .bind(8, finding.verdict.reason)
      .bind(9, key(number))
      .run();
}

Status Store::write_folder(const Finding& finding, const ReproducerOptions& options) const {
  const std::string folder = fmt::format("{}/findings/{}", folder_, finding.signature.id());
  if (Status made = make_folder(folder); !made.ok()) return made;
  if (Status put = write_file(folder + "/program.py", finding.program.source()); !put.ok()) return put;
  if (Status put = write_file(folder + "/repro.py", reproducer(finding, options)); !put.ok()) return put;
  const codec::Json json = {{"version", codec::kVersion}, {"finding", codec::to_json(finding)}};
  return write_file(folder + "/finding.json", codec::text(json, 1) + "\n");
}

bool Store::is_better(const Finding& finding, std::uint64_t number, const std::optional<Stored>& row) {
  if (!row) return true;
  const bool first = finding.status == Finding::Status::kKnown && key(number) < row->first_test;
  return first || rank(status_name(finding.status)) > rank(row->status);
}

Result<bool> Store::only_sights(const Finding& finding, std::uint64_t number) {
  std::lock_guard lock(mutex_);
  const auto row = stored(finding.signature.id(), number != kNoTest);
  if (!row.ok()) return row.error();
  return number != kNoTest && !is_better(finding, number, row.value());
}

Result<bool> Store::add_finding(const Finding& finding, std::uint64_t number, const ReproducerOptions& options) {
  std::lock_guard lock(mutex_);
  const std::string id = finding.signature.id();
  const auto row = stored(id, number != kNoTest);
  if (!row.ok()) return row.error();
  const bool fresh = !row.value();
  const bool better = is_better(finding, number, row.value());
  // The folder is written first: a row without its folder would be a lost finding, a folder without a row is written
  // again.
  if (better)
    if (Status written = write_folder(finding, options); !written.ok()) return written.error();
  Transaction transaction(*database_);
  if (!transaction.begun().ok()) return transaction.begun().error();
  if (better)
    if (Status put = put_row(finding, number); !put.ok()) return put.error();
  if (number != kNoTest)
    if (Status put = put_sighting(id, number); !put.ok()) return put.error();
  if (Status committed = transaction.commit(); !committed.ok()) return committed.error();
  return fresh;
}

}  // namespace jp::report
