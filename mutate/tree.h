// A Python file's concrete syntax tree as plain data. Only tree.cpp knows tree-sitter: it copies the parser's tree into
// an array in preorder, so that nodes are small handles (tree, index) which stay valid as long as the tree lives and
// need no parser behind them. Node kinds and field names are those of tree-sitter-python 0.23.6 ("call", "left").
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace jp::mutate {

class Tree;

/// A place in a Tree, or no node at all (then only `bool` may be asked).
class Node {
 public:
  Node() = default;
  Node(const Tree* tree, int index) : tree_(tree), index_(index) {}

  explicit operator bool() const { return tree_ != nullptr; }
  bool operator==(const Node&) const = default;
  /// Number in preorder: parents before children, in source order.
  int index() const { return index_; }
  /// The grammar's name of the node: "binary_operator"; a token's kind is its text.
  std::string_view kind() const;
  bool is(std::string_view kind_asked) const { return kind() == kind_asked; }
  /// False for punctuation and keywords.
  bool named() const;
  /// The field of the parent that it fills, or "".
  std::string_view field_name() const;
  /// Bytes [begin, end) of the source.
  std::size_t begin() const;
  std::size_t end() const;
  std::string_view text() const;
  /// No node at the root.
  Node parent() const;
  /// All children, tokens and comments too.
  std::vector<Node> tokens() const;
  /// Named children without comments.
  std::vector<Node> children() const;
  /// The first child in that field, or no node.
  Node field(std::string_view name) const;
  /// Whether a token of that kind is a direct child ("async", "*").
  bool has_token(std::string_view kind_asked) const;
  /// The first index behind this node's descendants: [index() + 1, past()) are all of them.
  int past() const;

 private:
  const Tree* tree_ = nullptr;
  int index_ = -1;
};

/// The source and its nodes. Made by parse_tree only; never copied, since nodes point into it.
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
  friend Result<std::shared_ptr<const Tree>> parse_tree(const std::string& source);
  struct Data {
    std::string_view kind;
    std::string_view field;
    std::size_t begin = 0;
    std::size_t end = 0;
    int parent = -1;
    int past = 0;
    bool named = false;
  };
  Tree() = default;

  std::string source_;
  std::vector<std::size_t> rows_;  // where each row begins
  std::vector<Data> nodes_;
};

/// The tree of a source, or "does not parse at line L". Python 2's statements, lone carriage returns and nesting deeper
/// than 1,000 nodes are refused as well.
Result<std::shared_ptr<const Tree>> parse_tree(const std::string& source);

}  // namespace jp::mutate
