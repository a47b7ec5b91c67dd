// Normalises texts by removing what belongs to one program, machine or run: the parts of a signature.
#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "core/dtype.h"
#include "core/utf8.h"
#include "oracle/judge/text.h"
#include "oracle/signature/signature.h"

namespace jp::oracle {
namespace {

constexpr std::size_t kLongest = 160;
constexpr std::size_t kLookedAt = 4096;
constexpr int kLines = 3;

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What torch adds for people: the user's code, hints, links. Nothing after it belongs to the failure.
bool ends_message(const std::string& line) {
  constexpr std::string_view kStarts[] = {
      "from user code",       "Set TORCH", "While executing", "Original traceback", "The above exception",
      "Developer debug",      "  Hint:",   "  Explanation:",  "You can suppress",   "Traceback (most",
      "This error most often"};
  return std::any_of(std::begin(kStarts), std::end(kStarts),
                     [&](std::string_view start) { return line.starts_with(start); });
}

// The first diagnostic of a C++ compiler, without the command that called it, which is the same for all generated code.
std::optional<std::string> diagnostic(const std::string& message) {
  constexpr std::string_view kSign = ": error: ";
  const std::size_t at = message.find(kSign);
  if (at == std::string::npos || message.find("g++ ") == std::string::npos) return std::nullopt;
  const std::size_t start = at + 2;
  return message.substr(start, message.find('\n', start) - start);
}

std::string first_lines(const std::string& message) {
  if (std::optional<std::string> said = diagnostic(message)) return *said;
  std::string kept;
  int lines = 0;
  for (std::size_t at = 0; at < message.size() && lines < kLines;) {
    const std::size_t end = std::min(message.find('\n', at), message.size());
    const std::string line = message.substr(at, end - at);
    at = end + 1;
    if (ends_message(line)) break;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    kept += (kept.empty() ? "" : " ") + line;
    ++lines;
  }
  return kept;
}

// The end of the quoted text that begins at `at`, or npos. An apostrophe inside a word ("can't") opens nothing.
std::size_t quoted_end(const std::string& text, std::size_t at) {
  const char quote = text[at];
  if (quote != '\'' && quote != '"' && quote != '`') return std::string::npos;
  if (at > 0 && is_name(text[at - 1])) return std::string::npos;
  return text.find(quote, at + 1);
}

// The end of a list of numbers, "[3, 4]" or "(2, )", or npos.
std::size_t shape_end(const std::string& text, std::size_t at) {
  if (text[at] != '[' && text[at] != '(') return std::string::npos;
  const char close = text[at] == '[' ? ']' : ')';
  std::size_t end = at + 1;
  while (end < text.size() && (is_digit(text[end]) || text[end] == ',' || text[end] == ' ' || text[end] == '-')) ++end;
  return end < text.size() && text[end] == close && end > at + 1 ? end : std::string::npos;
}

// "float32", "int8", "bfloat16": the numbers in them are no values. "v12", "buf3", "arg0_1" are names.
bool keeps_digits(std::string_view word) { return parse_dtype(word).has_value(); }

std::string clean_word(std::string_view word) {
  if (!std::any_of(word.begin(), word.end(), is_digit) || keeps_digits(word)) return std::string(word);
  return is_digit(word[0]) ? "0" : "N";
}

// What a message says of each dimension or argument in turn ("expected size 0==0, stride 0==0 at dim=0; expected …") is
// kept once: their number belongs to the program.
std::string said_once(std::string text) {
  constexpr std::string_view kBetween = "; ";
  for (std::size_t begin = 0, at = 0; (at = text.find(kBetween, begin)) != std::string::npos;) {
    const std::string clause = text.substr(begin, at - begin);
    const std::string_view next = std::string_view(text).substr(at + kBetween.size());
    const std::string_view behind = next.substr(std::min(next.size(), clause.size()));
    if (next.starts_with(clause) && (behind.empty() || behind[0] == ' ' || behind[0] == ';'))
      text.erase(begin, clause.size() + kBetween.size());
    else
      begin = at + kBetween.size();
  }
  return text;
}

using Names = std::set<std::string, std::less<>>;

// Statements that say something about the cause.
const Names& structure() {
  static const Names kNames = {"assert", "class", "del",   "except", "finally", "for",  "global", "if",
                               "lambda", "match", "raise", "try",    "while",   "with", "yield",  "nonlocal"};
  return kNames;
}

// Calls that only make an initial tensor, which depend on how the reduction happened to go.
const Names& makers() {
  static const Names kNames = {"Generator", "arange", "empty",   "full",   "manual_seed", "ones",  "rand",
                               "randint",   "randn",  "reshape", "tensor", "view",        "zeros", "requires_grad_"};
  return kNames;
}

// The text without a function of the module: from its `def` to the next unindented line.
std::string without_function(const std::string& source, const std::string& name) {
  const std::string head = "def " + name + "(";
  std::size_t begin = source.starts_with(head) ? 0 : source.find("\n" + head);
  if (begin == std::string::npos) return source;
  std::size_t end = source.find('\n', begin + 1);
  const auto inside = [&](std::size_t line) {
    return line < source.size() && std::string_view(" \t\n)]}#").find(source[line]) != std::string_view::npos;
  };
  while (end != std::string::npos && inside(end + 1)) end = source.find('\n', end + 1);
  return source.substr(0, begin) + (end == std::string::npos ? "" : source.substr(end));
}

bool is_operator(std::string_view word) {
  return word.size() == 1 && std::string_view("+-*/%@&|^~<>!=").find(word[0]) != std::string_view::npos;
}

// The operators of a text, and "[" for items: features of a program that calls nothing. Comments are ignored.
Names operators_in(const std::string& text) {
  Names found;
  std::string run;
  bool comment = false;
  for (std::string_view word : split_text(text)) {
    if (word == "#") comment = true;
    if (word.find('\n') != std::string_view::npos) comment = false;
    if (!comment && is_operator(word)) {
      run += word;
      continue;
    }
    if (!run.empty() && run != "=" && run != "->") found.insert(run);
    run.clear();
    if (!comment && word == "[") found.emplace("[");
  }
  return found;
}

bool has_inner_function(const std::string& text) {
  for (std::size_t at = text.find("def "); at != std::string::npos; at = text.find("def ", at + 1))
    if (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) return true;
  return false;
}

}  // namespace

std::string clean_message(const std::string& message) {
  const std::string text = first_lines(message);
  std::string clean;
  for (std::size_t at = 0; at < text.size() && clean.size() < kLookedAt;) {
    if (const std::size_t end = quoted_end(text, at); end != std::string::npos) {
      clean += "'N'";
      at = end + 1;
    } else if (const std::size_t close = shape_end(text, at); close != std::string::npos) {
      clean += "[..]";
      at = close + 1;
    } else if (text[at] == '/' && at + 1 < text.size() && is_name(text[at + 1])) {
      // A path keeps only its last part.
      std::size_t end_of_path = at;
      while (end_of_path < text.size() && (is_name(text[end_of_path]) || text[end_of_path] == '/' ||
                                           text[end_of_path] == '.' || text[end_of_path] == '-'))
        ++end_of_path;
      at = text.rfind('/', end_of_path - 1) + 1;
      if (at == end_of_path) continue;
    } else if (is_name(text[at])) {
      std::size_t end_of_word = at;
      while (end_of_word < text.size() &&
             (is_name(text[end_of_word]) || (is_digit(text[at]) && text[end_of_word] == '.' &&
                                             end_of_word + 1 < text.size() && is_digit(text[end_of_word + 1]))))
        ++end_of_word;
      clean += clean_word(std::string_view(text).substr(at, end_of_word - at));
      at = end_of_word;
    } else {
      clean += text[at++];
    }
  }
  return std::string(whole_characters(said_once(std::move(clean)), kLongest));
}

namespace {

struct Calls {
  Names made;    // what makes tensors
  Names others;  // everything else
};

Calls calls_of(const std::string& source) {
  std::vector<std::string_view> solid;
  for (std::string_view word : split_text(source))
    if (word.find_first_not_of(" \t\r") != std::string_view::npos) solid.push_back(word);
  Names defined;
  for (std::size_t i = 0; i + 1 < solid.size(); ++i)
    if (solid[i] == "def" || solid[i] == "class") defined.emplace(solid[i + 1]);
  // Words of the language before a bracket, and calls that every program needs.
  static const Names kNever = {"if",     "in", "not", "and",    "or",          "return",   "for",
                               "lambda", "is", "def", "assert", "manual_seed", "Generator"};
  Calls calls;
  for (std::size_t i = 0; i + 1 < solid.size(); ++i) {
    const bool identifier = is_name(solid[i][0]) && !is_digit(solid[i][0]);
    if (!identifier || solid[i + 1] != "(" || defined.contains(solid[i]) || kNever.contains(solid[i])) continue;
    (makers().contains(solid[i]) ? calls.made : calls.others).emplace(solid[i]);
  }
  return calls;
}

}  // namespace

std::vector<std::string> called_names(const std::string& source) {
  Calls calls = calls_of(source);
  calls.others.merge(calls.made);
  return {calls.others.begin(), calls.others.end()};
}

std::vector<std::string> traits_of(const std::string& source, const std::string& inputs) {
  const std::string text = without_function(source, inputs);
  Calls calls = calls_of(text);
  Names traits = calls.others.empty() ? calls.made : calls.others;
  if (traits.empty()) traits = operators_in(text);
  for (std::string_view word : split_text(text))
    if (structure().contains(word)) traits.emplace(word);
  if (has_inner_function(text)) traits.emplace("def");
  // A conj or neg bit that is set on an argument is a cause by itself.
  if (calls_of(source).others.contains("conj")) traits.emplace("conj");
  return {traits.begin(), traits.end()};
}

}  // namespace jp::oracle
