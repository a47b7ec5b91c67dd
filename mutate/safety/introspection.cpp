#include "mutate/safety/introspection.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

// A program that uses one of these names may read line numbers or its own source.
constexpr auto kSeesLines = std::to_array<std::string_view>(
    {"lineno",  "inspect",    "traceback",  "linecache",      "_getframe",   "getsource",     "__code__",
     "co_",     "tb_",        "jit",        "catch_warnings", "showwarning", "formatwarning", "captureWarnings",
     "anomaly", "settrace",   "setprofile", "monitoring",     "compile",     "export",        "readable",
     "make_fx", "stack_trace"});

bool may_see_lines(const std::string& source) {
  return std::any_of(kSeesLines.begin(), kSeesLines.end(),
                     [&](std::string_view word) { return source.find(word) != std::string::npos; });
}

// A string that is the first statement of a module, function or class is its documentation; any constant expression
// there is treated alike.
bool may_document(const Parsed& parsed, const Block& block, const Statement& statement) {
  if (block.statements.front() != statement.index || !sole_expression(statement)) return false;
  if (block.owner < 0) return true;
  return !defined_name(parsed.statement(block.owner)).empty();
}

bool is_constant(Node node) {
  while (node.is("parenthesized_expression") && node.children().size() == 1) node = node.children().front();
  for (const Node part : nodes_of(node))
    if (part.is("interpolation")) return false;
  constexpr auto kConstants = std::to_array<std::string_view>(
      {"string", "concatenated_string", "integer", "float", "true", "false", "none", "ellipsis"});
  return std::any_of(kConstants.begin(), kConstants.end(), [&](std::string_view kind) { return node.is(kind); });
}

// Statements that lose their meaning if another statement is put before them.
bool fixed(const Parsed& parsed, const Block& block, const Statement& statement) {
  if (statement.node.is("future_import_statement")) return true;
  if (!may_document(parsed, block, statement)) return false;
  return is_constant(sole_expression(statement));
}

// A function or class of the file. Parts are marked because the mutants of one program mostly share all of them but
// one.
bool is_part(const Block& block, const Statement& statement) {
  return block.owner < 0 && !defined_name(statement).empty();
}

struct Line {
  std::size_t at = 0;  // the byte at which the line begins in the program's own text
  bool ends_block = false;
  bool begins_part = false;
  std::string indent;
  WatchedPoint point;
};

class Writer {
 public:
  explicit Writer(const Parsed& parsed) : parsed_(parsed) {}

  std::optional<WatchedText> write() {
    const std::string& source = parsed_.source();
    if (source.find('\r') != std::string::npos || may_see_lines(source)) return std::nullopt;
    for (const Statement& statement : parsed_.statements())
      if (!statement.own_lines) return std::nullopt;
    // Inner blocks come after the blocks around them; in reverse order, the ends of blocks at one place come first,
    // innermost first.
    for (std::size_t i = parsed_.blocks().size(); i-- > 0;) enter(parsed_.blocks()[i]);
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& one, const Line& other) {
      return one.at != other.at ? one.at < other.at : one.ends_block && !other.ends_block;
    });
    return text();
  }

 private:
  void enter(const Block& block) {
    int behind = -1;
    bool after_part = false;
    const Statement* last = nullptr;
    for (int index : block.statements) {
      const Statement& statement = parsed_.statement(index);
      const int before = fixed(parsed_, block, statement) ? -1 : index;
      if (before >= 0 || behind >= 0)
        lines_.push_back({statement.begin - statement.indent.size(),
                          false,
                          after_part || is_part(block, statement),
                          statement.indent,
                          {behind, before}});
      behind = ends_block(statement) ? -1 : before;
      after_part = is_part(block, statement);
      last = &statement;
    }
    if (behind >= 0) lines_.push_back({end_of_line(last->end), true, false, last->indent, {behind, -1}});
  }

  std::size_t end_of_line(std::size_t at) const {
    const std::size_t end = parsed_.source().find('\n', at);
    return end == std::string::npos ? parsed_.source().size() : end + 1;
  }

  WatchedText text() {
    WatchedText text;
    std::size_t from = 0;
    int line = 1;
    auto copy = [&](std::size_t to) {
      const std::string_view part = std::string_view(parsed_.source()).substr(from, to - from);
      text.source += part;
      line += static_cast<int>(std::count(part.begin(), part.end(), '\n'));
      from = to;
    };
    for (const Line& one : lines_) {
      copy(one.at);
      if (!text.source.empty() && text.source.back() != '\n' && one.at == parsed_.source().size()) {
        text.source += '\n';
        ++line;
      }
      text.source += one.indent + "~";
      text.source += kPointHook;
      text.source += '\n';
      if (one.begins_part) text.parts.push_back(line);
      text.lines.push_back(line++);
      text.points.push_back(one.point);
    }
    copy(parsed_.source().size());
    return text;
  }

  const Parsed& parsed_;
  std::vector<Line> lines_;
};

}  // namespace

Watched watched(const Parsed& parsed) { return {statement_places(parsed), Writer(parsed).write()}; }

}  // namespace jp::mutate
