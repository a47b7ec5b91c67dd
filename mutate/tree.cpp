#include "mutate/tree.h"

#include <fmt/format.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <limits>
#include <optional>

extern "C" const TSLanguage* tree_sitter_python();

namespace jp::mutate {
namespace {

constexpr std::size_t kMaxDepth = 1000;

struct ParserDelete {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};
struct TreeDelete {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};

Error does_not_parse(std::size_t row, std::string_view why = "") {
  return Error{fmt::format("does not parse at line {}{}{}", row + 1, why.empty() ? "" : ": ", why)};
}

/// The row of the first node that the parser could not make sense of.
std::size_t first_error(TSNode node) {
  while (true) {
    if (std::string_view(ts_node_type(node)) == "ERROR" || ts_node_is_missing(node))
      return ts_node_start_point(node).row;
    std::optional<TSNode> inner;
    for (std::uint32_t i = 0; i < ts_node_child_count(node) && !inner; ++i)
      if (TSNode child = ts_node_child(node, i); ts_node_has_error(child) || ts_node_is_missing(child)) inner = child;
    if (!inner) return ts_node_start_point(node).row;
    node = *inner;
  }
}

std::optional<std::size_t> lone_carriage_return(std::string_view source) {
  std::size_t row = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\n') ++row;
    if (source[i] == '\r' && (i + 1 == source.size() || source[i + 1] != '\n')) return row;
  }
  return std::nullopt;
}

}  // namespace

std::string_view Node::kind() const { return tree_->nodes_[index_].kind; }
bool Node::named() const { return tree_->nodes_[index_].named; }
std::string_view Node::field_name() const { return tree_->nodes_[index_].field; }
std::size_t Node::begin() const { return tree_->nodes_[index_].begin; }
std::size_t Node::end() const { return tree_->nodes_[index_].end; }
std::string_view Node::text() const { return std::string_view(tree_->source_).substr(begin(), end() - begin()); }
int Node::past() const { return tree_->nodes_[index_].past; }

Node Node::parent() const {
  int parent = tree_->nodes_[index_].parent;
  return parent < 0 ? Node() : Node(tree_, parent);
}

std::vector<Node> Node::tokens() const {
  std::vector<Node> found;
  for (int i = index_ + 1; i < past(); i = tree_->nodes_[i].past) found.emplace_back(tree_, i);
  return found;
}

std::vector<Node> Node::children() const {
  std::vector<Node> found;
  for (int i = index_ + 1; i < past(); i = tree_->nodes_[i].past)
    if (const auto& data = tree_->nodes_[i]; data.named && data.kind != "comment" && data.kind != "line_continuation")
      found.emplace_back(tree_, i);
  return found;
}

Node Node::field(std::string_view name) const {
  for (int i = index_ + 1; i < past(); i = tree_->nodes_[i].past)
    if (tree_->nodes_[i].field == name) return {tree_, i};
  return {};
}

bool Node::has_token(std::string_view kind_asked) const {
  for (int i = index_ + 1; i < past(); i = tree_->nodes_[i].past)
    if (!tree_->nodes_[i].named && tree_->nodes_[i].kind == kind_asked) return true;
  return false;
}

std::size_t Tree::row(std::size_t position) const {
  return static_cast<std::size_t>(std::upper_bound(rows_.begin(), rows_.end(), position) - rows_.begin()) - 1;
}

std::size_t Tree::column(std::size_t position) const { return position - rows_[row(position)]; }

Result<std::shared_ptr<const Tree>> parse_tree(const std::string& source) {
  if (auto row = lone_carriage_return(source)) return does_not_parse(*row, "a carriage return that ends no line");
  std::unique_ptr<TSParser, ParserDelete> parser(ts_parser_new());
  JP_CHECK(ts_parser_set_language(parser.get(), tree_sitter_python()), "the grammar does not fit the parser");
  std::unique_ptr<TSTree, TreeDelete> parsed(
      ts_parser_parse_string(parser.get(), nullptr, source.data(), static_cast<std::uint32_t>(source.size())));
  JP_CHECK(parsed, "the parser gave nothing");
  TSNode root = ts_tree_root_node(parsed.get());
  if (ts_node_has_error(root)) return does_not_parse(first_error(root));

  std::shared_ptr<Tree> tree(new Tree());
  tree->source_ = source;
  tree->rows_.push_back(0);
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source[i] == '\n') tree->rows_.push_back(i + 1);

  TSTreeCursor cursor = ts_tree_cursor_new(root);
  std::vector<int> open;
  std::optional<Error> refused;
  for (bool more = true; more && !refused;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    const char* field = ts_tree_cursor_current_field_name(&cursor);
    std::string_view kind = ts_node_type(node);
    if (kind == "print_statement" || kind == "exec_statement")
      refused = does_not_parse(ts_node_start_point(node).row, "a statement of Python 2");
    if (open.size() > kMaxDepth) refused = does_not_parse(ts_node_start_point(node).row, "nested too deep");
    int index = tree->size();
    tree->nodes_.push_back({kind, field ? field : "", ts_node_start_byte(node), ts_node_end_byte(node),
                            open.empty() ? -1 : open.back(), 0, ts_node_is_named(node)});
    open.push_back(index);
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (true) {
      tree->nodes_[open.back()].past = tree->size();
      open.pop_back();
      if (open.empty()) {
        more = false;
        break;
      }
      if (ts_tree_cursor_goto_next_sibling(&cursor)) break;
      ts_tree_cursor_goto_parent(&cursor);
    }
  }
  ts_tree_cursor_delete(&cursor);
  if (refused) return *refused;
  return std::shared_ptr<const Tree>(std::move(tree));
}

}  // namespace jp::mutate
