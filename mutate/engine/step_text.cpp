// The written form of a step, for command lines and case files.
#include <fmt/format.h>

#include <charconv>

#include "mutate/engine/engine.h"

namespace jp::mutate {
namespace {

std::string quote(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

/// Reads a quoted text that starts at `at` and moves `at` behind it. Returns false if the closing quote is missing.
bool unquote(std::string_view text, std::size_t& at, std::string& out) {
  for (++at; at < text.size() && text[at] != '\''; ++at) {
    char c = text[at];
    if (c == '\\') {
      if (++at == text.size()) return false;
      c = text[at] == 'n' ? '\n' : text[at];
    }
    out += c;
  }
  return at++ < text.size();
}

Result<Draws> parse_draws(std::string_view text) {
  Draws draws;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\'') {
      std::string note;
      if (!unquote(text, at, note)) return Error{"a text among the draws does not end"};
      draws.emplace_back(std::move(note));
    } else {
      std::int64_t number = 0;
      auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
      if (error != std::errc()) return Error{fmt::format("a draw is not a number: {}", text.substr(at))};
      draws.emplace_back(number);
      at = static_cast<std::size_t>(end - text.data());
    }
    if (at == text.size()) break;
    if (text[at] != ',') return Error{fmt::format("a comma is missing between draws: {}", text.substr(at))};
    ++at;
  }
  return draws;
}

}  // namespace

std::string print_step(const Step& step) {
  std::string text = step.mutation + "@" + step.site.statement;
  if (!step.site.path.empty()) text += ":" + step.site.path;
  for (std::size_t i = 0; i < step.draws.size(); ++i) {
    text += i == 0 ? "=" : ",";
    if (const auto* number = std::get_if<std::int64_t>(&step.draws[i]))
      text += fmt::format("{}", *number);
    else
      text += quote(std::get<std::string>(step.draws[i]));
  }
  return text;
}

Result<WrittenStep> parse_step(std::string_view text) {
  WrittenStep written;
  std::size_t at = text.find('@');
  if (at == std::string_view::npos || at == 0)
    return Error{fmt::format("a step is written MUTATION@STATEMENT[:PATH][=DRAWS], not '{}'", text)};
  written.step.mutation = text.substr(0, at);
  std::string_view rest = text.substr(at + 1);
  if (std::size_t equals = rest.find('='); equals != std::string_view::npos) {
    auto draws = parse_draws(rest.substr(equals + 1));
    if (!draws) return draws.error();
    written.step.draws = std::move(draws).value();
    written.has_draws = true;
    rest = rest.substr(0, equals);
  }
  std::size_t colon = rest.find(':');
  written.step.site.statement = rest.substr(0, colon);
  if (colon != std::string_view::npos) written.step.site.path = rest.substr(colon + 1);
  if (written.step.site.statement.empty()) return Error{fmt::format("the step '{}' names no statement", text)};
  return written;
}

}  // namespace jp::mutate
