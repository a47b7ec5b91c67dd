#include "mutate/safety/introspection.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace jp::mutate {
namespace {

// Whoever names one of these may ask for the number of a line, or for the text behind code.
constexpr auto kSeesLines = std::to_array<std::string_view>(
    {"lineno",  "inspect",    "traceback",  "linecache",      "_getframe",   "getsource",     "__code__",
     "co_",     "tb_",        "jit",        "catch_warnings", "showwarning", "formatwarning", "captureWarnings",
     "anomaly", "settrace",   "setprofile", "monitoring",     "compile",     "export",        "readable",
     "make_fx", "stack_trace"});

bool may_see_lines(const std::string& source) {
  return std::any_of(kSeesLines.begin(), kSeesLines.end(),
                     [&](std::string_view word) { return source.find(word) != std::string::npos; });
}

bool jumps(const Statement& statement) {
  return statement.node.is("return_statement") || statement.node.is("raise_statement") ||
         statement.node.is("break_statement") || statement.node.is("continue_statement");
}

// A text that stands first in a module, a function or a class is no statement but its documentation; so may any
// constant there be taken.
bool may_document(const Parsed& parsed, const Block& block, const Statement& statement) {
  if (block.statements.front() != statement.index || !statement.node.is("expression_statement")) return false;
  if (block.owner < 0) return true;
  const Node owner = parsed.statement(block.owner).definition();
  return owner.is("function_definition") || owner.is("class_definition");
}

bool is_constant(Node node) {
  while (node.is("parenthesized_expression") && node.children().size() == 1) node = node.children().front();
  for (int i = node.index(); i < node.past(); ++i)
    if (node.tree().node(i).is("interpolation")) return false;
  constexpr auto kConstants = std::to_array<std::string_view>(
      {"string", "concatenated_string", "integer", "float", "true", "false", "none", "ellipsis"});
  return std::any_of(kConstants.begin(), kConstants.end(), [&](std::string_view kind) { return node.is(kind); });
}

// Statements that lose their meaning when something stands before them.
bool fixed(const Parsed& parsed, const Block& block, const Statement& statement) {
  if (statement.node.is("future_import_statement")) return true;
  if (!may_document(parsed, block, statement)) return false;
  const auto children = statement.node.children();
  return children.size() == 1 && is_constant(children.front());
}

// A function or class of the file: mutants of one program mostly share all of those but one.
bool is_part(const Block& block, const Statement& statement) {
  if (block.owner >= 0) return false;
  const Node defined = statement.definition();
  return defined.is("function_definition") || defined.is("class_definition");
}

struct Line {
  std::size_t at = 0;  // of the line's begin in the program's own text
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
    // At one place the ends of blocks come first, from the inside out, as inner blocks come behind the ones around
    // them.
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
      behind = jumps(statement) ? -1 : before;
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
