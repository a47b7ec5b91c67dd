#include "seedgen/constraints/drawn_breach.h"

#include <set>

#include "seedgen/constraints/only_ours.h"

namespace jp::seedgen {
namespace {

// Constraint and place, whatever the way.
int constraint_of(const Breach& breach) { return breach_number(breach) / 2; }

}  // namespace

Breach drawn_breach(const std::vector<Breach>& breaches, Choices& choices) {
  const auto narrowed = [&](const std::vector<Breach>& from, const auto& key) {
    std::set<int> keys;
    for (const Breach& breach : from) keys.insert(key(breach));
    const int drawn = choices.pick(std::vector(keys.begin(), keys.end()));
    std::vector<Breach> kept;
    for (const Breach& breach : from)
      if (key(breach) == drawn) kept.push_back(breach);
    return kept;
  };
  std::vector<Breach> left = narrowed(breaches, constraint_of);
  left = narrowed(left, [](const Breach& breach) { return breach.far ? 1 : 0; });
  left = narrowed(left, [](const Breach& breach) { return breach.live >= 0 ? 1 : 0; });
  return choices.pick(left);
}

std::vector<Breach> torchs_own(std::vector<Breach> breaches, std::string_view op) {
  std::erase_if(breaches, [&](const Breach& breach) { return !only_ours(op, breach).empty(); });
  return breaches;
}

}  // namespace jp::seedgen
