// Queries over syntax: the only place that recognises assignments, calls and effects of statements from nodes.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lineage.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A node and all its descendants in source order, tokens included. Nodes of the `closed` kinds are skipped together
/// with their descendants.
class Subtree {
 public:
  class Iterator {
   public:
    Iterator(const Subtree* of, int index) : of_(of), index_(index) { skip(); }
    Node operator*() const { return {of_->tree_, index_}; }
    Iterator& operator++() {
      ++index_;
      skip();
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    void skip() {
      while (!of_->closed_.empty() && index_ < of_->past_ && of_->is_closed(**this)) index_ = (**this).past();
    }
    const Subtree* of_;
    int index_;
  };

  Subtree(const Tree& tree, int first, int past, std::vector<std::string_view> closed)
      : tree_(&tree), first_(first), past_(past), closed_(std::move(closed)) {}
  Iterator begin() const { return {this, first_}; }
  Iterator end() const { return {this, past_}; }

 private:
  bool is_closed(const Node& node) const;

  const Tree* tree_;
  int first_;
  int past_;
  std::vector<std::string_view> closed_;
};

/// The nodes of a node, of the statements from `first` to `last`, or of a file.
Subtree nodes_of(const Node& node, std::vector<std::string_view> closed = {});
Subtree nodes_of(const Statement& first, const Statement& last);
Subtree nodes_of(const Tree& tree);
/// Kinds of nodes whose names are not names of the statement around them: lambdas, comprehensions and strings.
const std::vector<std::string_view>& own_scopes();

/// The only child of an expression statement (an expression, an assignment or a call), or no node.
Node sole_expression(const Statement& statement);

/// `left = right`, `left: type = right` or `left += right`. In `left = other = right` the right side is itself an
/// assignment.
struct Assignment {
  Node node;
  Node left;
  Node right;  // no node for `left: type`
  Node type;

  explicit operator bool() const { return static_cast<bool>(node); }
  bool augmented() const { return node.is("augmented_assignment"); }
  /// The name of `name = value`, where `value` may be an assignment; no node for every other form.
  Node name() const;
  /// The same, but no node if `value` is an assignment too.
  Node only_name() const { return right && right.is("assignment") ? Node() : name(); }
};
/// The node as an assignment; an empty one (false) if it is none.
Assignment assignment(const Node& node);
/// The statement as an assignment; an empty one if it is none.
Assignment assignment(const Statement& statement);
/// The node is the target of an assignment inside `around` (a statement or an expression), or part of such a target.
bool in_target(const Node& node, const Node& around);

/// The parts of a call.
struct Call {
  Node node;
  Node function;
  Node arguments;         // an argument_list, or the generator that stands in its place
  Node object;            // "v0" of `v0.add(v1)`, "torch" of `torch.add(v0, v1)`; no node where a name is called
  std::string_view name;  // "add"; all of the function's text where it is neither a name nor an attribute

  explicit operator bool() const { return static_cast<bool>(node); }
  /// The value of that keyword argument, or no node.
  Node keyword(std::string_view word) const;
  /// `*list` or `**dict` is among the arguments.
  bool splats() const;
};
/// The node as a call; an empty one (false) if it is none.
Call call(const Node& node);
/// The node is the function of a call.
bool is_called(const Node& node);
/// Whether a method or function of torch with that name writes in place (`add_`).
bool names_write(std::string_view function);

/// The effects of one statement's own text, without its blocks. A name stands for whatever is reached through it: "v0"
/// for `v0[1]` and `v0.grad`.
struct Effects {
  std::vector<std::string_view> names;    // all names in it, without attributes and keywords
  std::vector<std::string_view> bound;    // names that it binds or writes
  std::vector<std::string_view> written;  // names written in place: by subscript, method, function, `out=`, `+=`
  std::vector<std::string_view> indices;  // names in the brackets of subscripts
  std::vector<Call> calls;
  bool writes_parts = false;  // `x[i] = v`
};
Effects effects_of(const Statement& statement);

/// A statement of one of these kinds encloses it in the same function.
bool stands_in(const Parsed& parsed, const Statement& statement, std::initializer_list<std::string_view> kinds);
/// A `while` loop encloses it: if a mutation changes its effect, the loop may never end.
bool in_while(const Parsed& parsed, const Statement& statement);
/// The statement is `return`, `raise`, `break` or `continue`: later statements of its block never run.
bool ends_block(const Statement& statement);
/// The statement is a string literal at a place where Python takes it for documentation.
bool is_docstring(const Statement& statement);
/// The name of the function or class that the statement defines, or "".
std::string_view defined_name(const Statement& statement);
/// The statement stands in the module's function of that name, and not in a function nested in it.
bool in_function(const Parsed& parsed, const Statement& statement, std::string_view name);

/// A site with an empty path for each statement for which `fits` returns true.
template <typename Fits>
std::vector<Site> statement_sites(const Parsed& parsed, const Fits& fits) {
  std::vector<Site> found;
  for (const Statement& statement : parsed.statements())
    if (fits(statement)) found.push_back({statement.id, ""});
  return found;
}

}  // namespace jp::mutate
