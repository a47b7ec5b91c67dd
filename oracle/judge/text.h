// Texts that a program prints or returns: exact, but for what hangs on the precision of the numbers in them.
//
// A text is words, numbers and single other characters. Where eager and compiled differ, a run of the panel is asked
// word by word: a word that it shares with eager does not hang on rounding, so the difference is real. Numbers with a
// fraction that it shows differently too may differ by tolerance and one unit of the last printed digit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jp::oracle {

/// What became of two texts.
enum class TextJudgement { kSame, kRounding, kUnstable, kWrong };

/// Judges two texts by a third: the reference in higher precision, or with its roundings moved.
TextJudgement compare_text(std::string_view eager, std::string_view compiled, std::string_view third);

/// Words (letters, digits, _ ), numbers ("-1.5e3", "7"), and every other character by itself.
std::vector<std::string_view> split_text(std::string_view text);

/// At most `limit` bytes for people, on one line, cut at a whole character, with "…" where something was left out.
std::string shorten(std::string_view text, std::size_t limit = 120);

}  // namespace jp::oracle
