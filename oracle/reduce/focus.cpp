#include "oracle/reduce/focus.h"

#include <utility>

#include "mutate/inputs.h"
#include "oracle/reduce/cut.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"

namespace jp::reduce {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;

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
  EditSet dead;
  bool fits = true;
  for (int index : dead_statements(*alone)) fits = fits && erase_statement(dead, *alone, alone->statement(index));
  if (std::optional<Parsed> bold = fits && !dead.empty() ? apply(*alone, dead) : std::nullopt)
    found.push_back(*std::move(bold));
  found.push_back(*std::move(alone));
  return found;
}

}  // namespace jp::reduce
