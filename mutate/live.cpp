#include "mutate/live.h"

#include <algorithm>
#include <cmath>

#include "mutate/notes.h"
#include "mutate/scopes.h"

namespace jp::mutate {

std::vector<LiveTensor> live_tensors(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  std::vector<LiveTensor> found;
  auto names = facts.before.find(statement.id);
  if (names == facts.before.end()) return found;
  for (const auto& [name, known] : names->second)
    if (knows_extent(&known) && name.find('[') == std::string::npos && parsed.scopes().readable(statement, name))
      found.push_back({name, &known});
  return found;
}

bool binds_itself(const Parsed& parsed, const Statement& statement, const std::string& name) {
  const Scope& scope = parsed.scopes().scope(parsed.scopes().scope_of(statement));
  return scope.bound.contains(name) && !scope.globals.contains(name) && !scope.nonlocals.contains(name);
}

bool bounded(const NameFacts& facts, double most) {
  return facts.minimum && facts.maximum && std::isfinite(*facts.minimum) && std::isfinite(*facts.maximum) &&
         magnitude(facts) <= most;
}

double magnitude(const NameFacts& facts) { return std::max(std::abs(*facts.minimum), std::abs(*facts.maximum)); }

}  // namespace jp::mutate
