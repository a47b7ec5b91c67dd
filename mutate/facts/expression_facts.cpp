#include "mutate/facts/expression_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "core/tensor_type.h"
#include "mutate/facts/live.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

Node unwrapped(Node node) {
  while (node.is("parenthesized_expression") && node.children().size() == 1) node = node.children().front();
  return node;
}

bool is_arithmetic(const Operation& made) {
  return made.kind == Operation::Kind::kBinary &&
         (made.symbol() == "+" || made.symbol() == "-" || made.symbol() == "*");
}

/// The axes of `.t()` (none) or `.transpose(0, 1)`; nothing for other calls.
std::optional<std::vector<std::int64_t>> swapped_axes(const Call& made) {
  if (!made || !made.object || made.takes_generator()) return std::nullopt;
  const auto given = made.given();
  if (made.name == "t" && given && given->empty()) return std::vector<std::int64_t>();
  if (made.name != "transpose" || !given || given->size() != 2) return std::nullopt;
  std::vector<std::int64_t> axes;
  for (const GivenArgument& one : *given) {
    const std::string_view text = one.node.text();
    std::int64_t axis = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), axis);
    if (!one.keyword.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    axes.push_back(axis);
  }
  return axes;
}

bool descends(const NameFacts& facts) {
  const auto& strides = *facts.strides;
  return std::is_sorted(strides.begin(), strides.end(), std::greater<>()) && (strides.empty() || strides.back() > 0);
}

/// The facts, if they know what callers rely on.
std::optional<NameFacts> known_tensor(const NameFacts* known) {
  if (!known || known->kind != "tensor" || !known->dtype || !known->shape || !known->strides) return std::nullopt;
  NameFacts made = *known;
  made.requires_grad = known->requires_grad.value_or(true);
  return made;
}

std::optional<NameFacts> transposed(NameFacts facts, std::vector<std::int64_t> axes) {
  const auto rank = static_cast<std::int64_t>(facts.shape->size());
  if (axes.empty() && rank != 2) return std::nullopt;
  if (axes.empty()) axes = {0, 1};
  for (std::int64_t& axis : axes) {
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return std::nullopt;
  }
  const auto one = static_cast<std::size_t>(axes[0]);
  const auto other = static_cast<std::size_t>(axes[1]);
  std::swap((*facts.shape)[one], (*facts.shape)[other]);
  std::swap((*facts.strides)[one], (*facts.strides)[other]);
  facts.elements = {};
  return facts;
}

std::optional<double> number_of(const Facts& facts, const Statement& statement, const Node& node) {
  std::string text;
  if (is_number(node)) text = node.text();
  if (node.is("identifier")) {
    const NameFacts* known = facts.find_before(statement.id, std::string(node.text()));
    if (known && (known->kind == "int" || known->kind == "float") && known->literal) text = *known->literal;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                                   : std::nullopt;
}

/// Bounds of the results from those of the operands, with room for rounding.
void enter_bounds(NameFacts& facts, char symbol, double low, double high, double other_low, double other_high) {
  const double ends[] = {low * other_low, low * other_high, high * other_low, high * other_high};
  double least = symbol == '+' ? low + other_low : low - other_high;
  double most = symbol == '+' ? high + other_high : high - other_low;
  if (symbol == '*') least = *std::min_element(std::begin(ends), std::end(ends));
  if (symbol == '*') most = *std::max_element(std::begin(ends), std::end(ends));
  facts.minimum = least - std::abs(least) * 0x1p-6;
  facts.maximum = most + std::abs(most) * 0x1p-6;
}

std::optional<NameFacts> arithmetic(const Facts& facts, const Statement& statement, const Operation& made) {
  auto left = expression_facts(facts, statement, made.left);
  auto right = expression_facts(facts, statement, made.right);
  const auto number = left ? number_of(facts, statement, made.right) : number_of(facts, statement, made.left);
  if (!left && !right) return std::nullopt;
  NameFacts result = left ? *left : *right;
  if (!is_floating(*result.dtype) || !bounded(result, 1e6) || !descends(result)) return std::nullopt;
  const char symbol = made.symbol()[0];
  const double low = lowest(result);
  const double high = highest(result);
  if (left && right) {
    if (left->dtype != right->dtype || left->shape != right->shape || !bounded(*right, 1e6) || !descends(*right))
      return std::nullopt;
    enter_bounds(result, symbol, low, high, lowest(*right), highest(*right));
    result.requires_grad = *left->requires_grad || *right->requires_grad;
  } else if (number && left) {
    enter_bounds(result, symbol, low, high, *number, *number);
  } else if (number) {
    enter_bounds(result, symbol, *number, *number, low, high);
  } else {
    return std::nullopt;
  }
  result.strides = contiguous_strides(*result.shape);
  result.overlaps_itself = false;
  result.is_leaf = !*result.requires_grad;
  result.storage.reset();
  result.elements = {};
  return result;
}

}  // namespace

bool is_known_expression(const Node& wrapped) {
  const Node node = unwrapped(wrapped);
  if (node.is("identifier")) return true;
  if (attribute(node)) return path_root(node).is("identifier");
  if (const Call made = call(node)) return swapped_axes(made) && is_known_expression(made.object);
  const Operation made = operation(node);
  auto operand = [](const Node& one) { return is_number(one) || is_known_expression(one); };
  return is_arithmetic(made) && operand(made.left) && operand(made.right);
}

const NameFacts* part_before(const Facts& facts, const Statement& statement, std::string_view name,
                             std::string_view path) {
  return facts.find_before(statement.id, fmt::format("{}[{}]", name, path));
}

std::optional<NameFacts> expression_facts(const Facts& facts, const Statement& statement, const Node& wrapped) {
  const Node node = unwrapped(wrapped);
  if (!is_known_expression(node)) return std::nullopt;
  if (node.is("identifier")) return known_tensor(facts.find_before(statement.id, std::string(node.text())));
  if (attribute(node)) {
    const std::string_view name = path_root(node).text();
    return known_tensor(part_before(facts, statement, name, node.text().substr(name.size() + 1)));
  }
  if (const Call made = call(node)) {
    auto inner = expression_facts(facts, statement, made.object);
    return inner ? transposed(*std::move(inner), *swapped_axes(made)) : std::nullopt;
  }
  return arithmetic(facts, statement, operation(node));
}

}  // namespace jp::mutate
