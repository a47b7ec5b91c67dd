// Parses with tree-sitter (one parser for each thread) and copies its result into a Tree.
#include <fmt/format.h>
#include <tree_sitter/api.h>

#include <optional>

#include "mutate/syntax/tree.h"

extern "C" const TSLanguage* tree_sitter_python();

namespace jp::mutate {
namespace {

constexpr int kMaxDepth = 1000;

struct ParserDelete {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};
struct TreeDelete {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using ParsedText = std::unique_ptr<TSTree, TreeDelete>;

TSParser* parser() {
  thread_local std::unique_ptr<TSParser, ParserDelete> parser = [] {
    std::unique_ptr<TSParser, ParserDelete> made(ts_parser_new());
    JP_CHECK(ts_parser_set_language(made.get(), tree_sitter_python()), "the grammar does not fit the parser");
    return made;
  }();
  return parser.get();
}

Error does_not_parse(std::size_t row, std::string_view why = "") {
  return Error{fmt::format("does not parse at line {}{}{}", row + 1, why.empty() ? "" : ": ", why)};
}

/// The row of the first node that the parser marked as an error.
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

// The row of the comment that is one too many, if there may be so many: a node of tree-sitter's holds 65,535 in a row,
// and with more the library breaks its own memory (0.20.7).
std::optional<std::size_t> comment_too_many(std::string_view source) {
  constexpr std::size_t kMost = 65'000;
  std::size_t row = 0;
  std::size_t comments = 0;
  for (const char letter : source) {
    if (letter == '\n') ++row;
    if (letter == '#' && ++comments > kMost) return row;
  }
  return std::nullopt;
}

bool of_python_2(TSSymbol kind) {
  static const TSSymbol print = kind_number("print_statement");
  static const TSSymbol exec = kind_number("exec_statement");
  return kind == print || kind == exec;
}

bool is_between(TSSymbol kind) {
  static const TSSymbol comment = kind_number("comment");
  static const TSSymbol line_continuation = kind_number("line_continuation");
  return kind == comment || kind == line_continuation;
}

}  // namespace

/// Copies tree-sitter's tree into a Tree.
class TreeParser {
 public:
  explicit TreeParser(const std::string& source) : tree_(new Tree(source)) {}
  Result<std::shared_ptr<const Tree>> parse();

 private:
  std::optional<Error> copy(TSTreeCursor& cursor);

  std::shared_ptr<Tree> tree_;
};

Result<std::shared_ptr<const Tree>> TreeParser::parse() {
  const std::string& source = tree_->source_;
  if (auto row = lone_carriage_return(source)) return does_not_parse(*row, "a carriage return that ends no line");
  if (auto row = comment_too_many(source)) return does_not_parse(*row, "more than 65,000 comments");
  ParsedText parsed(
      ts_parser_parse_string(parser(), nullptr, source.data(), static_cast<std::uint32_t>(source.size())));
  JP_CHECK(parsed, "the parser gave nothing");
  TSNode root = ts_tree_root_node(parsed.get());
  if (ts_node_has_error(root)) return does_not_parse(first_error(root));
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  auto error = copy(cursor);
  ts_tree_cursor_delete(&cursor);
  if (error) return *error;
  return std::shared_ptr<const Tree>(std::move(tree_));
}

std::optional<Error> TreeParser::copy(TSTreeCursor& cursor) {
  auto& nodes = tree_->nodes_;
  std::vector<int> open;
  while (true) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    const TSSymbol kind = ts_node_symbol(node);
    if (of_python_2(kind)) return does_not_parse(ts_node_start_point(node).row, "a statement of Python 2");
    if (open.size() > kMaxDepth) return does_not_parse(ts_node_start_point(node).row, "nested too deep");
    int index = tree_->size();
    const bool named = ts_node_is_named(node);
    nodes.push_back({kind, ts_tree_cursor_current_field_id(&cursor), named, named && !is_between(kind),
                     ts_node_start_byte(node), ts_node_end_byte(node), open.empty() ? -1 : open.back(), 0});
    open.push_back(index);
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (true) {
      nodes[open.back()].past = tree_->size();
      open.pop_back();
      if (open.empty()) return std::nullopt;
      if (ts_tree_cursor_goto_next_sibling(&cursor)) break;
      ts_tree_cursor_goto_parent(&cursor);
    }
  }
}

Result<std::shared_ptr<const Tree>> parse_tree(const std::string& source) { return TreeParser(source).parse(); }

}  // namespace jp::mutate
