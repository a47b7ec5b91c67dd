// Programs with exactly one broken rule: a generated program in which one more call is made that torch must refuse.
// A compiler has to refuse it as cleanly as eager does; a crash, an internal error or an acceptance is a bug.
//
// All else in the program is valid, so what is refused is that call and nothing else.
#pragma once

#include <cstdint>

#include "core/program.h"
#include "core/result.h"
#include "seedgen/bases/broken_rule.h"
#include "seedgen/draw/options.h"
#include "seedgen/measure/coverage.h"

namespace jp::seedgen {

/// The program of a seed in which one rule is broken; the first line and a comment beside the call name it, the lineage
/// knows it is broken. An error when the options are out of range.
Result<Program> generate_broken(std::uint64_t seed, const GenerateOptions& options);

/// What that program covers: the rule that it breaks, with the dtype and the shape class of the value that it breaks it
/// on. The options must be in range.
Feature broken_feature(std::uint64_t seed, const GenerateOptions& options);

}  // namespace jp::seedgen
