#include "core/program.h"

#include <fmt/format.h>

#include <cstring>

#include "core/hash.h"

namespace jp {

std::size_t invalid_utf8_at(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    // Eight bytes at once while all are ASCII.
    std::uint64_t eight = 0;
    while (i + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + i, sizeof eight);
      if ((eight & 0x8080808080808080ULL) != 0) break;
      i += sizeof eight;
    }
    if (i == text.size()) break;
    auto lead = static_cast<unsigned char>(text[i]);
    std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    if (length == 0 || i + length > text.size()) return i;
    std::uint32_t point = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t j = 1; j < length; ++j) {
      auto byte = static_cast<unsigned char>(text[i + j]);
      if (byte >> 6 != 2) return i;
      point = point << 6 | (byte & 0x3F);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < kLeast[length] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return i;
    i += length;
  }
  return std::string_view::npos;
}

Result<Program> Program::make(std::string source, Lineage lineage, std::string path, std::string entry,
                              std::string inputs) {
  if (source.size() > kMaxProgramBytes)
    return Error{fmt::format("the program has {} bytes; at most {} are taken", source.size(), kMaxProgramBytes)};
  if (std::size_t at = invalid_utf8_at(source); at != std::string_view::npos)
    return Error{fmt::format("the program is not UTF-8 (byte {})", at)};
  if (source.find('\0') != std::string::npos) return Error{"the program holds a NUL byte"};
  if (entry.empty() || inputs.empty()) return Error{"the names of the entry and of the inputs must not be empty"};
  Program program;
  program.source_ = std::move(source);
  program.lineage_ = std::move(lineage);
  program.path_ = std::move(path);
  program.entry_ = std::move(entry);
  program.inputs_ = std::move(inputs);
  return program;
}

std::string Program::sha256() const { return sha256_hex(source_); }

}  // namespace jp
