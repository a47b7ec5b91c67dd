// Texts that a program prints or returns: compared exactly, except for what depends on the precision of the numbers in
// them.
//
// A text is words, numbers and other single characters. If eager and compiled differ, a control run is consulted word
// by word: a word that it shares with eager does not depend on rounding, so the difference is real. Numbers with a
// fraction that differ in the control run too may differ by tolerance and one unit of the last printed digit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jp::oracle {

/// The result for two texts.
enum class TextJudgement { kSame, kRounding, kUnstable, kWrong };

/// Judges two texts by others: the reference in higher precision, or with its roundings moved. A word is wrong if it is
/// by all of them. `other_precision`: in which dtypes are others by design. `halves`: half types take part, which lose
/// more of a number.
TextJudgement compare_text(std::string_view eager, std::string_view compiled, const std::vector<std::string>& others,
                           bool other_precision = true, bool halves = false);

/// `compiled` with eager's words where one of `others` has another word than eager: those are free. Unchanged if it has
/// another number of words. Nothing if one of `others` has, so that it can't be said which words are free.
std::optional<std::string> without_free_words(std::string_view eager, std::string_view compiled,
                                              const std::vector<std::string>& others);

/// The text with one name for every node of autograd's: "grad_fn=<MulBackward0>" and
/// "<torch.autograd.function.CompiledFunctionBackward" name the node that computed a tensor. And with a function's own
/// name for "torch_dynamo_resume_in_program_at_7", what Dynamo makes of the rest of one.
std::string with_common_names(std::string_view text);

/// Words (letters, digits, _ ), numbers ("-1.5e3", "7"), and every other character by itself.
std::vector<std::string_view> split_text(std::string_view text);

/// As split_text, but a sign belongs to its number: "x-1" is a difference, "-1" and "(-1" have signs.
std::vector<std::string_view> split_signed(std::string_view text);

/// Whether a word of split_signed is a number, infinity or NaN.
bool is_number_word(std::string_view word);

/// At most `limit` bytes for people, on one line, cut at a whole character, with "…" if something was left out.
std::string shorten(std::string_view text, std::size_t limit = 120);

}  // namespace jp::oracle
