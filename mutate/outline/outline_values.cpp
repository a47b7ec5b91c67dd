#include "mutate/outline/outline_values.h"

#include <algorithm>

#include "mutate/engine/notes.h"
#include "mutate/facts/aliases.h"
#include "mutate/facts/live.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

bool shares_memory(const Names& names, const std::string& name, const NameFacts& known) {
  return std::any_of(names.begin(), names.end(), [&](const auto& other) {
    const NameFacts& facts = other.second;
    if (other.first == name || is_number_kind(facts.kind)) return false;
    if (facts.kind == "tensor") return !facts.storage || *facts.storage == *known.storage;
    return facts.kind.empty();
  });
}

std::optional<Value> known_value(const Names& names, const std::string& name) {
  auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  const NameFacts& facts = found->second;
  Value value;
  value.name = name;
  if (is_number_kind(facts.kind)) return value;
  if (!knows_extent(&facts)) return std::nullopt;
  value.tensor = true;
  value.dtype = *facts.dtype;
  value.shape = *facts.shape;
  value.requires_grad = *facts.requires_grad;
  value.contiguous = is_row_major(known_type_of(facts));
  return value;
}

/// The last assignment to the name in the range may give it the object that it held before, or one that others hold.
bool made_of_itself(const Parsed& parsed, const Outline& outline, std::string_view name) {
  bool may = false;
  for (const Statement* statement : run_between(parsed, *outline.first, *outline.last))
    if (const Node left = assignment(*statement).left; left.is("identifier") && left.text() == name)
      may = may_hold_anothers(parsed, *statement, name);
    else if (!left.is("identifier"))
      may = true;
  return may;
}

/// The result's memory was allocated in the range and is held by no other name.
bool is_fresh(const Parsed& parsed, const Outline& outline, const Names& names, const std::string& name) {
  const NameFacts& facts = names.find(name)->second;
  return facts.storage && facts.overlaps_itself && !*facts.overlaps_itself && !shares_memory(names, name, facts) &&
         !made_of_itself(parsed, outline, name);
}

bool has_names(const std::vector<Value>& values, const std::vector<std::string>& names) {
  return std::equal(values.begin(), values.end(), names.begin(), names.end(),
                    [](const Value& value, const std::string& name) { return value.name == name; });
}

}  // namespace

bool Value::fits() const { return is_shape(shape); }

bool Values::any_gradient() const {
  auto wants = [](const Value& value) { return value.requires_grad; };
  return std::any_of(arguments.begin(), arguments.end(), wants) || std::any_of(results.begin(), results.end(), wants);
}

bool Values::any_complex() const {
  auto complex = [](const Value& value) { return value.tensor && is_complex(value.dtype); };
  return std::any_of(arguments.begin(), arguments.end(), complex) ||
         std::any_of(results.begin(), results.end(), complex);
}

bool Values::all_fresh() const {
  return std::all_of(results.begin(), results.end(), [](const Value& value) { return value.tensor && value.fresh; });
}

std::vector<std::string> Values::tensor_arguments() const {
  std::vector<std::string> names;
  for (const Value& value : arguments)
    if (value.tensor) names.push_back(value.name);
  return names;
}

std::optional<Values> known_values(const Parsed& parsed, const Outline& outline, const Facts& facts) {
  auto before = facts.before.find(outline.first->id);
  auto after = facts.after.find(outline.last->id);
  if (before == facts.before.end() || after == facts.after.end()) return std::nullopt;
  Values values;
  auto add = [](const std::vector<std::string>& names, const Names& known, std::vector<Value>& to) {
    for (const auto& name : names) {
      std::optional<Value> value = known_value(known, name);
      if (!value) return false;
      to.push_back(*std::move(value));
    }
    return true;
  };
  if (!add(outline.arguments, before->second, values.arguments) || !add(outline.results, after->second, values.results))
    return std::nullopt;
  for (Value& result : values.results)
    result.fresh = result.tensor && is_fresh(parsed, outline, after->second, result.name);
  return values;
}

std::optional<Values> draw_values(const Parsed& parsed, const Outline& outline, const Facts& facts, Choices& choices) {
  auto values = choices.note([&] { return known_values(parsed, outline, facts); });
  const bool ours =
      values && has_names(values->arguments, outline.arguments) && has_names(values->results, outline.results);
  return ours ? values : std::nullopt;
}

bool keeps_numbers(const Parsed& parsed, const Outline& outline, const Values& values) {
  return std::none_of(values.arguments.begin(), values.arguments.end(),
                      [&](const Value& value) { return !value.tensor && rebound(parsed, outline, value.name); });
}

bool fits_control_flow(const Parsed& parsed, const Outline& outline, const Values& values) {
  return !values.any_gradient() && values.all_fresh() && !values.any_complex() && !may_negate(parsed) &&
         !parsed.has_word("_version") && !values.tensor_arguments().empty() && is_closed(parsed, outline) &&
         is_pure(parsed, outline) && !may_be_traced(parsed, *outline.first) &&
         !torch_name(parsed, *outline.first).empty() &&
         // A number is captured by the function instead of being an operand, so it must not be bound there.
         keeps_numbers(parsed, outline, values);
}

}  // namespace jp::mutate
