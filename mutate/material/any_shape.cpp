#include "mutate/material/any_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/tensor_type.h"

namespace jp::mutate {
namespace {

/// The largest magnitude of elements: products of two of them, and sums over the largest axis that a program of ours
/// has, stay finite in all types that are taken (chosen, not measured).
constexpr double kMostElement = 1e4;

std::string without_gradient(const LiveTensor& target) {
  return target.facts->requires_grad.value_or(true) ? target.name + ".detach()" : target.name;
}

std::string garbage(const std::string& torch, const LiveTensor& target, Choices& choices) {
  const std::string self = without_gradient(target);
  const std::size_t rank = *steady_rank(*target.facts);
  std::vector<std::string> forms = {fmt::format("({} * {})", self, choices.between(2, 100)),
                                    fmt::format("({} - {}.5)", self, choices.between(0, 9)),
                                    fmt::format("({0} * {0})", self), fmt::format("({0} - {0}.amax())", self)};
  const bool full = target.facts->dtype == Dtype::kFloat32 || target.facts->dtype == Dtype::kFloat64;
  if (rank > 0) forms.push_back(fmt::format("({0} + {0}.flip(0))", self));
  if (rank > 0) forms.push_back(fmt::format("({0} * {0}.mean(-1, keepdim=True))", self));
  if (rank > 1 && full)
    forms.push_back(
        fmt::format("{0}.matmul({1}, {0}.full(({1}.shape[-1], {1}.shape[-1]), 0.5, dtype={1}.dtype))", torch, self));
  if (rank == 4 && full)
    forms.push_back(
        fmt::format("{0}.nn.functional.conv2d({1}, {0}.ones({1}.shape[1], 1, 3, 3, dtype={1}.dtype), "
                    "padding=1, groups={1}.shape[1])",
                    torch, self));
  return choices.pick(forms);
}

/// Zero where the expression is negative.
std::string rectified(const std::string& torch, const std::string& text, Choices& choices) {
  switch (choices.below(3)) {
    case 0:
      return fmt::format("({}).clamp(min=0)", text);
    case 1:
      return fmt::format("({}).relu()", text);
    default:
      return fmt::format("{}.relu({})", torch, text);
  }
}

std::string universal_zero(const std::string& torch, const LiveTensor& target, Choices& choices) {
  const std::string self = without_gradient(target);
  const std::size_t rank = *steady_rank(*target.facts);
  std::vector<std::string> parts = {self, fmt::format("{}.amin()", self)};
  if (rank > 0) parts.push_back(fmt::format("{}[:1]", self));
  if (rank > 1) parts.push_back(fmt::format("{}.amax(-1, keepdim=True)", self));
  const std::string one = choices.pick(parts);
  const std::string constant = fmt::format("{}.5", choices.between(1, 9));
  std::vector<std::string> inner = {fmt::format("-({} - {}) ** 2", one, constant),
                                    fmt::format("-({} - {}.mean()) ** 2", one, self),
                                    fmt::format("-{}.abs()", one),
                                    fmt::format("-({0} * {0})", one),
                                    fmt::format("-{}.square() - {}", one, constant),
                                    fmt::format("-{}.sigmoid()", one)};
  const std::string text = choices.pick(inner);
  return rectified(torch, text, choices);
}

/// What all elements at all visits are below or above, by at least a quarter of the largest magnitude and one.
struct Bound {
  bool above = false;
  std::int64_t value = 0;
};

Bound draw_bound(const NameFacts& facts, Choices& choices) {
  const double away = std::ceil(1 + 0.25 * magnitude(facts));
  const bool above = choices.chance(1, 2);
  const double value = above ? std::ceil(highest(facts) + away) : std::floor(lowest(facts) - away);
  return {above, static_cast<std::int64_t>(value)};
}

/// Its subtraction keeps its sign in half types too: the distance is far more than what is rounded.
std::string beyond_bound(const std::string& torch, const LiveTensor& target, Choices& choices) {
  const std::string self = without_gradient(target);
  const Bound bound = draw_bound(*target.facts, choices);
  const std::string text =
      bound.above ? fmt::format("{} - {}", self, bound.value) : fmt::format("{} - {}", bound.value, self);
  return rectified(torch, text, choices);
}

std::string rank_zero(const LiveTensor& target, Choices& choices) {
  const std::size_t rank = *steady_rank(*target.facts);
  return choices.chance(1, 2) ? fmt::format("({}.dim() - {})", target.name, rank)
                              : fmt::format("({} - len({}.shape))", rank, target.name);
}

BoundedExpression product(const std::string& zero, const std::string& text, const std::string& torch,
                          const LiveTensor& target, Choices& choices) {
  return {choices.chance(1, 2) ? fmt::format("{} * {}", text, zero) : fmt::format("{} * {}", zero, text),
          {target.name, torch},
          0};
}

}  // namespace

std::optional<std::size_t> steady_rank(const NameFacts& facts) {
  const auto& sizes = facts.shape ? facts.shape : facts.least_shape;
  if (!sizes || std::find(sizes->begin(), sizes->end(), 0) != sizes->end()) return std::nullopt;
  return sizes->size();
}

bool has_any_shape(const NameFacts& facts) {
  const bool same = facts.shape && facts.strides && is_row_major(*facts.shape, *facts.strides);
  const bool lies = (same || facts.row_major.value_or(false)) && facts.overlaps_itself == false;
  if (facts.kind != "tensor" || !facts.dtype || !lies || !steady_rank(facts)) return false;
  const bool wide = facts.dtype == Dtype::kFloat32 || facts.dtype == Dtype::kFloat64 || facts.dtype == Dtype::kBFloat16;
  return wide && bounded(facts, kMostElement);
}

BoundedExpression universal_product(const std::string& torch, const LiveTensor& target, Choices& choices) {
  const std::string text = garbage(torch, target, choices);
  return product(universal_zero(torch, target, choices), text, torch, target, choices);
}

BoundedExpression product_here(const std::string& torch, const LiveTensor& target, Choices& choices) {
  const std::string text = garbage(torch, target, choices);
  const std::string zero = choices.chance(1, 4) ? rank_zero(target, choices) : beyond_bound(torch, target, choices);
  return product(zero, text, torch, target, choices);
}

BoundedExpression choice_here(const std::string& torch, const LiveTensor& target, Choices& choices) {
  const std::string self = without_gradient(target);
  const Bound bound = draw_bound(*target.facts, choices);
  const std::string test = fmt::format("{} {} {}", self, bound.above ? '>' : '<', bound.value);
  BoundedExpression made{"", {target.name, torch}, 0};
  switch (choices.below(3)) {
    case 0:
      made.text = fmt::format("{0}.where({0}.logical_not({1}), {2}, {3})", torch, test, target.name,
                              garbage(torch, target, choices));
      break;
    case 1:
      made.text = fmt::format("{}.where({}, {}, {})", torch, test, garbage(torch, target, choices), target.name);
      break;
    default:
      made.text = fmt::format("{}.masked_fill({}, 7)", target.name, test);
  }
  return made;
}

}  // namespace jp::mutate
