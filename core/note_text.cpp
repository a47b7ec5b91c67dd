#include "core/note_text.h"

#include <algorithm>

namespace jp {
namespace {

constexpr std::string_view kBlank = " \t\n\r";

/// It needs no quotes.
bool is_word(std::string_view text) {
  auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), plain);
}

}  // namespace

void NoteWriter::word(std::string_view text) {
  if (!text_.empty() && text_.back() != '(' && text_.back() != '[') text_ += ' ';
  text_ += text;
}

void NoteWriter::put(const std::string& text) {
  if (is_word(text)) return word(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  word(quoted + '"');
}

bool NoteReader::take(char wanted) {
  left_.remove_prefix(std::min(left_.find_first_not_of(kBlank), left_.size()));
  if (left_.empty() || left_.front() != wanted) return false;
  left_.remove_prefix(1);
  return true;
}

std::string_view NoteReader::word() {
  left_.remove_prefix(std::min(left_.find_first_not_of(kBlank), left_.size()));
  const std::string_view found = left_.substr(0, left_.find_first_of(" \t\n\r()[]\""));
  left_.remove_prefix(found.size());
  return found;
}

bool NoteReader::at_end() { return word().empty() && left_.empty(); }

bool NoteReader::get(bool& value) {
  const std::string_view text = word();
  value = text == "yes";
  return value || text == "no";
}

bool NoteReader::get(Dtype& dtype) {
  const auto found = parse_dtype(word());
  if (found) dtype = *found;
  return found.has_value();
}

bool NoteReader::get(std::string& text) {
  text.clear();
  if (!take('"')) {
    text = word();
    return is_word(text);
  }
  while (!left_.empty() && left_.front() != '"') {
    if (left_.front() == '\\') left_.remove_prefix(1);
    if (left_.empty()) return false;
    text += left_.front();
    left_.remove_prefix(1);
  }
  return take('"');
}

}  // namespace jp
