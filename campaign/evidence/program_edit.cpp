#include "campaign/evidence/program_edit.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "mutate/syntax/queries.h"

namespace jp::campaign {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;

}  // namespace

const Statement* entry_of(const Parsed& parsed) {
  for (const Statement& statement : parsed.statements()) {
    const bool function = statement.parent == -1 && mutate::defines_function(statement);
    if (function && mutate::defined_name(statement) == parsed.program().entry()) return &statement;
  }
  return nullptr;
}

std::vector<const Statement*> body_of(const Parsed& parsed, const Statement& function) {
  std::vector<const Statement*> body;
  for (const Statement& statement : parsed.statements())
    if (statement.parent == function.index) body.push_back(&statement);
  return body;
}

bool is_generator(const Parsed& parsed, const Statement& function) {
  if (function.definition().has_token("async")) return true;
  return std::any_of(parsed.statements().begin(), parsed.statements().end(), [&](const Statement& statement) {
    return statement.function == function.index && (statement.exits.yields || statement.exits.awaits);
  });
}

std::string parameter_at(const Parsed& parsed, const std::string& where) {
  constexpr std::string_view kHead = "inputs[";
  const std::size_t at = where.find(kHead);
  const Statement* entry = entry_of(parsed);
  if (at == std::string::npos || !entry) return "";
  std::size_t index = 0;
  const auto read = std::from_chars(where.data() + at + kHead.size(), where.data() + where.size(), index);
  if (read.ec != std::errc()) return "";
  std::vector<std::string> names;
  for (const Node& parameter : entry->definition().field("parameters").children()) {
    const Node name = parameter.is("identifier") ? parameter : parameter.field("name");
    names.emplace_back(name ? name.text() : "");
  }
  return index < names.size() ? names[index] : "";
}

std::string free_name(const Parsed& parsed, const std::string& base) {
  std::string name = base;
  while (parsed.has_word(name)) name += "_";
  return name;
}

std::size_t line_of(const Parsed& parsed, std::size_t position) {
  return position == 0 ? 0 : parsed.source().rfind('\n', position - 1) + 1;
}

std::size_t first_definition(const Parsed& parsed) {
  for (const Statement& statement : parsed.statements())
    if (statement.parent == -1 && !mutate::defined_name(statement).empty()) return line_of(parsed, statement.begin);
  return 0;
}

std::optional<Program> edited(const Parsed& parsed, const EditSet& edits) {
  const Program& program = parsed.program();
  Result<Program> made =
      Program::make(edits.apply(parsed.source()), program.lineage(), program.path(), program.entry(), program.inputs());
  if (!made.ok() || !mutate::parse(made.value()).ok()) return std::nullopt;
  return made.value();
}

}  // namespace jp::campaign
