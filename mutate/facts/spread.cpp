#include "mutate/facts/spread.h"

#include <algorithm>
#include <cmath>

namespace jp::mutate {
namespace {

std::optional<double> distance(const NameFacts& plain, const NameFacts& moved) {
  if (plain.dtype != moved.dtype || plain.shape != moved.shape || !plain.minimum || !plain.maximum || !moved.minimum ||
      !moved.maximum)
    return std::nullopt;
  double most = std::max(std::abs(*plain.minimum - *moved.minimum), std::abs(*plain.maximum - *moved.maximum));
  for (const auto& [position, value] : plain.elements) {
    const double* other = moved.elements.find(position);
    if (!other) return std::nullopt;
    most = std::max(most, std::abs(value - *other));
  }
  return std::isfinite(most) ? std::optional(most) : std::nullopt;
}

}  // namespace

std::optional<double> rounding_spread(const Facts& facts, const Statement& statement, const std::string& name) {
  const NameFacts* plain = facts.find_after(statement.id, name);
  if (!plain || facts.moved.empty()) return std::nullopt;
  double most = 0;
  for (const Facts& run : facts.moved) {
    const NameFacts* moved = run.find_after(statement.id, name);
    const std::optional<double> one = moved ? distance(*plain, *moved) : std::nullopt;
    if (!one) return std::nullopt;
    most = std::max(most, *one);
  }
  return most;
}

}  // namespace jp::mutate
