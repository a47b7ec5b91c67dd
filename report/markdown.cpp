#include "report/markdown.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <string_view>

#include "report/short_form.h"

namespace jp::report {
namespace {

// So many backticks that the text has no run of them of that length.
std::string unused_ticks(const std::string& text, std::string ticks) {
  while (text.find(ticks) != std::string::npos) ticks += '`';
  return ticks;
}

}  // namespace

std::string code_block(const std::string& text, const std::string& language) {
  const std::string fence = unused_ticks(text, "```");
  return fmt::format("{0}{1}\n{2}{3}{0}\n", fence, language, text, text.empty() || text.back() == '\n' ? "" : "\n");
}

std::string code_span(const std::string& line) {
  if (line.empty()) return "nothing";
  const std::string ticks = unused_ticks(line, "`");
  // CommonMark takes one space away on each side.
  const bool pad = line.front() == '`' || line.back() == '`';
  return fmt::format("{0}{1}{2}{1}{0}", ticks, pad ? " " : "", line);
}

std::string prose(const std::string& line) {
  constexpr std::string_view kMarkup = "\\`*<|";
  const auto in_word = [&](std::size_t at) {
    return at < line.size() && std::isalnum(static_cast<unsigned char>(line[at])) != 0;
  };
  std::string made;
  for (std::size_t i = 0; i < line.size(); ++i) {
    // An underscore inside a word is no markup.
    const bool outer = line[i] == '_' && !(i > 0 && in_word(i - 1) && in_word(i + 1));
    if (outer || kMarkup.find(line[i]) != std::string_view::npos) made += '\\';
    made += line[i];
  }
  return made;
}

std::string table_cell(const std::string& text) { return prose(one_line(text, 120)); }

}  // namespace jp::report
