#include "oracle/judge/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "core/dtype.h"
#include "core/utf8.h"
#include "oracle/judge/limits.h"
#include "oracle/judge/tolerance.h"

namespace jp::oracle {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

// The length of the number at the start of the text, without its sign; 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    while (at < text.size() && is_digit(text[at])) ++at;
  };
  digits();
  if (at == 0) return 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    digits();
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
    if (at + 1 + sign < text.size() && is_digit(text[at + 1 + sign])) {
      at += 1 + sign;
      digits();
    }
  }
  return at;
}

// How much farther off than eager a printed number must be to count as wrong, in eager's own distance from the control
// run, and as a share of the number: more than half types lose in a few operators, or than float32 does (chosen, not
// measured).
constexpr double kTimesOwn = 8;
constexpr double kShareOfHalf = 0.05;
constexpr double kShare = 0.002;

// A number with a fraction or exponent, and the value of one unit of its last digit.
struct Printed {
  double number = 0;
  double unit = 0;
};

bool is_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && number_length(word) == word.size();
}

bool is_not_finite(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return word == "nan" || word == "inf";
}

std::optional<Printed> read_fraction(std::string_view word) {
  if (!is_number(word)) return std::nullopt;
  const std::size_t exponent_at = word.find_first_of("eE");
  const std::string_view mantissa = word.substr(0, exponent_at);
  const std::size_t point = mantissa.find('.');
  if (point == std::string_view::npos && exponent_at == std::string_view::npos) return std::nullopt;
  const double digits = point == std::string_view::npos ? 0 : static_cast<double>(mantissa.size() - point - 1);
  const double exponent = exponent_at == std::string_view::npos
                              ? 0
                              : std::strtod(std::string(word.substr(exponent_at + 1)).c_str(), nullptr);
  return Printed{std::strtod(std::string(word).c_str(), nullptr), std::pow(10.0, exponent - digits)};
}

bool prints_alike(std::string_view eager, std::string_view compiled) {
  const std::optional<Printed> one = read_fraction(eager);
  const std::optional<Printed> other = read_fraction(compiled);
  if (!one || !other) return false;
  // A zero has few digits whatever it stands beside.
  const double unit = std::min(one->unit, other->unit) * kLimits.printed_units;
  const Tolerance tolerance = default_tolerance(Dtype::kFloat32);
  const double absolute = std::min(tolerance.absolute, kLimits.small_share * std::abs(one->number));
  return std::abs(one->number - other->number) <= unit + absolute + tolerance.relative * std::abs(one->number);
}

// Whether small numbers are within the default tolerance, and a control run is about as far from both.
bool is_rounded(std::string_view eager, std::string_view compiled, std::string_view third) {
  const std::optional<Printed> one = read_fraction(eager);
  const std::optional<Printed> other = read_fraction(compiled);
  const std::optional<Printed> control = read_fraction(third);
  if (!one || !other || !control) return false;
  if (std::abs(one->number - other->number) > allowance(default_tolerance(Dtype::kFloat32), one->number)) return false;
  const double own = std::abs(one->number - control->number);
  return std::abs(other->number - control->number) <= kLimits.times_own_distance * own + one->unit;
}

// Whether the compiled number is far from a control run that eager is close to.
bool is_far_off(std::string_view eager, std::string_view compiled, std::string_view third, double share) {
  const std::optional<Printed> one = read_fraction(eager);
  const std::optional<Printed> other = read_fraction(compiled);
  const std::optional<Printed> control = read_fraction(third);
  if (one && control && !is_number(compiled)) return true;
  if (!one || !other || !control) return false;
  const double own = std::abs(one->number - control->number);
  const double unit = std::max(one->unit, std::min(other->unit, control->unit));
  return std::abs(other->number - control->number) > kTimesOwn * own + share * std::abs(control->number) + unit;
}

// One word by a control run: the judgements are in order, the mildest first.
TextJudgement compare_word(std::string_view eager, std::string_view compiled, std::string_view third, double share) {
  if (eager == compiled) return TextJudgement::kSame;
  // A dtype's name differs in a float64 run by design.
  if (eager == third || parse_dtype(eager)) return TextJudgement::kWrong;
  if (prints_alike(eager, compiled) || is_rounded(eager, compiled, third)) return TextJudgement::kRounding;
  return is_far_off(eager, compiled, third, share) ? TextJudgement::kWrong : TextJudgement::kUnstable;
}

// As split_signed, without spaces: torch fills columns, whose width depends on signs and digits. Nor with line breaks
// before numbers within brackets, which depend on that width.
std::vector<std::string_view> split_aligned(std::string_view text) {
  std::vector<std::string_view> words;
  int open = 0;
  for (std::string_view word : split_signed(text)) {
    if (word == " ") continue;
    if (word == "[" || word == "(") ++open;
    if (word == "]" || word == ")") --open;
    if (open > 0 && is_number_word(word))
      while (!words.empty() && words.back() == "\n") words.pop_back();
    words.push_back(word);
  }
  return words;
}

// The name of the function that Dynamo resumes in one of its own.
std::string_view without_resumption(std::string_view word) {
  constexpr std::string_view kBefore = "torch_dynamo_resume_in_";
  constexpr std::string_view kBehind = "_at_";
  if (!word.starts_with(kBefore)) return word;
  const std::size_t end = word.rfind(kBehind);
  return end == std::string_view::npos || end < kBefore.size() ? word
                                                               : word.substr(kBefore.size(), end - kBefore.size());
}

// A text without what torch writes of tensors that have another dtype than the default (", dtype=torch.float64"), and
// these parts.
struct Bare {
  std::string text;
  std::vector<std::string> dtypes;
};

Bare without_dtypes(std::string_view text) {
  constexpr std::string_view kBegin = "dtype=torch.";
  Bare bare;
  for (std::size_t at; (at = text.find(kBegin)) != std::string_view::npos;) {
    std::size_t end = at + kBegin.size();
    while (end < text.size() && is_word(text[end])) ++end;
    bare.dtypes.emplace_back(text.substr(at, end - at));
    // The comma and the space, or the line break and the indentation, before it.
    std::string_view before = text.substr(0, at);
    while (!before.empty() && (before.back() == ' ' || before.back() == '\n')) before.remove_suffix(1);
    if (!before.empty() && before.back() == ',') before.remove_suffix(1);
    bare.text += before;
    text.remove_prefix(end);
  }
  bare.text += text;
  return bare;
}

// A tensor's text is broken before what would make the line too long, which depends on the length of the name there.
void join_before(std::string& text, std::string_view last) {
  if (!text.ends_with(last)) return;
  text.resize(text.size() - last.size());
  const std::size_t end = text.find_last_not_of(' ');
  const bool broken = end != std::string::npos && end > 0 && text[end] == '\n' && text[end - 1] == ',';
  if (broken && end + 1 < text.size()) text.replace(end, std::string::npos, 1, ' ');
  text += last;
}

}  // namespace

std::vector<std::string_view> split_text(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = number_length(text.substr(at));
    // "v12": digits that follow a letter belong to its word; so does a letter that follows digits ("3x").
    if (length == 0 || (at + length < text.size() && is_word(text[at + length]))) {
      length = 0;
      while (at + length < text.size() && is_word(text[at + length])) ++length;
    }
    if (length == 0) length = 1;
    words.push_back(text.substr(at, length));
    at += length;
  }
  return words;
}

bool is_number_word(std::string_view word) { return is_number(word) || is_not_finite(word); }

std::vector<std::string_view> split_signed(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word : split_text(text)) {
    const std::size_t count = words.size();
    const bool is_signed =
        is_number_word(word) && count > 0 && words.back() == "-" && (count == 1 || !is_word(words[count - 2].back()));
    if (is_signed)
      words.back() = {words.back().data(), 1 + word.size()};
    else
      words.push_back(word);
  }
  return words;
}

std::optional<std::string> without_free_words(std::string_view eager, std::string_view compiled,
                                              const std::vector<std::string>& others) {
  const std::vector<std::string_view> ones = split_signed(eager);
  std::vector<std::string_view> words = split_signed(compiled);
  std::vector<std::vector<std::string_view>> moved;
  for (const std::string& other : others) moved.push_back(split_signed(other));
  const auto of_another_length = [&](const std::vector<std::string_view>& its) { return its.size() != ones.size(); };
  if (std::any_of(moved.begin(), moved.end(), of_another_length)) return std::nullopt;
  if (of_another_length(words)) return std::string(compiled);
  for (const std::vector<std::string_view>& its : moved)
    for (std::size_t i = 0; i < ones.size(); ++i)
      if (its[i] != ones[i]) words[i] = ones[i];
  std::string made;
  for (std::string_view word : words) made += word;
  return made;
}

std::string with_common_names(std::string_view text) {
  constexpr std::string_view kName = "Backward";
  constexpr std::string_view kModule = "torch.autograd.function.";
  std::string made;
  for (std::string_view word : split_text(text)) {
    const std::string_view name = word.substr(0, word.find_last_not_of("0123456789") + 1);
    if (!name.ends_with(kName)) {
      made += without_resumption(word);
      continue;
    }
    if (made.ends_with(kModule)) made.resize(made.size() - kModule.size());
    join_before(made, "grad_fn=<");
    made += kName;
  }
  return made;
}

TextJudgement compare_text(std::string_view eager, std::string_view compiled, const std::vector<std::string>& others,
                           bool other_precision, bool halves) {
  if (eager == compiled) return TextJudgement::kSame;
  const Bare one = without_dtypes(eager);
  const Bare other = without_dtypes(compiled);
  const auto words = split_aligned(one.text);
  const auto compiled_words = split_aligned(other.text);
  const bool differs_in_words = words != compiled_words;  // or only in spaces
  std::vector<TextJudgement> judged(words.size(), TextJudgement::kWrong);
  for (const std::string& text : others) {
    if (eager == text) continue;
    const Bare control = without_dtypes(text);
    // A run in float64 has that as its default dtype, so what torch writes of dtypes differs there by design.
    if (one.dtypes != other.dtypes) {
      if (other_precision || control.dtypes == one.dtypes) continue;
      return TextJudgement::kUnstable;
    }
    if (one.text == other.text) continue;
    const auto control_words = split_aligned(control.text);
    if (words.size() != control_words.size()) return TextJudgement::kUnstable;
    if (words.size() != compiled_words.size()) continue;
    for (std::size_t i = 0; i < words.size(); ++i)
      judged[i] = std::min(judged[i],
                           compare_word(words[i], compiled_words[i], control_words[i], halves ? kShareOfHalf : kShare));
  }
  if (words.size() != compiled_words.size() || !differs_in_words) return TextJudgement::kWrong;
  const TextJudgement worst = *std::max_element(judged.begin(), judged.end());
  return worst == TextJudgement::kSame ? TextJudgement::kRounding : worst;
}

std::string shorten(std::string_view text, std::size_t limit) {
  std::string line;
  for (char c : text) line += c == '\n' ? std::string("\\n") : std::string(1, c);
  if (line.size() <= limit) return line;
  return std::string(whole_characters(line, limit)) + "…";
}

}  // namespace jp::oracle
