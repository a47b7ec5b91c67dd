#include "codec/extent.h"

#include <cstdint>
#include <vector>

namespace jp::codec {
namespace {

/// Behind a value's first byte: how many bytes say how long it is, how many bytes follow whatever that is, and how many
/// values stand for each item. https://github.com/msgpack/msgpack/blob/master/spec.md
struct Form {
  std::size_t length_bytes = 0;
  std::size_t fixed = 0;
  std::size_t values = 0;
};

std::optional<Form> form_of(unsigned char first) {
  switch (first) {
    case 0xc1:
      return std::nullopt;
    case 0xc4:
    case 0xd9:
      return Form{1, 0, 0};
    case 0xc5:
    case 0xda:
      return Form{2, 0, 0};
    case 0xc6:
    case 0xdb:
      return Form{4, 0, 0};
    case 0xc7:
      return Form{1, 1, 0};
    case 0xc8:
      return Form{2, 1, 0};
    case 0xc9:
      return Form{4, 1, 0};
    case 0xcc:
    case 0xd0:
      return Form{0, 1, 0};
    case 0xcd:
    case 0xd1:
    case 0xd4:
      return Form{0, 2, 0};
    case 0xd5:
      return Form{0, 3, 0};
    case 0xca:
    case 0xce:
    case 0xd2:
      return Form{0, 4, 0};
    case 0xd6:
      return Form{0, 5, 0};
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return Form{0, 8, 0};
    case 0xd7:
      return Form{0, 9, 0};
    case 0xd8:
      return Form{0, 17, 0};
    case 0xdc:
      return Form{2, 0, 1};
    case 0xdd:
      return Form{4, 0, 1};
    case 0xde:
      return Form{2, 0, 2};
    case 0xdf:
      return Form{4, 0, 2};
    default:
      return Form{};
  }
}

}  // namespace

std::optional<std::size_t> extent(std::string_view bytes, std::size_t most_depth) {
  std::size_t at = 0;
  std::vector<std::uint64_t> open = {1};  // values that are still to come, of each container around
  while (!open.empty()) {
    if (open.back() == 0) {
      open.pop_back();
      continue;
    }
    --open.back();
    if (at == bytes.size()) return std::nullopt;
    const auto first = static_cast<unsigned char>(bytes[at++]);
    const std::optional<Form> form = form_of(first);
    if (!form || bytes.size() - at < form->length_bytes) return std::nullopt;
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < form->length_bytes; ++i) length = length << 8 | static_cast<unsigned char>(bytes[at++]);
    std::uint64_t inside = form->values * length;
    std::uint64_t skipped = form->fixed + (form->values == 0 ? length : 0);
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
