#include "mutate/rewrite/rewrite.h"

#include <array>
#include <cctype>

#include "core/among.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

constexpr std::array<std::string_view, 20> kIntrospection = {
    "_getframe", "currentframe", "getsource",   "inspect",   "traceback", "settrace",    "setprofile",
    "__code__",  "f_locals",     "f_lineno",    "tb_lineno", "dis",       "getrefcount", "weakref",
    "gc",        "__del__",      "tracemalloc", "jit",       "triton",    "__closure__"};

/// The name of the outermost function around the statement, or "".
std::string_view outermost_function(const Parsed& parsed, const Statement& statement) {
  int at = -1;
  for (int up = statement.function; up >= 0; up = parsed.statement(up).function) at = up;
  if (at < 0 || parsed.statement(at).parent >= 0) return "";
  return defined_name(parsed.statement(at));
}

bool blank(std::string_view source, std::size_t at) {
  while (at < source.size() && (source[at] == ' ' || source[at] == '\t' || source[at] == '\f')) ++at;
  return at == source.size() || source[at] == '\n' || source[at] == '\r';
}

std::string text_of(const Parsed& parsed, const Statement& statement, const Lines& lines) {
  std::string unit = indent_unit(parsed, statement);
  std::string text;
  for (const Line& line : lines) {
    text += statement.indent;
    for (int i = 0; i < line.depth; ++i) text += unit;
    text += line.text;
    text += '\n';
  }
  return text;
}

}  // namespace

Lines deeper(Lines lines, int depth) {
  for (Line& line : lines) line.depth += depth;
  return lines;
}

Lines operator+(Lines one, const Lines& other) {
  add(one, other);
  return one;
}

bool uses_introspection(const Parsed& parsed) { return parsed.has_any<kIntrospection>(); }

bool insertion_point(const Parsed& parsed, const Statement& statement) {
  if (!statement.own_lines || statement.function < 0 || is_docstring(statement)) return false;
  const Scope& scope = parsed.scopes().scope(parsed.scopes().scope_of(statement));
  if (scope.kind != Scope::Kind::kFunction || scope.dynamic) return false;
  std::string_view around = outermost_function(parsed, statement);
  if (around == parsed.program().entry()) return true;
  return !among(parsed.program().helpers(), around);
}

const Statement* next_in_block(const Parsed& parsed, const Statement& statement) {
  const auto& statements = parsed.blocks()[static_cast<std::size_t>(statement.block)].statements;
  auto place = static_cast<std::size_t>(statement.place) + 1;
  return place < statements.size() ? &parsed.statement(statements[place]) : nullptr;
}

std::vector<const Statement*> run_between(const Parsed& parsed, const Statement& first, const Statement& last) {
  std::vector<const Statement*> run;
  if (first.block != last.block || first.place > last.place) return run;
  for (const Statement* at = &first; at; at = next_in_block(parsed, *at)) {
    run.push_back(at);
    if (at == &last) break;
  }
  return run;
}

std::size_t lines_begin(const Statement& statement) { return statement.begin - statement.indent.size(); }

std::size_t lines_end(const Parsed& parsed, const Statement& statement) {
  std::size_t at = parsed.source().find('\n', statement.end);
  return at == std::string::npos ? parsed.source().size() : at + 1;
}

std::string moved_text(const Parsed& parsed, const Statement& first, const Statement& last, const std::string& indent) {
  std::string_view source = parsed.source();
  std::size_t end = lines_end(parsed, last);
  std::string text;
  for (std::size_t at = lines_begin(first); at < end;) {
    std::size_t next = std::min(source.find('\n', at), source.size() - 1) + 1;
    std::string_view line = source.substr(at, next - at);
    bool ours = line.starts_with(first.indent) && !blank(source, at) && (at < first.begin || !in_string(parsed, at));
    text += ours ? indent : "";
    text += ours ? line.substr(first.indent.size()) : line;
    at = next;
  }
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

bool in_string(const Parsed& parsed, std::size_t position) {
  const Tree& tree = parsed.tree();
  for (int i = 0; i < tree.size();) {
    Node node = tree.node(i);
    if (node.begin() >= position) return false;
    if (node.end() <= position) {
      i = node.past();
      continue;
    }
    if (node.is("string")) return true;
    ++i;
  }
  return false;
}

std::string indent_unit(const Parsed& parsed, const Statement& statement) {
  if (!statement.indent.empty()) return statement.indent.back() == '\t' ? "\t" : "    ";
  return parsed.source().find("\n\t") == std::string::npos ? "    " : "\t";
}

std::string Rewrite::name(std::string_view base) {
  std::string fresh = fresh_name(parsed_, base, step_number_, taken_);
  taken_.insert(fresh);
  return fresh;
}

void Rewrite::before(const Statement& statement, const Lines& lines) {
  insert(lines_begin(statement), text_of(parsed_, statement, lines));
}

void Rewrite::after(const Statement& statement, const Lines& lines) {
  std::size_t at = lines_end(parsed_, statement);
  std::string text = text_of(parsed_, statement, lines);
  bool open_end = at == parsed_.source().size() && !parsed_.source().ends_with('\n');
  insert(at, open_end ? "\n" + text : text);
}

void Rewrite::replace(const Node& node, std::string text) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  const std::string_view source = parsed_.source();
  if (!text.empty() && node.begin() > 0 && in_word(source[node.begin() - 1]) && in_word(text.front()))
    text = " " + text;
  if (!text.empty() && node.end() < source.size() && in_word(source[node.end()]) && in_word(text.back())) text += " ";
  edits_.replace(node.begin(), node.end(), std::move(text));
}

void Rewrite::instead(const Statement& first, const Statement& last, const Lines& lines) {
  edits_.replace(lines_begin(first), lines_end(parsed_, last), text_of(parsed_, first, lines));
}

void Rewrite::indent(const Statement& first, const Statement& last) {
  std::string unit = indent_unit(parsed_, first);
  std::string_view source = parsed_.source();
  for (std::size_t at = lines_begin(first); at < last.end;) {
    bool ours = source.substr(at).starts_with(first.indent) && !blank(source, at) &&
                (at < first.begin || !in_string(parsed_, at));
    if (ours) insert(at + first.indent.size(), unit);
    std::size_t next = source.find('\n', at);
    if (next == std::string_view::npos) break;
    at = next + 1;
  }
}

}  // namespace jp::mutate
