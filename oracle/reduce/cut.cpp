#include "oracle/reduce/cut.h"

#include <algorithm>

#include "mutate/inputs/inputs.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"

namespace jp::reduce {

using mutate::Node;
using mutate::Statement;
using mutate::Use;

Node returned_display(const Statement& statement) {
  const Node value = mutate::returned_value(statement);
  return value && mutate::is_sequence(value) ? value : Node();
}

std::vector<Node> plain_parameters(const mutate::Parsed& parsed) {
  const Statement* entry = mutate::module_function(parsed, parsed.program().entry());
  if (!entry) return {};
  Node list = entry->node.field("parameters");
  for (const Node& parameter : list.children())
    if (!parameter.is("identifier") && !parameter.is("typed_parameter") && !parameter.is("default_parameter"))
      return {};
  for (const Node& token : list.tokens())
    if (token.is("*") || token.is("/")) return {};
  return list.children();
}

bool Cut::gone(const Node& node) const {
  for (Node up = node; up; up = up.parent())
    if (nodes_.contains(up.index())) return true;
  for (const Statement* at = parsed_.statement_at(node.begin()); at;
       at = at->parent < 0 ? nullptr : &parsed_.statement(at->parent))
    if (statements_.contains(at->index)) return true;
  return false;
}

bool Cut::unbound(int owner, std::string_view name) const {
  const auto& scopes = parsed_.scopes();
  for (const Use& use : scopes.uses_of(owner, name)) {
    if (use.kind == Use::Kind::kBind && !gone(use.node)) return false;
  }
  return true;
}

bool Cut::statement(const Statement& statement) {
  if (!statements_.insert(statement.index).second) return true;
  const auto& program = parsed_.program();
  const auto uses = parsed_.scopes().uses_in(statement.begin, statement.end);
  for (const Use& use : uses)
    if (use.kind == Use::Kind::kBind && use.owner == 0 && use.name == program.entry() && unbound(0, use.name))
      return false;
  if (!erase_statement(edits_, parsed_, statement)) return false;
  for (const Use& use : uses)
    if (use.kind == Use::Kind::kBind && use.owner >= 0 && !readers(use.owner, use.name)) return false;
  return true;
}

bool Cut::readers(int owner, std::string_view name) {
  if (variables_.contains({owner, name}) || !unbound(owner, name)) return true;
  variables_.insert({owner, name});
  const auto& scopes = parsed_.scopes();
  for (const Use& use : scopes.uses_of(owner, name)) {
    if (use.kind != Use::Kind::kBind && !gone(use.node) && !reader(use)) return false;
  }
  return true;
}

bool Cut::reader(const Use& use) {
  const Statement* statement = parsed_.statement_at(use.node.begin());
  if (!statement) return false;
  Node display = returned_display(*statement);
  if (!display) return this->statement(*statement);
  auto inputs = mutate::find_inputs(parsed_);
  const bool makes_inputs = inputs && inputs->statement == statement;
  const auto inside = [&](const Node& node) {
    return node.begin() <= use.node.begin() && use.node.end() <= node.end();
  };
  if (makes_inputs) {
    for (const auto& call : inputs->calls)
      for (std::size_t i = 0; i < call.size(); ++i)
        if (inside(call[i])) return argument(i);
    return false;
  }
  auto items = display.children();
  for (std::size_t i = 0; i < items.size(); ++i)
    if (inside(items[i])) return item(items, i);
  return this->statement(*statement);
}

bool Cut::argument(std::size_t position) {
  auto parameters = plain_parameters(parsed_);
  auto inputs = mutate::find_inputs(parsed_);
  if (position >= parameters.size() || !inputs) return false;
  for (const auto& call : inputs->calls)
    if (position < call.size() && !item(call, position)) return false;
  const Node parameter = parameters[position];
  if (!item(parameters, position)) return false;
  // A parameter begins with its name, whether or not it has a type and a default.
  const auto& scopes = parsed_.scopes();
  for (const Use& use : scopes.uses_in(parameter.begin(), parameter.end()))
    if (use.kind == Use::Kind::kBind) return readers(use.owner, use.name);
  return true;
}

bool Cut::item(const std::vector<Node>& items, std::size_t at) {
  if (!nodes_.insert(items[at].index()).second) return true;
  return erase_item(edits_, items, at);
}

}  // namespace jp::reduce
