// Programs with exactly one broken rule: a generated program in which one more call is made that torch must refuse.
// A compiler has to refuse it as cleanly as eager does; a crash, an internal error or an acceptance is a bug.
//
// A family of rules is one file in breaks/ with a table. Every row names its rule, says which values it can be broken
// on, and writes the call. All else in the program is valid, so what is refused is that call and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/graph.h"
#include "core/program.h"
#include "core/registry.h"
#include "core/result.h"
#include "seedgen/generate.h"
#include "seedgen/measure/coverage.h"

namespace jp::seedgen {

/// A rule of torch's, and how to break it.
struct BrokenRule {
  /// "dim_out_of_range": unique over the registry.
  std::string_view name;
  /// One sentence: what the call does that it must not.
  std::string_view says;
  /// Whether the rule can be broken on this value.
  bool (*fits)(const GraphValue& value);
  /// The call as Python text that reads `value` by the name `v` ("v3") and raises in eager.
  std::string (*call)(const GraphValue& value, const std::string& v, Choices& choices);
};

/// A family of rules; its name is its file's.
class Breaks {
 public:
  virtual ~Breaks() = default;
  virtual std::string_view name() const = 0;
  virtual std::vector<BrokenRule> rules() const = 0;
};

/// All rules, by family and then in the order of its table.
std::vector<BrokenRule> broken_rules();

/// The program of a seed in which one rule is broken; the first line and a comment beside the call name it, the lineage
/// knows it is broken. An error when the options are out of range.
Result<Program> generate_broken(std::uint64_t seed, const GenerateOptions& options);

/// What that program covers: the rule that it breaks, with the dtype and the shape class of the value that it breaks it
/// on. The options must be in range.
Feature broken_feature(std::uint64_t seed, const GenerateOptions& options);

}  // namespace jp::seedgen
