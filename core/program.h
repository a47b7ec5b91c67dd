// A Python program under test: an ordinary file that a person can read and run. Immutable.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/lineage.h"
#include "core/result.h"

namespace jp {

/// The largest program accepted, in bytes.
inline constexpr std::size_t kMaxProgramBytes = std::size_t{1} << 20;

/// Invariants: the source is valid UTF-8 without NUL bytes and at most kMaxProgramBytes long; the entry's and the
/// inputs' names are not empty. It need not parse: mutate/syntax finds that out.
class Program {
 public:
  /// The program, or what is wrong with the text. `path` is the file it came from, "" for generated ones.
  static Result<Program> make(std::string source, Lineage lineage, std::string path = "", std::string entry = "program",
                              std::string inputs = "make_inputs");

  const std::string& source() const { return source_; }
  const std::string& entry() const { return entry_; }
  const std::string& inputs() const { return inputs_; }
  const std::string& path() const { return path_; }
  const Lineage& lineage() const { return lineage_; }
  /// SHA-256 of the source.
  std::string sha256() const;
  /// Functions that the runtime calls beside the entry, by their names in the file: what makes the arguments,
  /// "before_call" and "observe".
  std::array<std::string_view, 3> helpers() const { return {inputs_, "before_call", "observe"}; }
  /// All names that the runtime looks up in the file: the entry, the helpers, "COMPILE_OPTIONS".
  std::array<std::string_view, 5> contract() const {
    return {entry_, inputs_, "before_call", "observe", "COMPILE_OPTIONS"};
  }

 private:
  Program() = default;
  std::string source_;
  std::string entry_;
  std::string inputs_;
  std::string path_;
  Lineage lineage_;
};

}  // namespace jp
