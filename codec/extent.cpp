#include "codec/extent.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jp::codec {
namespace {

/// What follows a value's first byte: how many bytes hold its length, how many bytes follow in any case, and how many
/// values there are per item.
struct Form {
  std::uint8_t length_bytes = 0;
  std::uint8_t fixed = 0;
  std::uint8_t values = 0;
};

/// First bytes from 0xc0 to 0xdf: https://github.com/msgpack/msgpack/blob/master/spec.md
constexpr std::array<Form, 32> kForms = {{
    {},        {},        {},        {},                     // nil, never used, false, true
    {1, 0, 0}, {2, 0, 0}, {4, 0, 0},                         // bin
    {1, 1, 0}, {2, 1, 0}, {4, 1, 0},                         // ext
    {0, 4, 0}, {0, 8, 0},                                    // float
    {0, 1, 0}, {0, 2, 0}, {0, 4, 0}, {0, 8, 0},              // uint
    {0, 1, 0}, {0, 2, 0}, {0, 4, 0}, {0, 8, 0},              // int
    {0, 2, 0}, {0, 3, 0}, {0, 5, 0}, {0, 9, 0}, {0, 17, 0},  // fixext
    {1, 0, 0}, {2, 0, 0}, {4, 0, 0},                         // str
    {2, 0, 1}, {4, 0, 1},                                    // array
    {2, 0, 2}, {4, 0, 2},                                    // map
}};
constexpr unsigned char kNeverUsed = 0xc1;

}  // namespace

std::optional<std::size_t> extent(std::string_view bytes, std::size_t most_depth) {
  std::size_t at = 0;
  std::vector<std::uint64_t> open = {1};  // values that are still to come, for each enclosing container
  while (!open.empty()) {
    if (open.back() == 0) {
      open.pop_back();
      continue;
    }
    --open.back();
    if (at == bytes.size()) return std::nullopt;
    const auto first = static_cast<unsigned char>(bytes[at++]);
    const Form form = (first & 0xe0) == 0xc0 ? kForms[first & 0x1fU] : Form{};
    if (first == kNeverUsed || bytes.size() - at < form.length_bytes) return std::nullopt;
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < form.length_bytes; ++i) length = length << 8 | static_cast<unsigned char>(bytes[at++]);
    std::uint64_t inside = form.values * length;
    std::uint64_t skipped = form.fixed + (form.values == 0 ? length : 0);
    if ((first & 0xf0) == 0x80) inside = 2 * std::uint64_t{first & 0x0fU};
    if ((first & 0xf0) == 0x90) inside = first & 0x0fU;
    if ((first & 0xe0) == 0xa0) skipped = first & 0x1fU;
    if (skipped > bytes.size() - at) return std::nullopt;
    at += skipped;
    if (inside > 0) open.push_back(inside);
    if (open.size() > most_depth + 1) return std::nullopt;
  }
  return at;
}

}  // namespace jp::codec
