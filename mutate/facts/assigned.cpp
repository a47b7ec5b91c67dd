#include "mutate/facts/assigned.h"

#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

Node assigned_name(const Parsed& parsed, const Statement& statement) {
  const Node name = assignment(statement).only_name();
  return name && insertion_point(parsed, statement) && !statement.exits.leaves() ? name : Node();
}

const NameFacts* assigned_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  if (facts.after.find(statement.id) == facts.after.end()) return nullptr;
  Node name = assigned_name(parsed, statement);
  if (!name) return nullptr;
  const NameFacts* known = facts.find_after(statement.id, std::string(name.text()));
  return known && known->kind == "tensor" && known->dtype && known->shape ? known : nullptr;
}

}  // namespace jp::mutate
