// Programs with exactly one broken rule: a generated program with one additional call that torch must refuse. A
// compiler has to refuse it as cleanly as eager does; a crash, an internal error or an acceptance is a bug.
//
// Everything else in the program is valid, so only that call can be refused.
#pragma once

#include <cstdint>

#include "core/broken_rule.h"
#include "core/program.h"
#include "core/result.h"
#include "seedgen/draw/options.h"
#include "seedgen/measure/coverage.h"

namespace jp::seedgen {

/// The program of a seed in which one rule is broken; the first line and a comment at the call name the rule, and the
/// lineage records that the program is broken. Returns an Error if the options are out of range.
Result<Program> generate_broken(std::uint64_t seed, const GenerateOptions& options);

/// What that program covers: the rule that it breaks, with the dtype and the shape class of the value on which it is
/// broken. The options must be in range.
Feature broken_feature(std::uint64_t seed, const GenerateOptions& options);

}  // namespace jp::seedgen
