// Edits by lines: where statements may be inserted, and edits that insert, indent and replace lines. All other bytes
// stay as they are.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/edit.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A line to insert, indented `depth` steps deeper than the statement at which it is inserted.
struct Line {
  std::string text;
  int depth = 0;
};
using Lines = std::vector<Line>;

/// The lines, `depth` steps deeper.
Lines deeper(Lines lines, int depth = 1);
/// Concatenation.
Lines operator+(Lines one, const Lines& other);

/// Appends.
template <typename T>
void add(std::vector<T>& to, const std::type_identity_t<std::vector<T>>& more) {
  to.insert(to.end(), more.begin(), more.end());
}
/// "a, b".
template <typename T>
std::string joined(const std::vector<T>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}
/// A tuple: "(a, b)", "(a,)", "()".
template <typename T>
std::string tuple_text(const std::vector<T>& parts) {
  return fmt::format("({}{})", fmt::join(parts, ", "), parts.size() == 1 ? "," : "");
}

/// The program may inspect its own code, its frames or the lifetime of its objects, so no rewrite is safe.
bool uses_introspection(const Parsed& parsed);

/// Statements may be put before and after the statement, and names may be added: it is on its own lines in the body of
/// a function other than make_inputs, before_call and observe. False for class bodies, docstrings, and functions that
/// look up names at run time (locals(), exec and the like).
bool insertion_point(const Parsed& parsed, const Statement& statement);

/// The statements from `first` to `last`. Empty if the two are in different blocks or in the wrong order.
std::vector<const Statement*> run_between(const Parsed& parsed, const Statement& first, const Statement& last);

/// The next statement of its block, or nullptr.
const Statement* next_in_block(const Parsed& parsed, const Statement& statement);

/// Builds the edits of one step.
class Rewrite {
 public:
  Rewrite(const Parsed& parsed, int step_number) : parsed_(parsed), step_number_(step_number) {}

  /// A name that occurs nowhere in the file and was not made by this step before: "t7".
  std::string name(std::string_view base);
  /// Inserts lines directly before the statement, at its indentation.
  void before(const Statement& statement, const Lines& lines);
  /// Inserts lines directly after the statement (and a comment at its end).
  void after(const Statement& statement, const Lines& lines);
  /// Indents the statements from `first` to `last` by one step; lines inside string literals stay.
  void indent(const Statement& first, const Statement& last);
  /// Replaces the lines from `first` to `last`, at their indentation.
  void instead(const Statement& first, const Statement& last, const Lines& lines);
  /// Replaces the text of a node, with a space where it would grow together with a word beside it: `return(x)`.
  void replace(const Node& node, std::string text);
  void insert(std::size_t at, std::string text) { edits_.insert(at, std::move(text)); }
  void erase(std::size_t begin, std::size_t end) { edits_.erase(begin, end); }

  const EditSet& edits() const { return edits_; }

 private:
  const Parsed& parsed_;
  int step_number_;
  NameSet taken_;
  EditSet edits_;
};

/// One step of indentation at that statement: a tab if the file indents by tabs, otherwise four spaces.
std::string indent_unit(const Parsed& parsed, const Statement& statement);
/// The byte at which the statement's first line begins.
std::size_t lines_begin(const Statement& statement);
/// The byte after the line break of the statement's last line, or the end of the source.
std::size_t lines_end(const Parsed& parsed, const Statement& statement);
/// The lines of the statements from `first` to `last` with another indentation; lines inside string literals stay.
std::string moved_text(const Parsed& parsed, const Statement& first, const Statement& last, const std::string& indent);
/// Whether the byte is inside a string literal.
bool in_string(const Parsed& parsed, std::size_t position);

}  // namespace jp::mutate
