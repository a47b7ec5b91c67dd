#include "report/database.h"

#include <fmt/format.h>

#include "core/check.h"

namespace jp::report {
namespace {

// One sentence for each way in which a database fails, with what to do.
std::string explain(sqlite3* connection, int code, const std::string& file) {
  const std::string detail = connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return fmt::format("the disk that holds {} is full: make room and go on with --resume; nothing kept is lost",
                         file);
    case SQLITE_IOERR:
      return fmt::format("{} could not be read or written ({}): make room or repair the disk, then go on with --resume",
                         file, detail);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return fmt::format("{} is damaged ({}): take it from a copy, or start another campaign", file, detail);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fmt::format("{} is in use by another process: wait until it has ended", file);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return fmt::format("{} may not be written: change its permissions or take another folder", file);
    case SQLITE_CANTOPEN:
      return fmt::format("{} could not be opened: check that its folder is there and may be written", file);
    default:
      return fmt::format("{} failed: {}", file, detail);
  }
}

}  // namespace

Statement::Statement(sqlite3* connection, std::string_view sql, std::string file)
    : connection_(connection), file_(std::move(file)) {
  sqlite3_stmt* statement = nullptr;
  note(sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
  statement_.reset(statement);
}

void Statement::note(int code) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  JP_CHECK(code != SQLITE_MISUSE && code != SQLITE_RANGE, "wrong use of a statement: {}", sqlite3_errmsg(connection_));
  if (failure_.empty()) failure_ = explain(connection_, code, file_);
}

Statement& Statement::bind(int index, std::int64_t value) {
  if (statement_) note(sqlite3_bind_int64(statement_.get(), index, value));
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  if (statement_)
    note(sqlite3_bind_text(statement_.get(), index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_null(int index) {
  if (statement_) note(sqlite3_bind_null(statement_.get(), index));
  return *this;
}

bool Statement::step() {
  if (!statement_ || !failure_.empty()) return false;
  const int code = sqlite3_step(statement_.get());
  note(code);
  return code == SQLITE_ROW;
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

void Statement::reset() {
  if (statement_) sqlite3_reset(statement_.get());
}

Status Statement::run() {
  while (step()) {
  }
  reset();
  return status();
}

Status Statement::status() const {
  if (failure_.empty()) return Done{};
  return Error{failure_};
}

Result<std::unique_ptr<Database>> Database::open(const std::string& file, Mode mode) {
  std::unique_ptr<Database> database(new Database(file));
  const int flags = mode == Mode::kReadOnly    ? SQLITE_OPEN_READONLY
                    : mode == Mode::kReadWrite ? SQLITE_OPEN_READWRITE
                                               : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &connection, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  database->connection_.reset(connection);
  if (code != SQLITE_OK) return Error{explain(connection, code, file)};
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, 5000);
  if (mode != Mode::kReadOnly)
    if (Status set =
            database->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
        !set.ok())
      return set.error();
  return database;
}

Status Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return Done{};
  JP_CHECK((code & 0xFF) != SQLITE_MISUSE, "wrong use of the database: {}", sql);
  return Error{explain(connection_.get(), code, file_)};
}

Result<std::int64_t> Database::number(std::string_view sql) {
  Statement statement = prepare(sql);
  const std::int64_t value = statement.step() ? statement.integer(0) : 0;
  if (Status status = statement.status(); !status.ok()) return status.error();
  return value;
}

Transaction::~Transaction() {
  // A failed statement may have rolled back already; rolling back again would be a meaningless error.
  if (begun_.ok() && !done_) (void)database_.execute("ROLLBACK");
}

Status Transaction::commit() {
  Status committed = database_.execute("COMMIT");
  done_ = committed.ok();
  return committed;
}

}  // namespace jp::report
