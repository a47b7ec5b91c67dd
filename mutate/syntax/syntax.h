// A program with its syntax tree, its statements, their lasting ids, and its scopes.
//
// A statement is a node that stands directly in the module or in a block; a decorated definition is one statement.
// Ids: the base program's statements are "s0", "s1", ... in source order, over all scopes. After step number N, a
// statement keeps its id when the step's edits leave the byte at which it starts in place (EditSet::map) and a
// statement of the same kind starts where that byte went; all others become "mN.0", "mN.1", ... in source order. So an
// id never passes to another statement, and rewrites that only insert text keep all ids.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/edit.h"
#include "core/place.h"
#include "core/program.h"
#include "core/result.h"
#include "mutate/syntax/name_set.h"
#include "mutate/syntax/tree.h"

namespace jp::mutate {

class OwnCode;
class Scopes;
struct Donor;

/// How control may leave a statement otherwise than to the next one, from itself or from its blocks; functions that it
/// defines don't count.
struct Exits {
  bool returns = false;
  bool raises = false;     // a raise or assert statement
  bool breaks = false;     // out of a loop around the statement
  bool continues = false;  // of a loop around the statement
  bool yields = false;
  bool awaits = false;  // await, async for, async with, asynchronous comprehensions
  /// Control may go elsewhere than to the next statement, exceptions aside.
  bool leaves() const { return returns || breaks || continues || yields || awaits; }
};

/// One statement. Indices count in source order, from 0.
struct Statement {
  std::string id;
  int index = 0;
  Node node;
  std::size_t begin = 0;
  std::size_t end = 0;
  /// The innermost statement around it, or -1.
  int parent = -1;
  /// The innermost function definition around it (its statement's index), or -1.
  int function = -1;
  /// Its block: an index into Parsed::blocks(), and its place there.
  int block = 0;
  int place = 0;
  /// Without blocks of its own.
  bool simple = true;
  /// Nothing else stands on its lines, except for a comment at the end.
  bool own_lines = false;
  /// The white space before it on its line (meaningful with own_lines).
  std::string indent;
  Exits exits;

  /// The grammar's name: "expression_statement", "for_statement", "decorated_definition".
  std::string_view kind() const { return node.kind(); }
  /// The function_definition or class_definition inside a decorated_definition; otherwise the statement itself.
  Node definition() const;
};

/// Statements that run one after another at one level.
struct Block {
  Node node;
  /// The statement that it belongs to, or -1 for the module.
  int owner = -1;
  std::vector<int> statements;
};

/// A program that parses. Cheap to copy; its nodes live as long as any copy of it.
class Parsed {
 public:
  const Program& program() const { return program_; }
  const std::string& source() const { return tree_->source(); }
  const Tree& tree() const { return *tree_; }
  const std::vector<Statement>& statements() const { return data_->statements; }
  const std::vector<Block>& blocks() const { return data_->blocks; }
  const Statement& statement(int index) const { return data_->statements[static_cast<std::size_t>(index)]; }
  /// The statement with that id, or nullptr.
  const Statement* find(std::string_view id) const;
  /// The innermost statement that holds the byte, or nullptr.
  const Statement* statement_at(std::size_t position) const;
  const Scopes& scopes() const;
  const OwnCode& own_code() const;
  /// A function's own names that are surely bound when the statement starts; empty outside of functions.
  const NameSet& surely_bound(const Statement& statement) const;
  /// Whether a word (letters, digits, underscores) stands anywhere in the source, comments and strings included.
  bool has_word(std::string_view word) const;
  /// Whether a word of a static list does; the answer is cached.
  template <const auto& kList>
  bool has_any() const {
    return has_any(std::span<const std::string_view>(kList));
  }

  /// The program that `splice` copies statements from; nullptr: this program itself. A step's result has the same
  /// donor.
  const Donor* donor() const { return donor_.get(); }
  Parsed with_donor(std::shared_ptr<const Donor> donor) const;

  /// The program after a step's edits, with ids by the rules above. `made` must be the edited text. Fails if that
  /// doesn't parse.
  Result<Parsed> after(const EditSet& edits, const Program& made, int step_number) const;

 private:
  struct Data {
    std::vector<Statement> statements;
    std::vector<Block> blocks;
    std::map<std::string, int, std::less<>> by_id;
  };
  struct LazyAnalyses;  // analyses computed on first use: many steps need none
  friend Result<Parsed> parse(const Program& program);
  explicit Parsed(Program program) : program_(std::move(program)) {}
  bool has_any(std::span<const std::string_view> words) const;  // the list's address is the cache's key
  static std::shared_ptr<LazyAnalyses> no_analyses_yet();
  static Parsed without_ids(const Program& program, std::shared_ptr<const Tree> tree);
  void add_statements();
  void add_exits(const std::vector<int>& statement_of);

  Program program_;
  std::shared_ptr<const Tree> tree_;
  std::shared_ptr<Data> data_;
  std::shared_ptr<LazyAnalyses> found_;
  std::shared_ptr<const Donor> donor_;
};

/// The program as a base ("s0", "s1", ...), whatever its lineage; or "does not parse at line L".
Result<Parsed> parse(const Program& program);

/// The places of all statements, in source order: a profile run keys its facts by them.
std::vector<StatementPlace> statement_places(const Parsed& parsed);

}  // namespace jp::mutate
