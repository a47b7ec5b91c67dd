// Programs with exactly one broken constraint: a generated program whose last call torch must refuse. A compiler has to
// refuse it as cleanly as eager does; a crash, an internal error or an acceptance is a bug.
//
// Everything else in the program is valid, so only that call can be refused. constraints/ says which constraints there
// are and how they are broken; constraints/only_ours.h lists those that only this generator has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/result.h"
#include "core/tensor_type.h"
#include "seedgen/draw/options.h"
#include "seedgen/measure/coverage.h"

namespace jp::seedgen {

/// The program of a seed: its last call breaks a constraint, the others are valid. With one operator the broken call
/// stands alone. The first line and a comment at the call name the constraint, and the lineage records that the program
/// is broken. Returns an Error if the options are out of range, or if no operator that they name has a constraint.
Result<Program> generate_broken(std::uint64_t seed, const GenerateOptions& options);

/// A program in which one call of one operator is broken, and what is broken in it.
struct BrokenCall {
  std::string op;
  Breach breach;
  Feature feature = 0;
  /// Of the list that explains it, if only this generator asks for it.
  std::string_view only_ours;
  std::string source;
};

/// Each breach of the call of that operator that this seed draws behind `before` valid calls, in a random order. Those
/// of constraints that only this generator has are among them.
std::vector<BrokenCall> broken_calls(const std::string& op, std::uint64_t seed, int before);

/// The same where the only live value is an argument of that type (at most kMaxRank dimensions): what the mutation
/// break_rule draws for a tensor of some program.
std::vector<BrokenCall> broken_calls_of(const std::string& op, std::uint64_t seed, const TensorType& tensor);

}  // namespace jp::seedgen
