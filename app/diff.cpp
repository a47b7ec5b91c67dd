#include "app/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace jp::app {
namespace {

using Lines = std::vector<std::string_view>;

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

struct Row {
  char mark;  // ' ', '-', '+'
  std::string_view line;
};

/// The edit script from the table of longest common suffixes. Common heads and tails are cut off first: a mutation
/// changes few lines, and the table is quadratic.
std::vector<Row> script(const Lines& a, const Lines& b) {
  std::size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::size_t n = a.size() - head - tail, m = b.size() - head - tail;
  std::vector<std::vector<std::uint32_t>> common(n + 1, std::vector<std::uint32_t>(m + 1));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] =
          a[head + i] == b[head + j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < head; ++i) rows.push_back({' ', a[i]});
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && a[head + i] == b[head + j]) {
      rows.push_back({' ', a[head + i]}), ++i, ++j;
    } else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1])) {
      rows.push_back({'-', a[head + i++]});
    } else {
      rows.push_back({'+', b[head + j++]});
    }
  }
  for (std::size_t k = a.size() - tail; k < a.size(); ++k) rows.push_back({' ', a[k]});
  return rows;
}

std::string painted(const Row& row, bool colour) {
  const char* code = row.mark == '-' ? "31" : row.mark == '+' ? "32" : "";
  if (!colour || !*code) return fmt::format("{}{}\n", row.mark, row.line);
  return fmt::format("\033[{}m{}{}\033[0m\n", code, row.mark, row.line);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, bool colour) {
  constexpr std::size_t kContext = 3;
  const std::vector<Row> rows = script(split(before), split(after));
  std::string text;
  std::size_t line_a = 1, line_b = 1;
  for (std::size_t at = 0; at < rows.size();) {
    std::size_t change = at;
    while (change < rows.size() && rows[change].mark == ' ') ++change;
    if (change == rows.size()) break;
    std::size_t begin = change - std::min(kContext, change - at);
    line_a += begin - at, line_b += begin - at;
    std::size_t end = change;
    for (std::size_t same = 0; end < rows.size() && same <= 2 * kContext; ++end)
      same = rows[end].mark == ' ' ? same + 1 : 0;
    std::size_t trailing = 0;
    while (rows[end - 1 - trailing].mark == ' ') ++trailing;
    end -= trailing - std::min(kContext, trailing);
    auto count = [&](char mark) {
      return std::count_if(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                           rows.begin() + static_cast<std::ptrdiff_t>(end),
                           [&](const Row& row) { return row.mark == ' ' || row.mark == mark; });
    };
    auto length_a = count('-'), length_b = count('+');
    text += fmt::format("@@ -{},{} +{},{} @@\n", line_a, length_a, line_b, length_b);
    for (std::size_t i = begin; i < end; ++i) text += painted(rows[i], colour);
    line_a += static_cast<std::size_t>(length_a), line_b += static_cast<std::size_t>(length_b);
    at = end;
  }
  return text;
}

}  // namespace jp::app
