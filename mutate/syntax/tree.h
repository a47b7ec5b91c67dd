// A Python file's concrete syntax tree as plain data. Only tree.cpp and tree_parser.cpp use tree-sitter: its tree is
// copied into an array in preorder, so that a node is a small handle (tree, index) that is valid as long as the Tree is
// and needs no parser. Node kinds and field names are those of tree-sitter-python 0.23.6 ("call", "left").
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/edit.h"
#include "core/result.h"

namespace jp::mutate {

class Tree;
class NodeRange;

/// A node of a Tree, or no node (then only operator bool may be called).
class Node {
 public:
  Node() = default;
  Node(const Tree* tree, int index) : tree_(tree), index_(index) {}

  explicit operator bool() const { return tree_ != nullptr; }
  const Tree& tree() const { return *tree_; }
  bool operator==(const Node&) const = default;
  /// Number in preorder: parents before children, in source order.
  int index() const { return index_; }
  /// The grammar's name of the node: "binary_operator"; a token's kind is its text.
  std::string_view kind() const;
  bool is(std::string_view kind_asked) const;
  /// The grammar's number of that name: kind_number(kind()).
  std::uint16_t number() const;
  /// False for punctuation and keywords.
  bool named() const;
  /// The name of the parent's field that it is in, or "".
  std::string_view field_name() const;
  /// Bytes [begin, end) of the source.
  std::size_t begin() const;
  std::size_t end() const;
  std::string_view text() const;
  /// The parent; no node for the root.
  Node parent() const;
  /// All children, tokens and comments too.
  NodeRange tokens() const;
  /// Named children without comments.
  NodeRange children() const;
  /// The first child in that field, or no node.
  Node field(std::string_view name) const;
  /// Whether a token of that kind is a direct child ("async", "*").
  bool has_token(std::string_view kind_asked) const;
  /// One past the index of the last descendant: the descendants are [index() + 1, past()).
  int past() const;

 private:
  friend class NodeRange;
  const Tree* tree_ = nullptr;
  int index_ = -1;
};

/// Children of a node, in order. Nothing is stored: size() and operator[] walk over the children, in linear time.
class NodeRange {
 public:
  class Iterator {
   public:
    using value_type = Node;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(Node at, int past, bool named) : at_(at), past_(past), named_(named) { skip(); }
    Node operator*() const { return at_; }
    Iterator& operator++();
    Iterator operator++(int);
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    void skip();
    Node at_;
    int past_ = 0;
    bool named_ = false;
  };

  NodeRange() = default;
  NodeRange(Node parent, bool named) : parent_(parent), named_(named) {}
  Iterator begin() const;
  Iterator end() const;
  bool empty() const { return begin() == end(); }
  std::size_t size() const;
  Node front() const { return *begin(); }
  Node back() const;
  Node operator[](std::size_t place) const;
  operator std::vector<Node>() const { return {begin(), end()}; }

 private:
  Node parent_;
  bool named_ = false;
};

/// The source and its nodes. Made only by parsing; not copyable, since Node and string_views point into it.
class Tree {
 public:
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const std::string& source() const { return source_; }
  Node root() const { return {this, 0}; }
  Node node(int index) const { return {this, index}; }
  int size() const { return static_cast<int>(nodes_.size()); }
  /// Row (from 0) and column (in bytes, from 0) of a byte.
  std::size_t row(std::size_t position) const;
  std::size_t column(std::size_t position) const;

 private:
  friend class Node;
  friend class NodeRange;
  friend class TreeParser;
  friend class TreePatch;
  friend class TreeFill;
  struct Data {
    std::uint16_t kind = 0;   // the grammar's number of its kind
    std::uint16_t field = 0;  // 0: none
    bool named = false;
    bool child = false;  // it is among children(): named, and no comment
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    int parent = -1;
    int past = 0;
  };
  explicit Tree(std::string source);
  /// Copies the nodes [first, past) of another tree, with `moved` added to their byte positions. Nodes whose parent is
  /// not copied become children of `parent`.
  void append(const Tree& from, int first, int past, int parent, std::int64_t moved);

  // The grammar's names, indexed by its numbers.
  const std::string_view* kinds_;
  const std::string_view* fields_;
  std::string source_;
  std::vector<std::size_t> rows_;  // where each row begins
  std::vector<Data> nodes_;
};

inline std::string_view Node::kind() const { return tree_->kinds_[tree_->nodes_[index_].kind]; }
// The first characters are compared first: most nodes that are tested are of another kind, often with a name of the
// same length.
inline bool Node::is(std::string_view kind_asked) const {
  const std::string_view mine = kind();
  return mine.size() == kind_asked.size() && mine.front() == kind_asked.front() && mine == kind_asked;
}
inline std::string_view Node::field_name() const { return tree_->fields_[tree_->nodes_[index_].field]; }
inline std::uint16_t Node::number() const { return tree_->nodes_[index_].kind; }
inline bool Node::named() const { return tree_->nodes_[index_].named; }
inline std::size_t Node::begin() const { return tree_->nodes_[index_].begin; }
inline std::size_t Node::end() const { return tree_->nodes_[index_].end; }
inline int Node::past() const { return tree_->nodes_[index_].past; }
inline Node Node::parent() const {
  int parent = tree_->nodes_[index_].parent;
  return parent < 0 ? Node() : Node(tree_, parent);
}

/// The grammar's number of a kind of named nodes, or of a token.
std::uint16_t kind_number(std::string_view kind, bool named = true);

/// The tree of a source, or "does not parse at line L". Also refused: statements of Python 2, lone carriage returns,
/// and nesting deeper than 1,000 nodes.
Result<std::shared_ptr<const Tree>> parse_tree(const std::string& source);

/// Gives what parse_tree(source) gives, but parses only what the edits changed. `source` must be the old tree's source
/// after the edits.
Result<std::shared_ptr<const Tree>> parse_again(const Tree& old, const EditSet& edits, const std::string& source);

}  // namespace jp::mutate
