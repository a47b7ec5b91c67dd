#include "core/utf8.h"

#include <utf8.h>

#include <cstdint>
#include <cstring>

namespace jp {
namespace {

// Programs are ASCII but for some names and texts, and utfcpp goes byte by byte: eight at once are passed over.
std::size_t ascii_length(std::string_view text) {
  std::size_t length = 0;
  for (std::uint64_t eight = 0; length + sizeof eight <= text.size(); length += sizeof eight) {
    std::memcpy(&eight, text.data() + length, sizeof eight);
    if ((eight & 0x8080808080808080ULL) != 0) break;
  }
  return length;
}

}  // namespace

std::size_t invalid_utf8_at(std::string_view text) {
  const auto* const first_other = text.data() + ascii_length(text);
  const char* const end = text.data() + text.size();
  const char* const invalid = utf8::find_invalid(first_other, end);
  return invalid == end ? std::string_view::npos : static_cast<std::size_t>(invalid - text.data());
}

std::string_view whole_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  constexpr std::size_t kMostMissing = 3;  // bytes of a character that the cut can leave
  const std::string_view cut = text.substr(0, most);
  const std::size_t whole = invalid_utf8_at(cut);
  return whole != std::string_view::npos && most - whole <= kMostMissing ? cut.substr(0, whole) : cut;
}

}  // namespace jp
