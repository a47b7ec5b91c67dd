#include "mutate/names/flow.h"

#include <algorithm>
#include <iterator>

#include "mutate/syntax/queries.h"

namespace jp::mutate {

void Flow::follow_body(const Node& body, const NameSet& bound) { follow_block(body.parent(), bound); }

Flow::State Flow::meet(const State& one, const State& other) {
  if (!one) return other;
  if (!other) return one;
  return *one & *other;
}

/// The statements of the (only) block directly inside `clause`.
Flow::State Flow::follow_block(const Node& clause, State bound) {
  for (const Node& child : clause.children()) {
    if (!child.is("block")) continue;
    for (const Node& node : child.children()) {
      const Statement* statement = parsed_.statement_at(node.begin());
      JP_CHECK(statement, "a block holds something else than statements");
      // Statements after one that never ends normally are unreachable, so any answer is correct for them.
      bound = follow(*statement, bound ? *std::move(bound) : NameSet());
    }
    return bound;
  }
  return bound;
}

void Flow::read(std::size_t begin, std::size_t end, const NameSet& bound) {
  for (const Use& use : scopes_.uses_in(begin, end))
    if (use.kind == Use::Kind::kRead && use.owner == frame_ && !bound.contains(use.name)) early_reads_.insert(use.name);
}

void Flow::pass(std::size_t begin, std::size_t end, NameSet& bound) {
  read(begin, end, bound);
  for (const Use& use : scopes_.uses_in(begin, end)) {
    if (use.owner != frame_ || scopes_.frame(use.scope) != frame_) continue;
    if (use.kind == Use::Kind::kBind && !use.conditional) bound.insert(use.name);
    if (use.kind == Use::Kind::kDelete) bound.erase(use.name);
  }
}

NameSet Flow::without_deleted(NameSet bound, std::size_t begin, std::size_t end) const {
  for (const Use& use : scopes_.uses_in(begin, end)) {
    if (use.owner != frame_) continue;
    bool except = false;
    for (Node up = use.node.parent(); up && up.begin() >= begin && !except; up = up.parent()) {
      if (up.is("block")) break;
      except = up.is("except_clause") || up.is("except_group_clause");
    }
    if (use.kind == Use::Kind::kDelete || (use.kind == Use::Kind::kBind && except)) bound.erase(use.name);
  }
  return bound;
}

Flow::State Flow::follow(const Statement& statement, NameSet bound) {
  if (before_) (*before_)[static_cast<std::size_t>(statement.index)] = bound;
  std::string_view kind = statement.kind();
  if (kind == "if_statement") return follow_if(statement, std::move(bound));
  if (kind == "for_statement" || kind == "while_statement") return follow_loop(statement, std::move(bound));
  if (kind == "try_statement") return follow_try(statement, std::move(bound));
  if (kind == "with_statement") return follow_with(statement, std::move(bound));
  if (kind == "match_statement") return follow_match(statement, std::move(bound));
  pass(statement.begin, statement.end, bound);
  return ends_block(statement) ? std::nullopt : std::optional(std::move(bound));
}

Flow::State Flow::follow_if(const Statement& statement, NameSet bound) {
  const Node& node = statement.node;
  Node test = node.field("condition");
  pass(test.begin(), test.end(), bound);
  State after = follow_block(node, bound);
  bool has_else = false;
  for (const Node& clause : node.children()) {
    if (clause.is("elif_clause")) {
      Node inner = clause.field("condition");
      pass(inner.begin(), inner.end(), bound);
      after = meet(after, follow_block(clause, bound));
    } else if (clause.is("else_clause")) {
      has_else = true;
      after = meet(after, follow_block(clause, bound));
    }
  }
  return has_else ? after : meet(after, bound);
}

Flow::State Flow::follow_loop(const Statement& statement, NameSet bound) {
  const Node& node = statement.node;
  Node head = node.field(statement.kind() == "for_statement" ? "right" : "condition");
  pass(head.begin(), head.end(), bound);
  bound = without_deleted(std::move(bound), statement.begin, statement.end);
  NameSet inside = bound;
  if (Node target = node.field("left")) pass(target.begin(), target.end(), inside);
  follow_block(node, inside);
  for (const Node& clause : node.children())
    if (clause.is("else_clause")) follow_block(clause, bound);
  return bound;
}

Flow::State Flow::follow_try(const Statement& statement, NameSet bound) {
  const Node& node = statement.node;
  NameSet least = without_deleted(bound, statement.begin, statement.end);
  State after = follow_block(node, bound);
  State handled;
  Node finally;
  for (const Node& clause : node.children()) {
    if (clause.is("else_clause") && after) after = follow_block(clause, after);
    if (clause.is("finally_clause")) finally = clause;
    if (!clause.is("except_clause") && !clause.is("except_group_clause")) continue;
    NameSet inside = least;
    for (const Node& part : clause.children())
      if (!part.is("block")) pass(part.begin(), part.end(), inside);
    State end = follow_block(clause, inside);
    // Python deletes the name of `except … as` at the handler's end.
    if (end) end = without_deleted(*std::move(end), clause.begin(), clause.end());
    handled = meet(handled, end);
  }
  after = meet(after, handled);
  if (!finally) return after;
  State end = follow_block(finally, least);
  if (!end || !after) return std::nullopt;
  after = without_deleted(*std::move(after), finally.begin(), finally.end());
  after->insert(end->begin(), end->end());
  return after;
}

Flow::State Flow::follow_with(const Statement& statement, NameSet bound) {
  Node items;
  bool of_torch = true;
  for (const Node& child : statement.node.children())
    if (child.is("with_clause")) items = child;
  pass(items.begin(), items.end(), bound);
  for (Node item : items.children()) {
    std::string_view text = item.text();
    of_torch = of_torch && (text.starts_with("torch.no_grad(") || text.starts_with("torch.enable_grad(") ||
                            text.starts_with("torch.autocast(") || text.starts_with("torch.set_grad_enabled(") ||
                            text.starts_with("torch.inference_mode("));
  }
  State inside = follow_block(statement.node, bound);
  if (of_torch) return inside;
  return without_deleted(std::move(bound), statement.begin, statement.end);
}

Flow::State Flow::follow_match(const Statement& statement, NameSet bound) {
  Node subject = statement.node.field("subject");
  pass(subject.begin(), subject.end(), bound);
  for (const Node& body : statement.node.children()) {
    if (!body.is("block")) continue;
    for (const Node& clause : body.children()) {
      NameSet inside = bound;
      for (const Node& part : clause.children())
        if (!part.is("block")) pass(part.begin(), part.end(), inside);
      follow_block(clause, inside);
    }
  }
  return without_deleted(std::move(bound), statement.begin, statement.end);
}

std::vector<NameSet> bound_before(const Parsed& parsed) {
  const Scopes& scopes = parsed.scopes();
  std::vector<NameSet> before(parsed.statements().size());
  for (const Statement& statement : parsed.statements())
    if (Node definition = statement.definition(); definition.is("function_definition")) {
      int scope = scopes.scope_of_node(definition);
      Flow flow(parsed, scopes, scope, &before);
      flow.follow_body(definition.field("body"), scopes.scope(scope).parameters);
    }
  return before;
}

RunFlow flow_of(const Parsed& parsed, const Statement& first, const Statement& last, const NameSet& bound) {
  const Scopes& scopes = parsed.scopes();
  Flow flow(parsed, scopes, scopes.scope_of(first), nullptr);
  std::optional<NameSet> now = bound;
  const Block& block = parsed.blocks()[static_cast<std::size_t>(first.block)];
  for (int place = first.place; place <= last.place; ++place)
    now = flow.follow(parsed.statement(block.statements[static_cast<std::size_t>(place)]),
                      now ? *std::move(now) : NameSet());
  return {now ? *std::move(now) : NameSet(), flow.early_reads()};
}

}  // namespace jp::mutate
