// Rules of torch that a call can break on purpose. A family of rules is one file in breaks/ with a table. Every row
// names its rule, says which values it can be broken on, and writes the call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/graph.h"
#include "core/registry.h"

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

}  // namespace jp::seedgen
