#include "mutate/facts/spread.h"

#include <algorithm>
#include <cmath>

#include "core/tensor_type.h"

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
  if (plain.sum && moved.sum && plain.shape)
    most = std::max(most, std::abs(*plain.sum - *moved.sum) / static_cast<double>(element_count(*plain.shape)));
  return std::isfinite(most) ? std::optional(most) : std::nullopt;
}

const NameFacts* find(const Facts& facts, const Statement& statement, Side side, const std::string& name) {
  return side == Side::kBefore ? facts.find_before(statement.id, name) : facts.find_after(statement.id, name);
}

}  // namespace

std::optional<double> rounding_spread(const Facts& facts, const Statement& statement, Side side,
                                      const std::string& name) {
  const NameFacts* plain = find(facts, statement, side, name);
  if (!plain || facts.moved.empty()) return std::nullopt;
  double most = 0;
  for (const Facts& run : facts.moved) {
    const NameFacts* moved = find(run, statement, side, name);
    const std::optional<double> one = moved ? distance(*plain, *moved) : std::nullopt;
    if (!one) return std::nullopt;
    most = std::max(most, *one);
  }
  return most;
}

}  // namespace jp::mutate
