#include "mutate/syntax/syntax.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

namespace jp::mutate {
namespace {

/// Numbers of the kinds that every node is compared with.
struct Kinds {
  std::uint16_t module = kind_number("module");
  std::uint16_t block = kind_number("block");
  std::uint16_t match = kind_number("match_statement");
  std::uint16_t comment = kind_number("comment");
  std::uint16_t continuation = kind_number("line_continuation");
  std::uint16_t returns = kind_number("return_statement");
  std::uint16_t raises = kind_number("raise_statement");
  std::uint16_t asserts = kind_number("assert_statement");
  std::uint16_t breaks = kind_number("break_statement");
  std::uint16_t continues = kind_number("continue_statement");
  std::uint16_t yields = kind_number("yield");
  std::uint16_t awaits = kind_number("await");
  std::uint16_t async = kind_number("async", false);
};

const Kinds& kinds() {
  static const Kinds kinds;
  return kinds;
}

bool starts_block(const Node& node) {
  return node.number() == kinds().module || (node.number() == kinds().block && node.parent().number() != kinds().match);
}

/// The exits of a node of each kind by itself, indexed by the kind's number; loops around it are not considered here.
std::vector<Exits> exits_by_kind() {
  const Kinds& all = kinds();
  std::vector<Exits> exits(1 + std::max({all.returns, all.raises, all.asserts, all.breaks, all.continues, all.yields,
                                         all.awaits, all.async}));
  exits[all.returns].returns = true;
  exits[all.raises].raises = exits[all.asserts].raises = true;
  exits[all.breaks].breaks = true;
  exits[all.continues].continues = true;
  exits[all.yields].yields = true;
  exits[all.awaits].awaits = exits[all.async].awaits = true;
  return exits;
}

void join(Exits& to, const Exits& more) {
  to.returns |= more.returns;
  to.raises |= more.raises;
  to.breaks |= more.breaks;
  to.continues |= more.continues;
  to.yields |= more.yields;
  to.awaits |= more.awaits;
}

/// The rest of the line is white space and perhaps a comment.
bool line_ends(std::string_view source, std::size_t from) {
  for (; from < source.size() && source[from] != '\n'; ++from) {
    if (source[from] == '#') return true;
    if (source[from] != ' ' && source[from] != '\t' && source[from] != '\r' && source[from] != '\f') return false;
  }
  return true;
}

/// Stores the white space between the start of the line and `position` in `indent`. Returns false if something else
/// stands there, or if the line continues the line before.
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

Parsed Parsed::without_ids(const Program& program, std::shared_ptr<const Tree> tree) {
  Parsed parsed(program);
  parsed.tree_ = std::move(tree);
  parsed.data_ = std::make_shared<Data>();
  parsed.found_ = no_analyses_yet();
  parsed.add_statements();
  return parsed;
}

void Parsed::add_statements() {
  std::vector<Statement>& statements = data_->statements;
  const auto size = static_cast<std::size_t>(tree_->size());
  std::vector<int> block_of(size, -1);
  std::vector<int> statement_of(size, -1);
  std::vector<int> open;  // the enclosing statements, the innermost last
  const Kinds& all = kinds();
  for (int i = 0; i < static_cast<int>(size); ++i) {
    Node node = tree_->node(i);
    const bool in_block = i > 0 && block_of[node.parent().index()] >= 0;
    // Most nodes are parts of expressions and can be skipped quickly.
    if (!node.named() || !(in_block || node.number() == all.block || node.number() == all.module)) continue;
    while (!open.empty() && statements[open.back()].node.past() <= i) open.pop_back();
    const int around = open.empty() ? -1 : open.back();
    if (node.number() == all.block)
      for (int owner : open) statements[owner].simple = false;
    if (starts_block(node)) {
      block_of[i] = static_cast<int>(data_->blocks.size());
      data_->blocks.push_back({node, around, {}});
    }
    if (!in_block || node.number() == all.comment || node.number() == all.continuation) continue;
    Statement statement;
    statement.index = static_cast<int>(statements.size());
    statement.node = node;
    statement.begin = node.begin();
    statement.end = node.end();
    while (statement.end > statement.begin && std::isspace(static_cast<unsigned char>(source()[statement.end - 1])))
      --statement.end;
    statement.parent = around;
    if (around >= 0)
      statement.function =
          statements[around].definition().is("function_definition") ? around : statements[around].function;
    statement.block = block_of[node.parent().index()];
    Block& block = data_->blocks[statement.block];
    statement.place = static_cast<int>(block.statements.size());
    block.statements.push_back(statement.index);
    statement.own_lines =
        line_begins(source(), statement.begin, statement.indent) && line_ends(source(), statement.end);
    statement_of[i] = statement.index;
    open.push_back(statement.index);
    statements.push_back(std::move(statement));
  }
  add_exits(statement_of);
}

// Exits are rare, so each one is propagated outwards to the statements that it leaves, instead of being searched for in
// each statement.
void Parsed::add_exits(const std::vector<int>& statement_of) {
  static const std::vector<Exits> by_kind = exits_by_kind();
  const std::size_t kinds_that_leave = by_kind.size();
  const int size = tree_->size();
  for (int i = 0; i < size; ++i) {
    Node node = tree_->node(i);
    if (node.number() >= kinds_that_leave) continue;
    Exits exits = by_kind[node.number()];
    if (!exits.leaves() && !exits.raises) continue;
    for (Node from; node && !node.is("function_definition") && !node.is("lambda"); from = node, node = node.parent()) {
      // `break` in a loop's `else` clause leaves the loop around that one.
      const bool loop = node.is("for_statement") || node.is("while_statement");
      if (loop && from && !from.is("else_clause")) exits.breaks = exits.continues = false;
      if (int statement = statement_of[node.index()]; statement >= 0) join(data_->statements[statement].exits, exits);
    }
  }
}

const Statement* Parsed::find(std::string_view id) const {
  auto found = data_->by_id.find(id);
  return found == data_->by_id.end() ? nullptr : &data_->statements[found->second];
}

const Statement* Parsed::statement_at(std::size_t position) const {
  const auto& all = data_->statements;
  auto behind = std::upper_bound(all.begin(), all.end(), position,
                                 [](std::size_t at, const Statement& statement) { return at < statement.begin; });
  if (behind == all.begin()) return nullptr;
  const Statement* found = &*std::prev(behind);
  while (found && position >= found->end) found = found->parent < 0 ? nullptr : &all[found->parent];
  return found;
}

Parsed Parsed::with_donor(std::shared_ptr<const Donor> donor) const {
  Parsed with = *this;
  with.donor_ = std::move(donor);
  return with;
}

Result<Parsed> Parsed::after(const EditSet& edits, const Program& made, int step_number) const {
  auto tree = parse_again(*tree_, edits, made.source());
  if (!tree) return tree.error();
  Parsed parsed = without_ids(made, std::move(tree).value());
  Data& data = *parsed.data_;
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
  parsed.donor_ = donor_;
  return parsed;
}

Result<Parsed> parse(const Program& program) {
  auto tree = parse_tree(program.source());
  if (!tree) return tree.error();
  Parsed parsed = Parsed::without_ids(program, std::move(tree).value());
  Parsed::Data& data = *parsed.data_;
  for (Statement& statement : data.statements) {
    statement.id = fmt::format("s{}", statement.index);
    data.by_id[statement.id] = statement.index;
  }
  return parsed;
}

std::vector<StatementPlace> statement_places(const Parsed& parsed) {
  const Tree& tree = parsed.tree();
  // Python removes a byte order mark before it counts columns.
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
