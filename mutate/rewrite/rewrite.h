// Lines and indentation: where statements may be put between others, and the edits that put them there, so that all
// that is left alone stays byte for byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/edit.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A line to insert, `depth` steps deeper than the statement that it is put beside.
struct Line {
  std::string text;
  int depth = 0;
};
using Lines = std::vector<Line>;

/// The lines, so many steps deeper.
Lines deeper(Lines lines, int depth = 1);

/// A program that can see its own code, frames or the lifetime of its objects: no rewrite is safe there.
bool uses_introspection(const Parsed& parsed);

/// The statement stands on its own lines in the body of a plain function that is not one of the file's contract
/// functions besides the entry (make_inputs, before_call, observe): statements may be put before and behind it, names
/// may be added. False for class bodies, docstrings, functions that ask for their names at run time.
bool insertion_point(const Parsed& parsed, const Statement& statement);

/// Statements of one block from `first` to `last`; both must stand in it. Empty when they don't, or in wrong order.
std::vector<const Statement*> run_between(const Parsed& parsed, const Statement& first, const Statement& last);

/// The statement that follows in its block, or nullptr.
const Statement* next_in_block(const Parsed& parsed, const Statement& statement);

/// Builds the edits of one step.
class Rewrite {
 public:
  Rewrite(const Parsed& parsed, int step_number) : parsed_(parsed), step_number_(step_number) {}

  /// A name that is nowhere in the file nor made by this step: "t7".
  std::string name(std::string_view base);
  /// Lines right before the statement, at its indentation.
  void before(const Statement& statement, const Lines& lines);
  /// Lines right behind the statement (and a comment at its end).
  void after(const Statement& statement, const Lines& lines);
  /// One more step of indentation for the statements from `first` to `last`; lines inside strings stay.
  void indent(const Statement& first, const Statement& last);
  /// Lines in the place of the lines from `first` to `last`, at their indentation.
  void instead(const Statement& first, const Statement& last, const Lines& lines);
  /// New text for a node.
  void replace(const Node& node, std::string text) { edits_.replace(node.begin(), node.end(), std::move(text)); }
  void insert(std::size_t at, std::string text) { edits_.insert(at, std::move(text)); }
  void erase(std::size_t begin, std::size_t end) { edits_.erase(begin, end); }

  const EditSet& edits() const { return edits_; }

 private:
  const Parsed& parsed_;
  int step_number_;
  NameSet taken_;
  EditSet edits_;
};

/// One step of indentation beside that statement: a tab where the file indents by tabs, else four spaces.
std::string indent_unit(const Parsed& parsed, const Statement& statement);
/// The byte at which the statement's first line begins.
std::size_t lines_begin(const Statement& statement);
/// The byte behind the line break of the statement's last line, or the end of the source.
std::size_t lines_end(const Parsed& parsed, const Statement& statement);
/// The lines of the statements from `first` to `last` at another indentation; lines inside strings stay.
std::string moved_text(const Parsed& parsed, const Statement& first, const Statement& last, const std::string& indent);
/// Whether the byte stands inside a string literal.
bool in_string(const Parsed& parsed, std::size_t position);

}  // namespace jp::mutate
