// Differences between texts, as `diff -u` writes them.
#include "report/diff.h"

#include <gtest/gtest.h>

#include <charconv>
#include <vector>

#include "core/choices.h"

namespace jp::report {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The number that follows `mark` in the head of a hunk.
std::size_t number_after(const std::string& head, char mark) {
  std::size_t number = 0;
  const char* const begin = head.data() + head.find(mark) + 1;
  std::from_chars(begin, head.data() + head.size(), number);
  return number;
}

// The text after a difference, which must say of it what is so.
std::vector<std::string> patched(const std::vector<std::string>& before, const std::string& difference) {
  std::vector<std::string> after;
  std::size_t at = 0;
  for (const std::string& line : lines_of(difference)) {
    const std::string text = line.substr(1);
    if (line[0] == '@') {
      while (at + 1 < number_after(line, '-') && at < before.size()) after.push_back(before[at++]);
      EXPECT_EQ(after.size() + 1, number_after(line, '+')) << difference;
    } else if (line[0] == '+') {
      after.push_back(text);
    } else {
      EXPECT_TRUE(at < before.size() && before[at] == text) << difference;
      if (line[0] == ' ') after.push_back(text);
      ++at;
    }
  }
  after.insert(after.end(), before.begin() + static_cast<std::ptrdiff_t>(std::min(at, before.size())), before.end());
  return after;
}

TEST(Diff, OfEqualTextsIsNothing) {
  EXPECT_EQ(unified_diff("", "", false), "");
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", true), "");
}

TEST(Diff, HasLinesAround) {
  const std::string before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n";
  EXPECT_EQ(unified_diff(before, "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n", false),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff(before, before + "12\n", false), "@@ -9,3 +9,4 @@\n 9\n 10\n 11\n+12\n");
  EXPECT_EQ(unified_diff("a\n", "b\n", true), "@@ -1,1 +1,1 @@\n\033[31m-a\033[0m\n\033[32m+b\033[0m\n");
}

TEST(Diff, PatchesTheOneTextIntoTheOther) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Choices choices(seed);
    std::vector<std::string> before(choices.below(40)), after;
    for (std::string& line : before) line = std::string(1, static_cast<char>('a' + choices.below(4)));
    for (const std::string& line : before) {
      if (choices.below(8) != 0) after.push_back(line);
      if (choices.below(8) == 0) after.push_back("new");
    }
    EXPECT_EQ(patched(before, unified_diff(joined(before), joined(after), false)), after) << seed;
  }
}

}  // namespace
}  // namespace jp::report
