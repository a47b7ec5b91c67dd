#include "mutate/facts/value_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "mutate/engine/notes.h"
#include "mutate/facts/live.h"
#include "mutate/names/scopes.h"

namespace jp::mutate {
namespace {

/// A scalar that can be compared.
struct Scalar {
  std::string text;
  double value = 0;
  bool integer = false;
  bool tensor = false;   // a 0-d tensor; else a Python number
  double magnitude = 0;  // floats: the largest among the values that it was computed from
  double low = -2e9;     // the range of constants that it may be compared with
  double high = 2e9;
};

/// Narrows that range to constants that a tensor of the dtype can be compared with.
void limit(Scalar& scalar, Dtype dtype) {
  switch (dtype) {
    case Dtype::kBool:
      scalar.low = 0, scalar.high = 1;
      break;
    case Dtype::kUInt8:
      scalar.low = 0, scalar.high = 255;
      break;
    case Dtype::kInt8:
      scalar.low = -128, scalar.high = 127;
      break;
    case Dtype::kInt16:
      scalar.low = -32768, scalar.high = 32767;
      break;
    case Dtype::kFloat16:
      scalar.low = -60000, scalar.high = 60000;
      break;
    default:
      break;
  }
}

bool is_name(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

void add_sizes(const std::string& name, const NameFacts& facts, std::vector<Scalar>& to) {
  const auto& shape = *facts.shape;
  auto add = [&](std::string text, std::int64_t value) {
    to.push_back({std::move(text), static_cast<double>(value), true});
  };
  const std::int64_t count = element_count(shape);
  auto rank = static_cast<std::int64_t>(shape.size());
  add(name + ".dim()", rank);
  add(fmt::format("len({}.shape)", name), rank);
  add(name + ".numel()", count);
  for (std::size_t i = 0; i < shape.size(); ++i) add(fmt::format("{}.shape[{}]", name, i), shape[i]);
  if (rank > 0) add(fmt::format("len({})", name), shape[0]);
  if (rank > 0) add(fmt::format("{}.size(-1)", name), shape.back());
}

void add_values(const std::string& name, const NameFacts& facts, Choices& choices, std::vector<Scalar>& to) {
  if (!facts.dtype || is_complex(*facts.dtype)) return;
  bool integer = is_integral(*facts.dtype);
  double magnitude = 0;
  double sum = 0;
  double sum_of_sizes = 0;
  for (const auto& [position, element] : facts.elements) {
    magnitude = std::max(magnitude, std::abs(element));
    sum += element;
    sum_of_sizes += std::abs(element);
  }
  auto add = [&](std::string text, double value, double from, bool tensor) {
    if (!std::isfinite(value) || std::abs(value) > 1e9) return;
    Scalar scalar{std::move(text), value, integer, tensor, from};
    if (tensor) limit(scalar, *facts.dtype);
    to.push_back(std::move(scalar));
  };
  if (!facts.elements.empty()) {
    const KnownElement element = *draw_element({name, &facts}, choices);
    add(element.text + ".item()", element.value, magnitude, false);
    if (*facts.dtype != Dtype::kBool) add(element.text, element.value, magnitude, true);
  }
  if (*facts.dtype == Dtype::kBool) return;
  if (facts.maximum) add(name + ".max()", *facts.maximum, std::max(magnitude, std::abs(*facts.maximum)), true);
  if (facts.minimum) add(name + ".min()", *facts.minimum, std::max(magnitude, std::abs(*facts.minimum)), true);
  const std::int64_t count = element_count(*facts.shape);
  // A sum is used only if all elements are known. Sums of small integer types are int64 and those of half types are
  // rounded often, so only these three dtypes are taken.
  bool whole = count > 0 && static_cast<std::int64_t>(facts.elements.size()) == count;
  bool plain = *facts.dtype == Dtype::kFloat32 || *facts.dtype == Dtype::kFloat64 || *facts.dtype == Dtype::kInt64;
  if (whole && plain) add(name + ".sum()", sum, sum_of_sizes, true);
}

std::optional<double> number(std::string_view literal) {
  double value = 0;
  auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (error != std::errc() || end != literal.data() + literal.size()) return std::nullopt;
  return std::isfinite(value) && std::abs(value) < 1e9 ? std::optional(value) : std::nullopt;
}

std::vector<Scalar> scalars(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices) {
  std::vector<Scalar> found;
  auto names = facts.before.find(statement.id);
  if (names == facts.before.end()) return found;
  for (const auto& [name, known] : names->second) {
    if (!is_name(name) || name.starts_with("__") || !names_readable(parsed, statement, name)) continue;
    if (known.kind == "tensor" && known.shape) {
      add_sizes(name, known, found);
      add_values(name, known, choices, found);
    } else if ((known.kind == "int" || known.kind == "float") && known.literal) {
      if (auto value = number(*known.literal))
        found.push_back({name, *value, known.kind == "int", false, std::abs(*value)});
    } else if ((known.kind == "list" || known.kind == "tuple" || known.kind == "dict") && known.length) {
      found.push_back({fmt::format("len({})", name), static_cast<double>(*known.length), true});
    }
  }
  if (!names_readable(parsed, statement, "len(0)"))
    std::erase_if(found, [](const Scalar& scalar) { return scalar.text.starts_with("len("); });
  return found;
}

bool compare(double left, std::string_view symbol, double right) {
  if (symbol == "<") return left < right;
  if (symbol == ">") return left > right;
  if (symbol == "<=") return left <= right;
  if (symbol == ">=") return left >= right;
  return symbol == "==" ? left == right : left != right;
}

/// A constant to compare with, near the scalar's value or far from it.
double other_side(const Scalar& scalar, Choices& choices) {
  double sign = choices.chance(1, 2) ? 1 : -1;
  double distance = 0;
  if (choices.chance(1, 3))
    distance = choices.chance(1, 2) ? 1e5 : 1e3;
  else if (scalar.integer)
    distance = static_cast<double>(choices.between(0, 3));
  else
    distance = 0.5 + 0.25 * std::max(1.0, scalar.magnitude);
  double constant = std::clamp(scalar.value + sign * distance, scalar.low, scalar.high);
  if (scalar.integer) return std::round(constant);
  double rounded = 0;
  std::string text = fmt::format("{:.3g}", constant);
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

std::string constant_text(double value, bool integer) {
  return integer ? fmt::format("{}", static_cast<std::int64_t>(value)) : fmt::format("{:.3g}", value);
}

/// One comparison; "" if the values that were drawn are too close.
std::string draw_comparison(const std::vector<Scalar>& from, bool holds, Choices& choices) {
  const Scalar& left = choices.pick(from);
  const Scalar& second = choices.pick(from);
  bool both_float_tensors = left.tensor && second.tensor && !left.integer && !second.integer;
  bool two = choices.chance(1, 4) && (both_float_tensors || (!left.tensor && !second.tensor));
  double right = two ? second.value : other_side(left, choices);
  bool exact = left.integer && (!two || second.integer);
  double margin = 0.1 * std::max({1.0, left.magnitude, two ? second.magnitude : 0.0});
  if (!exact && std::abs(left.value - right) < margin) return "";
  std::vector<std::string_view> symbols;
  for (std::string_view symbol : {"<", ">", "<=", ">=", "==", "!="})
    if ((exact || (symbol != "==" && symbol != "!=")) && compare(left.value, symbol, right) == holds)
      symbols.push_back(symbol);
  std::string_view symbol = choices.pick(symbols);
  return fmt::format("{} {} {}", left.text, symbol, two ? second.text : constant_text(right, left.integer));
}

std::string comparison(const std::vector<Scalar>& from, bool holds, Choices& choices) {
  for (int i = 0; i < 12; ++i)
    if (std::string text = draw_comparison(from, holds, choices); !text.empty()) return text;
  return "";
}

}  // namespace

std::string draw_test(const Parsed& parsed, const Facts& facts, const Statement& statement, bool holds,
                      Choices& choices) {
  auto from = scalars(parsed, facts, statement, choices);
  if (from.empty()) return "";
  std::string one = comparison(from, holds, choices);
  std::string same = comparison(from, holds, choices);
  std::string opposite = comparison(from, !holds, choices);
  if (one.empty() || same.empty() || opposite.empty()) return one;
  switch (choices.below(9)) {
    case 0:
      return fmt::format("not {}", opposite);
    case 1:
      return fmt::format("{} and {}", holds ? one : opposite, holds ? same : one);
    case 2:
      return fmt::format("{} or {}", holds ? opposite : one, holds ? one : same);
    case 3:
      return holds ? fmt::format("({0} if {1} else not {0})", one, same)
                   : fmt::format("(not {0} if {1} else {0})", one, same);
    case 4: {
      const Scalar& middle = choices.pick(from);
      if (middle.tensor) return one;
      double away = std::ceil(1 + std::max(std::abs(middle.value), middle.magnitude));
      double low = holds ? middle.value - away : middle.value + away;
      return fmt::format("{} < {} <= {}", constant_text(low, middle.integer), middle.text,
                         constant_text(low + 2 * away, middle.integer));
    }
    default:
      return one;
  }
}

bool has_test(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  auto names = facts.before.find(statement.id);
  if (names == facts.before.end()) return false;
  // A tensor's rank can always be compared, so the costlier search is only needed without tensors.
  for (const auto& [name, known] : names->second)
    if (known.kind == "tensor" && known.shape && is_name(name) && !name.starts_with("__") &&
        names_readable(parsed, statement, name))
      return true;
  Choices choices(0);
  return !scalars(parsed, facts, statement, choices).empty();
}

bool names_readable(const Parsed& parsed, const Statement& statement, std::string_view expression) {
  const Scopes& scopes = parsed.scopes();
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t end = i;
    while (end < expression.size() &&
           (std::isalnum(static_cast<unsigned char>(expression[end])) || expression[end] == '_'))
      ++end;
    std::string_view word = expression.substr(i, end - i);
    bool attribute = i > 0 && expression[i - 1] == '.';
    i = end + 1;
    if (word.empty() || attribute || std::isdigit(static_cast<unsigned char>(word[0]))) continue;
    if (word == "and" || word == "or" || word == "not" || word == "if" || word == "else") continue;
    bool builtin = word == "len" || word == "bool";
    if (builtin && scopes.resolve(word, scopes.scope_of(statement)) >= 0) return false;
    if (!builtin && !scopes.readable(statement, word)) return false;
  }
  return true;
}

}  // namespace jp::mutate
