#include "oracle/reduce/tidy.h"

#include <string_view>
#include <vector>

#include "core/edit.h"
#include "mutate/syntax/tree.h"

namespace jp::reduce {
namespace {

using mutate::Node;
using mutate::Tree;

/// The colon before an empty block, which the grammar accepts and Python doesn't.
void fill_block(const Node& block, EditSet& edits) {
  auto beside = block.parent().tokens();
  for (std::size_t i = 1; i < beside.size(); ++i)
    if (beside[i] == block)
      for (std::size_t back = i; back-- > 0;)
        if (beside[back].is(":")) return edits.insert(beside[back].end(), " pass");
}

/// Drops the comma behind the last of several items, or of one where it makes no tuple.
void close_list(const Node& list, EditSet& edits) {
  auto tokens = list.tokens();
  bool bare = list.is("expression_list") || list.is("pattern_list");
  std::size_t last = tokens.size();
  if (!bare) {
    if (last < 3) return;
    --last;  // the closing bracket
  }
  if (last == 0 || !tokens[last - 1].is(",")) return;
  bool tuple = bare || list.is("tuple") || list.is("tuple_pattern");
  std::size_t begin = tokens[last - 1].begin() + (tuple && list.children().size() < 2 ? 1 : 0);
  std::size_t end = bare ? tokens[last - 1].end() : tokens[last].begin();
  if (begin < end) edits.erase(begin, end);
}

bool is_list(const Node& node) {
  for (std::string_view kind : {"expression_list", "pattern_list", "tuple", "tuple_pattern", "list", "argument_list",
                                "parameters", "set", "dictionary"})
    if (node.is(kind)) return true;
  return false;
}

std::optional<std::string> whole(const std::string& text, bool& changed) {
  auto tree = mutate::parse_tree(text);
  if (!tree) return std::nullopt;
  EditSet edits;
  for (int i = 0; i < tree.value()->size(); ++i) {
    Node node = tree.value()->node(i);
    if (node.is("block") && node.named() && node.children().empty()) fill_block(node, edits);
    if (node.named() && is_list(node)) close_list(node, edits);
  }
  changed = !edits.empty();
  return edits.apply(text);
}

/// For each line, whether its beginning and whether its end stand inside a string.
struct Line {
  bool begins_in_string = false;
  bool ends_in_string = false;
};

std::vector<Line> lines_of(const Tree& tree, std::size_t count) {
  std::vector<Line> lines(count);
  for (int i = 0; i < tree.size(); ++i) {
    Node node = tree.node(i);
    if (!node.is("string")) continue;
    for (std::size_t row = tree.row(node.begin()); row < tree.row(node.end()); ++row) {
      lines[row].ends_in_string = true;
      lines[row + 1].begins_in_string = true;
    }
  }
  return lines;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string without_blanks(const std::string& text) {
  auto tree = mutate::parse_tree(text);
  if (!tree) return text;
  std::vector<std::string_view> rows = split(text);
  std::vector<Line> lines = lines_of(*tree.value(), rows.size() + 1);
  std::string made;
  std::size_t blank = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string_view row = rows[i];
    if (!lines[i].ends_in_string) row = row.substr(0, row.find_last_not_of(" \t\r\f") + 1);
    if (row.empty() && !lines[i].begins_in_string && !lines[i].ends_in_string) {
      ++blank;
      continue;
    }
    bool top = lines[i].begins_in_string || (row[0] != ' ' && row[0] != '\t');
    if (top && !made.empty()) made.append(std::min<std::size_t>(blank, 2), '\n');
    blank = 0;
    made += row;
    made += '\n';
  }
  return made;
}

}  // namespace

std::optional<std::string> tidy(const std::string& text) {
  std::string now = text;
  // Filling a block or closing a list may show the next; nesting bounds it.
  for (bool changed = true; changed;) {
    auto made = whole(now, changed);
    if (!made) return std::nullopt;
    now = *std::move(made);
  }
  return without_blanks(now);
}

}  // namespace jp::reduce
