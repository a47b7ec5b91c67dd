// The limits of generated programs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "seedgen/draw/want.h"

namespace jp::seedgen {

/// Part of every generated seed: the same version and seed give the same bytes. Incremented with every change to what
/// is drawn or printed.
inline constexpr int kGeneratorVersion = 24;

/// Most operators of one program.
inline constexpr int kMaxOperators = 1000;

class HarvestedOperators;

struct GenerateOptions {
  /// Calls in the program, from 1 to kMaxOperators; each reaches an output.
  int operators = 20;
  /// Not 0: each seed draws its number of calls uniformly, from `operators` to this. The lineage keeps the drawn
  /// number.
  int most_operators = 0;
  /// How often an input is a live value, if one fits, instead of a new argument. From Isra (2023): many edges, still
  /// variety.
  double reuse_rate = 0.97;
  /// Limits of arguments, and of the shapes that operators read.
  Bounds bounds;
  /// Only these operators are drawn; all if it is empty. Unknown ids are refused by `generate`.
  std::vector<std::string> only;
  /// What the torch that is tested lacks: operators by id ("cholesky_inverse"), which are not drawn, and functions
  /// ("torch.qr", "Tensor.qr"), with which no call is written. Unknown ids are refused by `generate`.
  std::vector<std::string> without;
  /// The drawn calls, counted from 0, that are rejected: see Seed::refused.
  std::vector<std::int64_t> refused;
  /// Not null: one call of four is a harvested one. `only` and `bounds` don't apply to them.
  std::shared_ptr<const HarvestedOperators> with = nullptr;
};

}  // namespace jp::seedgen
