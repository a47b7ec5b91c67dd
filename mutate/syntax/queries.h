// What a statement or an expression is, asked of its syntax: the one place that tells assignments, calls and effects
// from nodes.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lineage.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A node and all below it, in source order, tokens too. Nodes of the `closed` kinds are left out with all that they
/// hold.
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

/// All of a node, of the statements from `first` to `last`, of a file.
Subtree nodes_of(const Node& node, std::vector<std::string_view> closed = {});
Subtree nodes_of(const Statement& first, const Statement& last);
Subtree nodes_of(const Tree& tree);
/// Kinds of nodes whose names are their own: lambdas, comprehensions; and strings.
const std::vector<std::string_view>& own_scopes();

/// The one expression, assignment or call that an expression statement is, or no node.
Node sole_expression(const Statement& statement);

/// `left = right`, `left: type = right`, `left += right`; of `left = other = right` the right side is an assignment.
struct Assignment {
  Node node;
  Node left;
  Node right;  // no node for `left: type`
  Node type;

  explicit operator bool() const { return static_cast<bool>(node); }
  bool augmented() const { return node.is("augmented_assignment"); }
  /// The name of `name = value`, where `value` may be an assignment; no node for every other form.
  Node name() const;
  /// The same for `name = value` with a value of its own.
  Node only_name() const { return right && right.is("assignment") ? Node() : name(); }
};
/// The node as an assignment, or none.
Assignment assignment(const Node& node);
/// The assignment that the statement is, or none.
Assignment assignment(const Statement& statement);
/// The node is what an assignment assigns to, or a part of that, within the statement or expression `around`.
bool in_target(const Node& node, const Node& around);

/// A call's parts.
struct Call {
  Node node;
  Node function;
  Node arguments;         // an argument_list, or the generator that stands in its place
  Node object;            // "v0" of `v0.add(v1)`, "torch" of `torch.add(v0, v1)`; no node where a name is called
  std::string_view name;  // "add"; all of the function's text where it is neither a name nor an attribute

  explicit operator bool() const { return static_cast<bool>(node); }
  /// What is handed over by that keyword, or no node.
  Node keyword(std::string_view word) const;
  /// `*list` or `**dict` is among the arguments.
  bool splats() const;
};
/// The node as a call, or none.
Call call(const Node& node);
/// A call calls it.
bool is_called(const Node& node);
/// `add_` and the like: a method or function of torch that writes in place.
bool names_write(std::string_view function);

/// What one statement's own text does, without its blocks. Names are those at the root: "v0" of `v0[1]`, `v0.grad`.
struct Effects {
  std::vector<std::string_view> names;    // all that it mentions, but attributes and keywords
  std::vector<std::string_view> bound;    // that it binds or writes
  std::vector<std::string_view> written;  // that it writes in place: by parts, methods, functions, `out=`, `+=`
  std::vector<std::string_view> indices;  // in the brackets of subscripts
  std::vector<Call> calls;
  bool writes_parts = false;  // `x[i] = v`
};
Effects effects_of(const Statement& statement);

/// A statement of one of those kinds stands around it in the same function.
bool stands_in(const Parsed& parsed, const Statement& statement, std::initializer_list<std::string_view> kinds);
/// A `while` stands around it: another effect of it, and the loop may never end.
bool in_while(const Parsed& parsed, const Statement& statement);
/// `return`, `raise`, `break` or `continue`: nothing behind it in its block runs.
bool ends_block(const Statement& statement);
/// A text where Python takes it for documentation.
bool is_docstring(const Statement& statement);
/// The name of the function or class that the statement defines, or "".
std::string_view defined_name(const Statement& statement);
/// The statement stands in the function of the module that has that name, and in no function within.
bool in_function(const Parsed& parsed, const Statement& statement, std::string_view name);

/// A site without a path for each statement that fits.
template <typename Fits>
std::vector<Site> statement_sites(const Parsed& parsed, const Fits& fits) {
  std::vector<Site> found;
  for (const Statement& statement : parsed.statements())
    if (fits(statement)) found.push_back({statement.id, ""});
  return found;
}

}  // namespace jp::mutate
