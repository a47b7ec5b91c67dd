#include "core/text.h"

#include <fmt/format.h>
#include <unistd.h>
#include <utf8.h>

#include <algorithm>
#include <cstdint>

#include "core/utf8.h"

namespace jp {
namespace {

// Those of ASCII and of ISO 6429 (U+0080 to U+009F), but for line breaks and tabs.
bool is_control(std::uint32_t point) {
  return (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7F && point < 0xA0);
}

void append_escaped(std::string& safe, std::string_view bytes) {
  for (char byte : bytes) safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

void append_without_controls(std::string& safe, std::string_view utf8_text) {
  for (const char *at = utf8_text.data(), *end = at + utf8_text.size(); at != end;) {
    const char* const begin = at;
    const bool control = is_control(utf8::unchecked::next(at));
    const std::string_view character(begin, static_cast<std::size_t>(at - begin));
    if (control) {
      append_escaped(safe, character);
    } else {
      safe += character;
    }
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::string_view valid = text.substr(0, invalid_utf8_at(text));
    append_without_controls(safe, valid);
    text.remove_prefix(valid.size());
    append_escaped(safe, text.substr(0, 1));
    if (!text.empty()) text.remove_prefix(1);
  }
  return safe;
}

std::string for_errors(std::string_view text) { return isatty(STDERR_FILENO) ? escaped(text) : std::string(text); }

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "%+,-./:=@_";
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kPlain.find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace jp
