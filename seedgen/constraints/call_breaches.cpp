#include "seedgen/constraints/call_breaches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace jp::seedgen {
namespace {

constexpr double kFraction = 1.5;
constexpr std::string_view kText = "'text'";
// How far outside the sizes of the first input a far number is, and how far from the drawn one a fraction is, which may
// be a factor of three sizes at once.
constexpr std::int64_t kFarNumber = 64;
constexpr double kFarFraction = 8;
// Of longer tuples only these items are broken.
constexpr int kMostItems = 3;

void add(std::vector<Breach>& breaches, Constraint constraint, std::size_t at, bool far, Argument written) {
  breaches.push_back(
      {.constraint = constraint, .place = static_cast<int>(at), .far = far, .written = std::move(written)});
}

void add_both(std::vector<Breach>& breaches, Constraint constraint, std::size_t at, Argument near) {
  add(breaches, constraint, at, false, std::move(near));
  add(breaches, constraint, at, true, std::string(kText));
}

void add_range(std::vector<Breach>& breaches, std::size_t at, bool far, Argument written, double was, double now) {
  add(breaches, Constraint::kRange, at, far, std::move(written));
  breaches.back().was = was;
  breaches.back().now = now;
}

struct Number {
  std::int64_t number = 0;
  bool far = false;
};

// What may lie outside of the range that the number is in, each once.
std::vector<Number> numbers_beside(std::int64_t was, std::int64_t largest) {
  std::vector<Number> numbers;
  const auto put = [&](std::int64_t number, bool far) {
    const auto same = [&](const Number& one) { return one.number == number; };
    if (number != was && std::none_of(numbers.begin(), numbers.end(), same)) numbers.push_back({number, far});
  };
  for (std::int64_t near : {std::int64_t{-1}, std::int64_t{0}, was - 1, was + 1, largest + 1, -largest - 1})
    put(near, false);
  put(std::max(was, largest) + kFarNumber, true);
  put(std::min(was, -largest) - kFarNumber, true);
  return numbers;
}

void add_numbers(std::vector<Breach>& breaches, std::size_t at, std::int64_t was, std::int64_t largest) {
  for (const auto& [number, far] : numbers_beside(was, largest))
    add_range(breaches, at, far, number, static_cast<double>(was), static_cast<double>(number));
}

void add_fractions(std::vector<Breach>& breaches, std::size_t at, double was) {
  for (double step : {1.0, kFarFraction})
    for (double number : {was - step, was + step}) add_range(breaches, at, step > 1, number, was, number);
}

void add_items(std::vector<Breach>& breaches, std::size_t at, const Ints& items, std::int64_t largest) {
  for (int i = 0; i < std::min(items.size(), kMostItems); ++i)
    for (const auto& [number, far] : numbers_beside(items[i], largest)) {
      Ints changed = items;
      changed[i] = number;
      add_range(breaches, at, far, changed, static_cast<double>(items[i]), static_cast<double>(number));
    }
}

void add_tuple(std::vector<Breach>& breaches, std::size_t at, const Ints& items) {
  add_both(breaches, Constraint::kLiteral, at, kFraction);
  if (items.empty()) return;
  if (items.size() > 1) {
    Ints shorter = items;
    shorter.erase(items.size() - 1);
    add(breaches, Constraint::kLength, at, false, shorter);
  }
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

// None beside a tensor that takes a fraction or a complex number as the other operand.
Argument no_whole(Dtype first) { return is_integral(first) ? Argument(kFraction) : Argument(std::string("None")); }
Argument no_real(Dtype first) { return std::string(is_complex(first) ? "None" : "1j"); }

void add_argument(std::vector<Breach>& breaches, std::size_t at, const Argument& argument, bool as_function,
                  const GraphValue& first) {
  const std::int64_t largest = first.shape.empty() ? 0 : *std::max_element(first.shape.begin(), first.shape.end());
  switch (argument.index()) {
    case 0:
    case 1:
      if (as_function) add_both(breaches, Constraint::kTensor, at, kFraction);
      return;
    case 2:
      return add_both(breaches, Constraint::kLiteral, at, std::string("None"));
    case 3:
      add_numbers(breaches, at, std::get<std::int64_t>(argument), largest);
      return add_both(breaches, Constraint::kLiteral, at, no_whole(first.dtype));
    case 4:
      add_fractions(breaches, at, std::get<double>(argument));
      return add_both(breaches, Constraint::kLiteral, at, no_real(first.dtype));
    case 5:
      add_items(breaches, at, std::get<Ints>(argument), largest);
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

// Of the type of the value, and without memory.
std::string meta_text(const GraphValue& value) {
  return fmt::format("torch.empty([{}], dtype=torch.{}, device='meta')", fmt::join(value.shape, ", "),
                     dtype_name(value.dtype));
}

}  // namespace

Forms forms_with(const Call& call, std::size_t at) {
  for (std::size_t i = 0; i < call.forms.size(); ++i)
    if (call.forms[i].starts_with("torch.") && stands_alone(call.forms[i], at)) return call.forms.subspan(i, 1);
  return {};
}

std::string_view parameter_of(const Call& call, std::size_t at) {
  if (call.out && at + 1 == call.arguments.size()) return "out";
  const std::string mark = fmt::format("=${}", at);
  for (std::string_view form : call.forms) {
    const std::size_t end = form.find(mark);
    if (end == std::string_view::npos) continue;
    std::size_t from = end;
    while (from > 0 && (std::isalnum(static_cast<unsigned char>(form[from - 1])) != 0 || form[from - 1] == '_')) --from;
    if (from < end) return form.substr(from, end - from);
  }
  return "";
}

std::vector<Breach> call_breaches(const Call& call, const GraphValue& first) {
  std::vector<Breach> breaches;
  // What `out=` names is printed by itself.
  const std::size_t last = call.arguments.size() - (call.out ? 1 : 0);
  for (std::size_t i = 0; i < last && i < static_cast<std::size_t>(kMostPlaces); ++i) {
    const std::size_t before = breaches.size();
    add_argument(breaches, i, call.arguments[i], !forms_with(call, i).empty(), first);
    for (std::size_t j = before; j < breaches.size(); ++j) breaches[j].parameter = parameter_of(call, i);
  }
  return breaches;
}

std::optional<Breach> device_breach(const Call& call, const Graph& graph) {
  if (!call.out || call.arguments.size() > static_cast<std::size_t>(kMostPlaces)) return std::nullopt;
  const auto* one = std::get_if<Ref>(&call.arguments.back());
  const std::vector<Ref> targets =
      one != nullptr ? std::vector{*one} : std::get<std::vector<Ref>>(call.arguments.back());
  std::vector<std::string> texts;
  for (Ref target : targets) {
    const GraphValue& value = graph.values[static_cast<std::size_t>(target.value)];
    if (value.shape.empty()) return std::nullopt;
    texts.push_back(meta_text(value));
  }
  const std::string text = fmt::format("{}", fmt::join(texts, ", "));
  Breach breach;
  breach.constraint = Constraint::kDevice;
  breach.place = static_cast<int>(call.arguments.size()) - 1;
  breach.parameter = "out";
  breach.written = one != nullptr ? text : '(' + text + ')';
  return breach;
}

}  // namespace jp::seedgen
