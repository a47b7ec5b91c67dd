#include "report/diff.h"

#include <fmt/format.h>

#include <dtl/dtl.hpp>
#include <vector>

namespace jp::report {
namespace {

using Lines = std::vector<std::string_view>;
using Line = std::pair<std::string_view, dtl::elemInfo>;

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string painted(const Line& line, bool colour) {
  if (line.second.type == dtl::SES_COMMON) return fmt::format(" {}\n", line.first);
  const bool added = line.second.type == dtl::SES_ADD;
  const char mark = added ? '+' : '-';
  if (!colour) return fmt::format("{}{}\n", mark, line.first);
  return fmt::format("\033[{}m{}{}\033[0m\n", added ? 32 : 31, mark, line.first);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, bool colour) {
  dtl::Diff<std::string_view, Lines> diff(split(before), split(after));
  diff.compose();
  diff.composeUnifiedHunks();
  std::string text;
  for (const auto& hunk : diff.getUniHunks()) {
    text += fmt::format("@@ -{},{} +{},{} @@\n", hunk.a, hunk.b, hunk.c, hunk.d);
    for (const auto* part : {&hunk.common[0], &hunk.change, &hunk.common[1]})
      for (const Line& line : *part) text += painted(line, colour);
  }
  return text;
}

}  // namespace jp::report
