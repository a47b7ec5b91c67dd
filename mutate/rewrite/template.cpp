#include "mutate/rewrite/template.h"

#include <algorithm>
#include <cctype>

#include "mutate/engine/notes.h"

namespace jp::mutate {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The end of the word that begins there.
std::size_t word_end(std::string_view text, std::size_t at) {
  while (at < text.size() && in_word(text[at])) ++at;
  return at;
}

}  // namespace

const std::string& Template::text_of(std::string_view name, Lines& imports) {
  if (auto known = texts_.find(name); known != texts_.end()) return known->second;
  const std::size_t colon = name.find(':');
  const bool imported = colon != std::string_view::npos;
  const std::string_view base = imported ? name.substr(colon + 1) : name;
  const std::string fresh = rewrite_->name(base);
  if (imported) imports.push_back({fmt::format("from {} import {} as {}", name.substr(0, colon), base, fresh)});
  return texts_.emplace(name, fresh).first->second;
}

std::string Template::fill(std::string_view line, Lines& imports) {
  std::string filled;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t mark = std::min(line.find('$', at), line.size());
    filled += line.substr(at, mark - at);
    if (mark == line.size()) break;
    const bool braces = line.substr(mark + 1).starts_with('{');
    const std::size_t begin = mark + (braces ? 2 : 1);
    std::size_t end = word_end(line, begin);
    if (end + 1 < line.size() && line[end] == ':' && in_word(line[end + 1])) end = word_end(line, end + 1);
    JP_CHECK(end > begin, "a template has no name after $: {}", line);
    filled += text_of(line.substr(begin, end - begin), imports);
    at = end + (braces ? 1 : 0);
  }
  return filled;
}

Lines Template::lines(std::string_view text) {
  Lines lines;
  if (text.empty()) return lines;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t depth = std::min(line.find_first_not_of('\t'), line.size());
    const std::string_view rest = line.substr(depth);
    const auto block = rest.starts_with('$') ? blocks_.find(rest.substr(1)) : blocks_.end();
    if (block != blocks_.end()) {
      add(lines, deeper(block->second, static_cast<int>(depth)));
      continue;
    }
    std::string filled = fill(rest, lines);
    lines.push_back({std::move(filled), static_cast<int>(depth)});
  }
  return lines;
}

std::string Template::part(std::string_view text) {
  Lines imports;
  std::string filled = fill(text, imports);
  JP_CHECK(imports.empty(), "a part of a line needs imports: {}", text);
  return filled;
}

std::string Template::expression(std::string_view text, Lines& before) {
  Lines all = lines(text);
  std::string last = std::move(all.back().text);
  all.pop_back();
  add(before, all);
  return last;
}

}  // namespace jp::mutate
