#include "mutate/facts/assigned.h"

#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

Node assigned_name(const Parsed& parsed, const Statement& statement) {
  if (statement.kind() != "expression_statement" || !insertion_point(parsed, statement) || statement.exits.leaves())
    return {};
  auto children = statement.node.children();
  if (children.size() != 1 || !children[0].is("assignment")) return {};
  Node left = children[0].field("left");
  Node right = children[0].field("right");
  if (!left || !right || !left.is("identifier") || right.is("assignment") || children[0].field("type")) return {};
  return left;
}

const NameFacts* assigned_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  if (facts.after.find(statement.id) == facts.after.end()) return nullptr;
  Node name = assigned_name(parsed, statement);
  if (!name) return nullptr;
  const NameFacts* known = facts.find_after(statement.id, std::string(name.text()));
  return known && known->kind == "tensor" && known->dtype && known->shape ? known : nullptr;
}

}  // namespace jp::mutate
