#include "oracle/reduce/focus.h"

#include <utility>

#include "mutate/inputs/inputs.h"
#include "oracle/reduce/cut.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"

namespace jp::reduce {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;
using mutate::Use;

/// What the entry's only return gives back, by item.
std::vector<Node> outputs_of(const Parsed& parsed) {
  const Statement* entry = mutate::module_function(parsed, parsed.program().entry());
  std::vector<Node> items;
  int returns = 0;
  for (const Statement& statement : parsed.statements()) {
    if (!entry || statement.function != entry->index || statement.kind() != "return_statement") continue;
    ++returns;
    if (Node display = returned_display(statement)) items = display.children();
  }
  return returns == 1 ? items : std::vector<Node>{};
}

/// Without statements that assign what nobody reads; nothing when there are none.
std::optional<Parsed> without_dead(const Parsed& parsed) {
  EditSet edits;
  for (int index : dead_statements(parsed))
    if (!erase_statement(edits, parsed, parsed.statement(index))) return std::nullopt;
  return edits.empty() ? std::nullopt : apply(parsed, edits);
}

bool is_read(const Parsed& parsed, const Node& parameter) {
  const auto& scopes = parsed.scopes();
  for (const Use& bound : scopes.uses_in(parameter.begin(), parameter.end()))
    for (int index : scopes.uses_of(bound.owner, bound.name))
      if (scopes.uses()[static_cast<std::size_t>(index)].kind != Use::Kind::kBind) return true;
  return false;
}

/// Without arguments that nobody reads; nothing when there are none.
std::optional<Parsed> without_unread(const Parsed& parsed) {
  const std::vector<Node> parameters = plain_parameters(parsed);
  Cut cut(parsed);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!is_read(parsed, parameters[i]) && !cut.argument(i)) return std::nullopt;
  return cut.edits().empty() ? std::nullopt : apply(parsed, cut.edits());
}

}  // namespace

std::vector<Parsed> focus(const Parsed& parsed, std::size_t at) {
  const std::vector<Node> items = outputs_of(parsed);
  if (at >= items.size() || items.size() < 2) return {};
  EditSet edits;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (i != at && !erase_item(edits, items, i)) return {};
  std::optional<Parsed> alone = apply(parsed, edits);
  if (!alone) return {};
  std::vector<Parsed> found;
  const std::optional<Parsed> bold = without_dead(*alone);
  if (std::optional<Parsed> bolder = without_unread(bold ? *bold : *alone)) found.push_back(*std::move(bolder));
  if (bold) found.push_back(*bold);
  found.push_back(*std::move(alone));
  return found;
}

}  // namespace jp::reduce
