// Unwraps classes: a module whose forward needs nothing of itself becomes a function, and base classes are dropped:
//
//     class M(torch.nn.Module):            def program(x):
//         def forward(self, x):                return torch.relu(x)
//             return torch.relu(x)
//     program = M()
//
// What __init__ sets as plain attributes becomes variables of the module, if it needs nothing else of self.
#include <fmt/format.h>

#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::unwrap_classes_pass {
namespace {

using mutate::Use;

struct Method {
  const Statement* statement = nullptr;
  std::vector<const Statement*> body;
  std::vector<Node> parameters;  // without self
  int scope = -1;
};

/// The method of that name in a class, if it is plain.
std::optional<Method> method_of(const Parsed& parsed, const Statement& owner, std::string_view name) {
  for (const Statement& statement : parsed.statements()) {
    if (statement.parent != owner.index || statement.kind() != "function_definition") continue;
    if (mutate::defined_name(statement) != name || !statement.own_lines) continue;
    Method method{.statement = &statement, .scope = parsed.scopes().scope_of_node(statement.node)};
    method.parameters = statement.node.field("parameters").children();
    if (method.parameters.empty() || !method.parameters.front().is("identifier")) return std::nullopt;
    for (const Statement& inner : parsed.statements())
      if (inner.parent == statement.index) method.body.push_back(&inner);
    return method;
  }
  return std::nullopt;
}

/// Deletes "self." where an attribute of it is read; false if self is used in another way, or an attribute's name is
/// taken in the method.
bool without_self(const Parsed& parsed, const Method& method, const mutate::NameSet& known, EditSet& edits) {
  std::string_view self = method.parameters.front().text();
  for (const Use& use : parsed.scopes().uses_in(method.body.front()->begin, method.body.back()->end)) {
    if (use.name != self) continue;
    const mutate::Attribute attribute = mutate::attribute(use.node.parent());
    if (attribute.object != use.node) return false;
    const std::string_view name = attribute.name;
    if (!known.contains(name) || parsed.scopes().scope(method.scope).bound.contains(name)) return false;
    if (!put(edits, use.node.begin(), attribute.label.begin(), "")) return false;
  }
  return true;
}

/// The lines that set what __init__ sets, or nothing if it does anything else.
std::optional<std::string> attributes_of(const Parsed& parsed, const Statement& owner, mutate::NameSet& names) {
  auto init = method_of(parsed, owner, "__init__");
  if (!init) return "";
  if (init->parameters.size() != 1) return std::nullopt;
  std::string_view self = init->parameters.front().text();
  std::string lines;
  for (const Statement* statement : init->body) {
    if (statement->node.text().starts_with("super(")) continue;
    const mutate::Assignment made = mutate::assignment(*statement);
    if (!made || made.augmented() || !made.right) return std::nullopt;
    const mutate::Attribute left = mutate::attribute(made.left);
    const Node right = made.right;
    if (!left || left.object.text() != self) return std::nullopt;
    const std::string_view name = left.name;
    for (const Use& use : parsed.scopes().uses_in(right.begin(), right.end()))
      if (use.owner == init->scope) return std::nullopt;
    if (parsed.scopes().bindings(0, name) > 0) return std::nullopt;
    names.insert(name);
    lines += fmt::format("{} = {}\n", name, right.text());
  }
  return lines;
}

/// "program = M()" for that class: the statement, if M is used nowhere else.
const Statement* only_instance(const Parsed& parsed, const Statement& owner) {
  std::string_view name = mutate::defined_name(owner);
  const Statement* found = nullptr;
  for (const Statement& statement : parsed.statements()) {
    auto [target, value] = plain_assignment(statement);
    if (statement.parent < 0 && target && target.text() == parsed.program().entry() &&
        value.text() == std::string(name) + "()")
      found = &statement;
  }
  int reads = 0;
  for (const Use& use : parsed.scopes().uses())
    if (use.name == name && use.kind == Use::Kind::kRead) ++reads;
  return reads == 1 ? found : nullptr;
}

std::optional<EditSet> as_function(const Parsed& parsed, const Statement& owner) {
  const Statement* instance = only_instance(parsed, owner);
  auto forward = method_of(parsed, owner, "forward");
  if (!instance || !forward || forward->body.empty() || !forward->body.front()->own_lines) return std::nullopt;
  mutate::NameSet names;
  auto attributes = attributes_of(parsed, owner, names);
  EditSet selves;
  if (!attributes || !without_self(parsed, *forward, names, selves)) return std::nullopt;
  // The method's text without self, dedented; lines inside strings can't be.
  if (forward->statement->node.text().find("\"\"\"") != std::string_view::npos ||
      forward->statement->node.text().find("'''") != std::string_view::npos)
    return std::nullopt;
  const std::size_t begin = mutate::lines_begin(*forward->statement);
  const std::size_t end = mutate::lines_end(parsed, *forward->statement);
  std::vector<Node> rest(forward->parameters.begin() + 1, forward->parameters.end());
  std::string parameters;
  for (const Node& parameter : rest) parameters += (parameters.empty() ? "" : ", ") + std::string(parameter.text());
  const Node body = forward->statement->node.field("body");
  std::string head = fmt::format("def {}({}):\n", parsed.program().entry(), parameters);
  const std::string shift(forward->statement->indent);
  std::string text;
  std::size_t at = mutate::lines_begin(*forward->body.front());
  if (at < begin || body.begin() > end) return std::nullopt;
  EditSet inside;
  for (const Edit& edit : selves.edits()) inside.replace(edit.begin - at, edit.end - at, edit.text);
  const std::string lines = inside.apply(std::string_view(parsed.source()).substr(at, end - at));
  for (std::size_t from = 0; from < lines.size();) {
    std::size_t next = std::min(lines.find('\n', from), lines.size() - 1) + 1;
    std::string line = lines.substr(from, next - from);
    text += line.starts_with(shift) ? line.substr(shift.size()) : line;
    from = next;
  }
  EditSet edits;
  if (!put(edits, mutate::lines_begin(owner), mutate::lines_end(parsed, owner), *attributes + head + text) ||
      !erase_statement(edits, parsed, *instance))
    return std::nullopt;
  return edits;
}

class UnwrapClasses final : public Pass {
 public:
  UnwrapClasses()
      : Pass({"unwrap_classes", Tier::kFlatten, false, "Replaces modules by functions, and removes base classes."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (const Statement& statement : parsed.statements()) {
      if (statement.kind() != "class_definition" || !statement.own_lines || statement.parent >= 0) continue;
      if (auto edits = as_function(parsed, statement)) proposals.push_back(*std::move(edits));
      Node bases = statement.node.field("superclasses");
      if (bases) proposals.push_back(replacement(bases, ""));
    }
    return proposals;
  }
};

const Register<Pass, UnwrapClasses> registered;

}  // namespace
}  // namespace jp::reduce::unwrap_classes_pass
