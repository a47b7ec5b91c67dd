// Queries over syntax: where the libraries recognise assignments, calls, their arguments, attributes, operators and
// effects of statements from nodes.
#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
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
Node sole_expression(const Node& statement);
Node sole_expression(const Statement& statement);
/// The value that the statement returns ("a, b" is one value), or no node.
Node returned_value(const Statement& statement);

/// "a, b" or "(a, b)" as a target.
bool is_target_tuple(const Node& node);

/// `left = right`, `left: type = right` or `left += right`. In `left = other = right` the right side is itself an
/// assignment.
struct Assignment {
  Node node;
  Node left;
  Node right;  // no node for `left: type`
  Node type;

  explicit operator bool() const { return static_cast<bool>(node); }
  bool augmented() const { return node && node.is("augmented_assignment"); }
  /// The name of `name = value`, where `value` may be an assignment; no node for every other form.
  Node name() const;
  /// The same, but no node if `value` is an assignment too.
  Node only_name() const { return right && right.is("assignment") ? Node() : name(); }
};
/// The node as an assignment; an empty one (false) if it is none.
Assignment assignment(const Node& node);
/// The statement as an assignment; an empty one if it is none.
Assignment assignment(const Statement& statement);
/// What the assignment's names are bound to in the end: "v" for `v`, `a = v` and `a = b = v`; no node for `a: type`.
Node assigned_value(Node node);
/// The node is the whole target of an assignment, of a `for` loop or of a comprehension's `for`.
bool is_target(const Node& node);
/// The node is the target of an assignment inside `around` (a statement or an expression), or part of such a target.
bool in_target(const Node& node, const Node& around);

/// `object.name`, read, written or called.
struct Attribute {
  Node node;
  Node object;
  Node label;  // the identifier after the dot
  std::string_view name;

  explicit operator bool() const { return static_cast<bool>(node); }
};
/// The node as an attribute; an empty one (false) if it is none.
Attribute attribute(const Node& node);
/// The node with which a path of attributes begins: "a" for `a.b.c`, "f()" for `f().b`, the node itself for others.
Node path_root(Node node);
/// The identifier after the dot of an attribute.
bool is_attribute_name(const Node& node);
/// An identifier that stands for a variable: neither an attribute's name nor a keyword of a call.
bool is_variable(const Node& node);

/// An argument of a call: `value`, or `keyword=value`.
struct GivenArgument {
  std::string_view keyword;  // "" for an argument by position
  Node node;                 // the value
};
/// `keyword=value` among the arguments of a call; for every other node the node itself without a keyword.
GivenArgument given_argument(const Node& argument);
/// The node is an argument by keyword; `word` says which, "" any.
bool is_keyword(const Node& node, std::string_view word = "");

/// `*list` or `**dict`.
bool is_splat(const Node& node);

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
  /// A generator stands in place of the arguments: `sum(x for x in y)`.
  bool takes_generator() const { return !arguments.is("argument_list"); }
  /// The arguments by position, without `*list`; none if a generator stands in their place.
  std::vector<Node> positional() const;
  /// All arguments in source order; nothing if one is a generator or starred, which may stand for several.
  std::optional<std::vector<GivenArgument>> given() const;
};
/// The node as a call; an empty one (false) if it is none.
Call call(const Node& node);
/// The call of which the node is an argument, by position or as the value of a keyword; an empty one if there is none.
Call call_with(const Node& argument);
/// The node is the function of a call.
bool is_called(const Node& node);

/// An operator and its operands: `-a`, `a + b`, `a and b`, `a < b`, `a += b`.
struct Operation {
  enum class Kind { kNone, kUnary, kBinary, kBoolean, kComparison, kAugmented };
  Kind kind = Kind::kNone;
  Node node;
  Node sign;   // the token of the operator; the first one in `a < b < c`
  Node left;   // no node for a unary operator; "a" in `a < b < c`
  Node right;  // the only operand of a unary operator; "c" in `a < b < c`

  explicit operator bool() const { return static_cast<bool>(node); }
  /// "+", "<", "not in"; "+=" for an augmented assignment.
  std::string_view symbol() const { return sign.text(); }
  /// `a < b < c`.
  bool chained() const { return kind == Kind::kComparison && node.children().size() != 2; }
};
/// The node as an operation; an empty one (false) if it is none. `not a` is none, since it gives no tensor.
Operation operation(const Node& node);

/// The outermost parentheses that hold nothing but the node; the node itself where there are none.
Node with_parentheses(Node node);
/// A name, an attribute, a subscript, a call, or anything in parentheses: a dot or an operator beside it takes all of
/// it.
bool is_primary(const Node& node);
/// `2j`. The grammar calls it an integer or a float.
bool is_imaginary(const Node& node);
/// A real number without a sign, as a literal; `2j` is none.
bool is_unsigned_number(const Node& node);
/// A real number as a literal, possibly with signs.
bool is_number(const Node& node);
/// A list, a tuple, or a tuple without parentheses.
bool is_sequence(const Node& node);
/// Nodes of that kind have no side effects of their own; the functions that are called must be checked separately.
bool is_pure_kind(std::string_view kind);
/// Whether a method or function of torch with that name writes in place (`add_`).
bool names_write(std::string_view function);

/// The effects of one statement's own text, without its blocks. A name stands for whatever is reached through it: "v0"
/// for `v0[1]` and `v0.grad`.
struct Effects {
  std::vector<std::string_view> names;  // all names in it, without attributes and keywords
  std::vector<std::string_view> bound;  // names that it binds or writes
  /// Names written in place: by subscript, `.data` and the like, method, function, `out=`, `+=`, and calls that
  /// writing_calls.h knows.
  std::vector<std::string_view> written;
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
/// The statement defines a function.
bool defines_function(const Statement& statement);
/// `import a`, `from a import b` or `from __future__ import a`.
bool is_import(const Node& node);
/// The names that imports of the file other than `from __future__` bind: "torch", "F".
std::set<std::string> imported_names(const Tree& tree);
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
