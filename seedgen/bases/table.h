// Tables: small programs, one or two statements each, one for every combination of what a table varies. Where random
// programs meet a pair of features by chance, a table meets all of them once.
//
// A table is one file in tables/. Its cells are numbered from 0 in a fixed order; cell i is the same program on every
// machine. Combinations whose result in eager is an error or is not defined are no cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "core/registry.h"
#include "core/result.h"

namespace jp::seedgen {

class Table {
 public:
  virtual ~Table() = default;
  /// Its file's name without the ending.
  virtual std::string_view name() const = 0;
  /// One line: what differs from cell to cell.
  virtual std::string_view varies() const = 0;
  /// Programs in it, at least one.
  virtual std::uint64_t size() const = 0;
  /// The program file of a cell below size().
  virtual std::string text(std::uint64_t cell) const = 0;
};

/// The program of a cell with its lineage set; an error when the table has no such cell.
Result<Program> table_program(const Table& table, std::uint64_t cell);

/// A table whose cells are the combinations of some axes, those left out that are not defined. The last axis runs
/// fastest.
class Grid : public Table {
 public:
  /// One position on each axis.
  using At = std::vector<std::size_t>;

  std::uint64_t size() const final;
  std::string text(std::uint64_t cell) const final;

 protected:
  /// The length of each axis.
  virtual At lengths() const = 0;
  /// Whether eager gives a defined result there.
  virtual bool defined(const At& /*at*/) const { return true; }
  virtual std::string text_at(const At& at) const = 0;

 private:
  At at(std::uint64_t combination) const;
  const std::vector<std::uint32_t>& cells() const;

  mutable std::once_flag once_;
  mutable std::vector<std::uint32_t> cells_;  // combinations that are defined, ascending
};

/// The parts of a program file. Lines of bodies stand without their function's indentation; every text that is not
/// empty ends with a newline, except `parameters`.
struct Sheet {
  /// Definitions before everything else.
  std::string head;
  /// The body of make_inputs; "" for no such function.
  std::string inputs;
  std::string parameters;
  std::string body;
  /// Definitions after the program.
  std::string foot;
};

std::string print(const Sheet& sheet);

/// The lines four spaces further to the right, empty ones left as they are.
std::string indented(std::string_view lines);

}  // namespace jp::seedgen
