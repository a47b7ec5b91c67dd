// Where a program comes from: its seed and every step since, enough to make it again byte for byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/choices.h"

namespace jp {

/// A place in a program: a statement's id and a path inside it ("" is the whole statement). The grammar of the path is
/// defined by the mutation.
///
/// Statement ids: "s12" is the 12th statement (from 0, source order, all scopes) of the base program; "m7.2" the third
/// statement that step number 7 made. An id is never reused for another statement.
struct Site {
  std::string statement;
  std::string path;
  bool operator==(const Site&) const = default;
  auto operator<=>(const Site&) const = default;
};

/// One mutation as applied. `number` is the step's own permanent number: dropping other steps doesn't change it.
struct Step {
  int number = 0;
  std::string mutation;
  Site site;
  Draws draws;
  bool operator==(const Step&) const = default;
};

/// The program that a lineage starts from.
struct Seed {
  enum class Origin { kGenerated, kFile, kTable };
  Origin origin = Origin::kFile;
  /// kGenerated: the generator's version, the seed, the operators asked for. They reproduce the program.
  int generator_version = 0;
  /// kTable: the generator's version, and the number of the program in the table `table`.
  std::uint64_t seed = 0;
  int operators = 0;
  /// kGenerated: one additional call, which breaks a rule on purpose.
  bool broken = false;
  /// kGenerated: the drawn calls, counted from 0, that were rejected, ascending (generate --guide).
  std::vector<std::int64_t> refused;
  /// kGenerated: what the torch lacked for which the program was made (seedgen::GenerateOptions::without).
  std::vector<std::string> without;
  /// kTable: its name.
  std::string table;
  /// kFile: the path as the user gave it, and the SHA-256 of its bytes. kGenerated: "", or, if harvested calls are
  /// among the operators, the harvest's folder and the SHA-256 of its operators.json, which is needed to reproduce the
  /// program.
  std::string path;
  std::string sha256;
  bool operator==(const Seed&) const = default;
};

/// A seed followed by steps, in order. Any subsequence of the steps is a lineage too: a step whose site is gone is
/// skipped in the replay.
struct Lineage {
  Seed seed;
  std::vector<Step> steps;
  bool operator==(const Lineage&) const = default;
  /// One more than the largest number of a step: the number of the next.
  int next_number() const;
};

}  // namespace jp
