#include "oracle/judge/source.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/among.h"
#include "oracle/judge/text.h"

namespace jp::oracle {
namespace {

std::vector<std::string_view> lines_of(std::string_view source) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    lines.push_back(source.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool is_blank(std::string_view word) { return word.find_first_not_of(" \t\r") == std::string_view::npos; }

bool is_name(std::string_view word) {
  const char c = word[0];
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The name that the line assigns: `name = …`; "" for any other line.
std::string_view assigned(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view word : split_text(line)) {
    if (!is_blank(word)) words.push_back(word);
    if (words.size() == 3) break;
  }
  const bool fits = words.size() == 3 && is_name(words[0]) && words[1] == "=" && words[2] != "=";
  return fits ? words[0] : std::string_view();
}

constexpr std::string_view kChoices[] = {"if",    "elif", "else",   "while", "for",    "try",        "except",
                                         "match", "case", "and",    "or",    "assert", "raise",      "lambda",
                                         "yield", "with", "class",  "cond",  "switch", "while_loop", "getattr",
                                         "exec",  "eval", "_check", "global"};
// What makes Python objects of a tensor's elements.
constexpr std::string_view kElements[] = {"item", "tolist", "numpy", "int", "bool"};

}  // namespace

std::vector<std::int64_t> dead_lines(const std::string& source) {
  std::map<std::string_view, int> uses;
  for (std::string_view word : split_text(source)) ++uses[word];
  std::vector<std::int64_t> dead;
  const std::vector<std::string_view> lines = lines_of(source);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (const std::string_view name = assigned(lines[i]); !name.empty() && uses[name] == 1)
      dead.push_back(static_cast<std::int64_t>(i) + 1);
  return dead;
}

bool is_straight(const std::string& source) {
  for (std::string_view line : lines_of(source)) {
    // A comment, unless the number sign may stand in a text.
    if (line.find_first_of("\"'") == std::string_view::npos) line = line.substr(0, line.find('#'));
    for (std::string_view word : split_text(line))
      if (among(kChoices, word) || among(kElements, word)) return false;
  }
  return true;
}

std::int64_t code_lines(const std::string& source) {
  std::int64_t count = 0;
  for (std::string_view line : lines_of(source)) {
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start != std::string_view::npos && line[start] != '#') ++count;
  }
  return count;
}

}  // namespace jp::oracle
