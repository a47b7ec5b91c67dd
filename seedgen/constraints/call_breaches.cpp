#include "seedgen/constraints/call_breaches.h"

#include <fmt/format.h>

namespace jp::seedgen {
namespace {

constexpr double kFraction = 1.5;
constexpr std::string_view kText = "'text'";

void add(std::vector<Breach>& breaches, Constraint constraint, std::size_t at, bool far, Argument written) {
  breaches.push_back(
      {.constraint = constraint, .place = static_cast<int>(at), .far = far, .written = std::move(written)});
}

void add_both(std::vector<Breach>& breaches, Constraint constraint, std::size_t at, Argument near) {
  add(breaches, constraint, at, false, std::move(near));
  add(breaches, constraint, at, true, std::string(kText));
}

void add_tuple(std::vector<Breach>& breaches, std::size_t at, const Ints& items) {
  add_both(breaches, Constraint::kLiteral, at, kFraction);
  if (items.empty()) return;
  Ints longer = items;
  if (longer.size() < Ints::kCapacity) {
    longer.push_back(items.back());
    add(breaches, Constraint::kLength, at, false, longer);
  }
  while (longer.size() < Ints::kCapacity) longer.push_back(items.back());
  add(breaches, Constraint::kLength, at, true, longer);
}

bool is_word(const std::string& text) { return text.size() > 2 && text.front() == '"' && text.back() == '"'; }

// Whether the argument is passed as it is, and not within an expression.
bool stands_alone(std::string_view form, std::size_t at) {
  const std::string mark = fmt::format("${}", at);
  const std::size_t from = form.find(mark);
  if (from == std::string_view::npos || from == 0 || from + mark.size() >= form.size()) return false;
  const std::string_view before = form.substr(0, from);
  const char after = form[from + mark.size()];
  return (before.ends_with('(') || before.ends_with(", ") || before.ends_with('=')) && (after == ',' || after == ')') &&
         form.find(mark, from + 1) == std::string_view::npos;
}

void add_argument(std::vector<Breach>& breaches, std::size_t at, const Argument& argument, bool as_function) {
  switch (argument.index()) {
    case 0:
    case 1:
      if (as_function) add_both(breaches, Constraint::kTensor, at, kFraction);
      return;
    case 2:
      return add_both(breaches, Constraint::kLiteral, at, std::string("None"));
    case 3:
      return add_both(breaches, Constraint::kLiteral, at, kFraction);
    case 4:
      return add_both(breaches, Constraint::kLiteral, at, std::string("1j"));
    case 5:
      return add_tuple(breaches, at, std::get<Ints>(argument));
    case 6:
      return add_both(breaches, Constraint::kLiteral, at, kFraction);
    default:
      break;
  }
  const auto& text = std::get<std::string>(argument);
  if (!is_word(text)) return;
  add(breaches, Constraint::kChoice, at, false, text.substr(0, text.size() - 1) + "s\"");
  add(breaches, Constraint::kChoice, at, true, std::string("\"\""));
}

}  // namespace

Forms forms_with(const Call& call, std::size_t at) {
  for (std::size_t i = 0; i < call.forms.size(); ++i)
    if (call.forms[i].starts_with("torch.") && stands_alone(call.forms[i], at)) return call.forms.subspan(i, 1);
  return {};
}

std::vector<Breach> call_breaches(const Call& call) {
  std::vector<Breach> breaches;
  // What `out=` names is printed by itself.
  const std::size_t last = call.arguments.size() - (call.out ? 1 : 0);
  for (std::size_t i = 0; i < last && i < static_cast<std::size_t>(kMostPlaces); ++i)
    add_argument(breaches, i, call.arguments[i], !forms_with(call, i).empty());
  return breaches;
}

}  // namespace jp::seedgen
