#include "mutate/outline/outline_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "mutate/engine/notes.h"
#include "mutate/facts/aliases.h"
#include "mutate/facts/live.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate {
namespace {

bool shares_memory(const Names& names, const std::string& name, const NameFacts& known) {
  return std::any_of(names.begin(), names.end(), [&](const auto& other) {
    const NameFacts& facts = other.second;
    if (other.first == name || facts.kind == "int" || facts.kind == "float" || facts.kind == "bool") return false;
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
  if (facts.kind == "int" || facts.kind == "float" || facts.kind == "bool") return value;
  if (facts.kind != "tensor" || !facts.dtype || !facts.shape || !facts.strides || !facts.requires_grad)
    return std::nullopt;
  value.tensor = true;
  value.dtype = *facts.dtype;
  value.shape = *facts.shape;
  value.requires_grad = *facts.requires_grad;
  std::int64_t stride = 1;
  value.contiguous = true;
  for (std::size_t i = value.shape.size(); i-- > 0; stride *= value.shape[i])
    value.contiguous = value.contiguous && (value.shape[i] == 1 || (*facts.strides)[i] == stride);
  return value;
}

/// Where the run binds the name last, it may bind it to what it held before.
bool made_of_itself(const Parsed& parsed, const Outline& outline, std::string_view name) {
  bool may = false;
  for (const Statement* statement : run_between(parsed, *outline.first, *outline.last))
    if (Node left = assignment_of(*statement).field("left"); left.is("identifier") && left.text() == name)
      may = may_hold_anothers(parsed, *statement, name);
    else if (!left.is("identifier"))
      may = true;
  return may;
}

/// A result whose memory was made in the run and is held by no other name.
bool is_fresh(const Parsed& parsed, const Outline& outline, const Names& names, const std::string& name) {
  const NameFacts& facts = names.find(name)->second;
  return facts.storage && facts.overlaps_itself && !*facts.overlaps_itself && !shares_memory(names, name, facts) &&
         !made_of_itself(parsed, outline, name);
}

/// "tensor:float32:2,3:cgf", with letters only for what holds; "number".
std::string print_value(const Value& value) {
  if (!value.tensor) return "number";
  return fmt::format("tensor:{}:{}:{}{}{}", dtype_name(value.dtype), fmt::join(value.shape, ","),
                     value.contiguous ? "c" : "", value.requires_grad ? "g" : "", value.fresh ? "f" : "");
}

std::optional<Value> read_value(std::string_view text, const std::string& name) {
  Value value;
  value.name = name;
  if (text == "number") return value;
  auto parts = split(text, ':');
  if (parts.size() != 4 || parts[0] != "tensor") return std::nullopt;
  auto dtype = parse_dtype(parts[1]);
  if (!dtype) return std::nullopt;
  value.tensor = true;
  value.dtype = *dtype;
  for (std::string_view size : split(parts[2], ',')) {
    if (size.empty()) continue;
    std::int64_t number = 0;
    if (std::from_chars(size.data(), size.data() + size.size(), number).ptr != size.data() + size.size())
      return std::nullopt;
    value.shape.push_back(number);
  }
  value.contiguous = parts[3].find('c') != std::string_view::npos;
  value.requires_grad = parts[3].find('g') != std::string_view::npos;
  value.fresh = parts[3].find('f') != std::string_view::npos;
  return value;
}

}  // namespace

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

std::string note_values(const Parsed& parsed, const Outline& outline, const Facts& facts) {
  const std::optional<Values> values = known_values(parsed, outline, facts);
  if (!values) return "";
  std::string note = "values";
  for (const auto* list : {&values->arguments, &values->results})
    for (const Value& value : *list) note += fmt::format(" {}={}", value.name, print_value(value));
  return note;
}

std::optional<Values> read_values(const Outline& outline, std::string_view note) {
  auto parts = split(note, ' ');
  if (parts.size() != 1 + outline.arguments.size() + outline.results.size()) return std::nullopt;
  Values values;
  std::size_t at = 1;
  auto take = [&](const std::vector<std::string>& names, std::vector<Value>& to) {
    for (const auto& name : names) {
      std::string_view part = parts[at++];
      std::size_t equals = part.find('=');
      if (part.substr(0, equals) != name || equals == std::string_view::npos) return false;
      auto value = read_value(part.substr(equals + 1), name);
      if (!value) return false;
      to.push_back(*value);
    }
    return true;
  };
  if (!take(outline.arguments, values.arguments) || !take(outline.results, values.results)) return std::nullopt;
  return values;
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
         // A number is no operand but captured.
         keeps_numbers(parsed, outline, values);
}

}  // namespace jp::mutate
