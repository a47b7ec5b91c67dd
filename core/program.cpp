#include "core/program.h"

#include <fmt/format.h>

#include "core/hash.h"
#include "core/utf8.h"

namespace jp {

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
