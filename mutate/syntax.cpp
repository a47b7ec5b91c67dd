#include "mutate/syntax.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "mutate/scopes.h"

namespace jp::mutate {
namespace {

bool starts_block(const Node& node) {
  return node.is("module") || (node.is("block") && !node.parent().is("match_statement"));
}

bool is_statement(const Node& node) {
  return node.named() && !node.is("comment") && !node.is("line_continuation") && node.parent() &&
         starts_block(node.parent());
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }

/// Adds what the subtree may do; `loops` counts the loops of the statement around the node.
void add_exits(const Node& node, int loops, Exits& exits) {
  std::string_view kind = node.kind();
  if (kind == "function_definition" || kind == "lambda") return;
  if (kind == "return_statement") exits.returns = true;
  if (kind == "raise_statement" || kind == "assert_statement") exits.raises = true;
  if (kind == "break_statement" && loops == 0) exits.breaks = true;
  if (kind == "continue_statement" && loops == 0) exits.continues = true;
  if (kind == "yield" && node.named()) exits.yields = true;
  if ((kind == "await" && node.named()) || node.has_token("async")) exits.awaits = true;
  bool loop = kind == "for_statement" || kind == "while_statement";
  for (const Node& child : node.children()) {
    // The else of a loop is outside of it.
    bool inside = loop && !child.is("else_clause");
    add_exits(child, loops + (inside ? 1 : 0), exits);
  }
}

/// The rest of a line is white space and perhaps a comment.
bool line_ends(std::string_view source, std::size_t from) {
  for (; from < source.size() && source[from] != '\n'; ++from) {
    if (source[from] == '#') return true;
    if (source[from] != ' ' && source[from] != '\t' && source[from] != '\r' && source[from] != '\f') return false;
  }
  return true;
}

/// The white space between the start of the line and `position`, or false when something else stands there or the line
/// before goes on in this one.
bool line_begins(std::string_view source, std::size_t position, std::string& indent) {
  std::size_t begin = position;
  while (begin > 0 && (source[begin - 1] == ' ' || source[begin - 1] == '\t')) --begin;
  if (begin > 0 && source[begin - 1] != '\n') return false;
  if (begin >= 2 &&
      (source[begin - 2] == '\\' || (source[begin - 2] == '\r' && begin >= 3 && source[begin - 3] == '\\')))
    return false;
  indent = source.substr(begin, position - begin);
  return true;
}

}  // namespace

Node Statement::definition() const {
  if (!node.is("decorated_definition")) return node;
  return node.field("definition");
}

Result<Parsed> Parsed::without_ids(const Program& program) {
  auto tree = parse_tree(program.source());
  if (!tree) return tree.error();
  Parsed parsed(program);
  parsed.tree_ = std::move(tree).value();
  parsed.data_ = std::make_shared<Data>();
  parsed.add_statements();
  parsed.add_words();
  parsed.scopes_ = std::make_shared<const Scopes>(parsed);
  return parsed;
}

void Parsed::add_statements() {
  std::map<int, int> block_of;  // a block's node to its index
  for (int i = 0; i < tree_->size(); ++i) {
    Node node = tree_->node(i);
    int around = -1;
    for (int up = static_cast<int>(data_->statements.size()) - 1; up >= 0; up = data_->statements[up].parent)
      if (data_->statements[up].node.past() > i) {
        around = up;
        break;
      }
    if (starts_block(node)) {
      block_of[i] = static_cast<int>(data_->blocks.size());
      data_->blocks.push_back({node, around, {}});
    }
    if (!is_statement(node)) continue;
    Statement statement;
    statement.index = static_cast<int>(data_->statements.size());
    statement.node = node;
    statement.begin = node.begin();
    statement.end = node.end();
    while (statement.end > statement.begin && std::isspace(static_cast<unsigned char>(source()[statement.end - 1])))
      --statement.end;
    statement.parent = around;
    for (int up = around; up >= 0 && statement.function < 0; up = data_->statements[up].parent)
      if (data_->statements[up].definition().is("function_definition")) statement.function = up;
    statement.block = block_of.at(node.parent().index());
    Block& block = data_->blocks[statement.block];
    statement.place = static_cast<int>(block.statements.size());
    block.statements.push_back(statement.index);
    for (int inner = i + 1; inner < node.past() && statement.simple; ++inner)
      if (tree_->node(inner).is("block")) statement.simple = false;
    statement.own_lines =
        line_begins(source(), statement.begin, statement.indent) && line_ends(source(), statement.end);
    add_exits(node, 0, statement.exits);
    data_->statements.push_back(std::move(statement));
  }
}

void Parsed::add_words() {
  std::string_view text = source();
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) data_->words.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  std::sort(data_->words.begin(), data_->words.end());
  data_->words.erase(std::unique(data_->words.begin(), data_->words.end()), data_->words.end());
}

bool Parsed::has_word(std::string_view word) const {
  return std::binary_search(data_->words.begin(), data_->words.end(), word);
}

const Statement* Parsed::find(std::string_view id) const {
  auto found = data_->by_id.find(id);
  return found == data_->by_id.end() ? nullptr : &data_->statements[found->second];
}

const Statement* Parsed::statement_at(std::size_t position) const {
  const Statement* found = nullptr;
  for (const Statement& statement : data_->statements) {
    if (statement.begin > position) break;
    if (position < statement.end) found = &statement;
  }
  return found;
}

Parsed Parsed::with_donor(std::shared_ptr<const Donor> donor) const {
  Parsed with = *this;
  with.donor_ = std::move(donor);
  return with;
}

Result<Parsed> Parsed::after(const EditSet& edits, const Program& made, int step_number) const {
  auto parsed = without_ids(made);
  if (!parsed) return parsed;
  Data& data = *parsed.value().data_;
  std::map<std::size_t, const Statement*> came_from;
  for (const Statement& old : statements())
    if (auto now = edits.map(old.begin)) came_from[*now] = &old;
  int fresh = 0;
  for (Statement& statement : data.statements) {
    auto found = came_from.find(statement.begin);
    bool same = found != came_from.end() && found->second->kind() == statement.kind();
    statement.id = same ? found->second->id : fmt::format("m{}.{}", step_number, fresh++);
    data.by_id[statement.id] = statement.index;
  }
  parsed.value().donor_ = donor_;
  return parsed;
}

Result<Parsed> parse(const Program& program) {
  auto parsed = Parsed::without_ids(program);
  if (!parsed) return parsed;
  auto& data = *parsed.value().data_;
  for (Statement& statement : data.statements) {
    statement.id = fmt::format("s{}", statement.index);
    data.by_id[statement.id] = statement.index;
  }
  return parsed;
}

std::vector<StatementPlace> statement_places(const Parsed& parsed) {
  const Tree& tree = parsed.tree();
  // Python takes a byte order mark off before it counts.
  std::size_t mark = parsed.source().starts_with("\xEF\xBB\xBF") ? 3 : 0;
  auto column = [&](std::size_t at) {
    std::size_t in_row = tree.column(at);
    return static_cast<int>(tree.row(at) == 0 && in_row >= mark ? in_row - mark : in_row);
  };
  std::vector<StatementPlace> places;
  for (const Statement& statement : parsed.statements()) {
    std::size_t begin = statement.definition().begin();
    std::size_t end = statement.end;
    places.push_back({statement.id, static_cast<int>(tree.row(begin)) + 1, column(begin),
                      static_cast<int>(tree.row(end)) + 1, column(end)});
  }
  return places;
}

}  // namespace jp::mutate
