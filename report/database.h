// A thin wrapper of SQLite: a connection and prepared statements, with errors as sentences. Nothing outside report/
// uses it.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"

namespace jp::report {

/// A prepared statement. Bind, step, read; `reset` before the next use. Errors are remembered and returned by `status`.
class Statement {
 public:
  Statement(sqlite3* connection, std::string_view sql, std::string file);

  /// `index`: of the parameter, from 1. Texts are copied; they are bytes, not checked to be UTF-8.
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_null(int index);
  /// True if there is a row to read. False at the end and on an error: check `status`.
  bool step();
  /// `column`: of the row that `step` reached, from 0. NULL reads as 0 and "".
  std::int64_t integer(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;
  /// Ready to be bound and stepped through anew; what is bound stays.
  void reset();
  /// Runs a statement without rows to its end.
  Status run();
  Status status() const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void note(int code);

  sqlite3* connection_;
  std::string file_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string failure_;
};

/// One connection. Not thread-safe: its owner holds a mutex.
class Database {
 public:
  enum class Mode { kReadOnly, kReadWrite, kCreate };

  /// Opens the file. kReadWrite and kCreate set WAL, synchronous FULL and foreign keys. A database that another process
  /// writes is waited for, 5 seconds at most. An Error when the file is missing (unless kCreate), damaged or in use.
  static Result<std::unique_ptr<Database>> open(const std::string& file, Mode mode);

  Statement prepare(std::string_view sql) { return Statement(connection_.get(), sql, file_); }
  /// Runs statements without parameters or results.
  Status execute(const std::string& sql);
  /// The first column of the first row of a query without parameters, 0 without a row.
  Result<std::int64_t> number(std::string_view sql);
  /// Rows that the last statement changed.
  int changes() const { return sqlite3_changes(connection_.get()); }
  const std::string& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  explicit Database(std::string file) : file_(std::move(file)) {}

  std::string file_;
  std::unique_ptr<sqlite3, Close> connection_;
};

/// Everything until `commit` is atomic; without a commit it is rolled back.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database), begun_(database.execute("BEGIN IMMEDIATE")) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  const Status& begun() const { return begun_; }
  Status commit();

 private:
  Database& database_;
  Status begun_;
  bool done_ = false;
};

}  // namespace jp::report
