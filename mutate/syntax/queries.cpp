#include "mutate/syntax/queries.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace jp::mutate {
namespace {

/// Numbers of node kinds, looked up once: most nodes are of none of them, and comparing numbers is cheaper than names.
struct Kinds {
  std::uint16_t assignment = kind_number("assignment");
  std::uint16_t augmented = kind_number("augmented_assignment");
  std::uint16_t call = kind_number("call");
  std::uint16_t expression = kind_number("expression_statement");
};

const Kinds& kinds() {
  static const Kinds kinds;
  return kinds;
}

/// The leftmost name of `v0`, `v0[1]` or `v0.grad`; no node if there is none.
Node root_of(Node node) {
  while (node && !node.is("identifier")) {
    const std::string_view inner = node.is("subscript")   ? "value"
                                   : node.is("attribute") ? "object"
                                   : node.is("call")      ? "function"
                                                          : "";
    node = inner.empty() ? Node() : node.field(inner);
  }
  return node;
}

void add_names(const Node& inside, std::vector<std::string_view>& names) {
  for (const Node node : nodes_of(inside))
    if (node.is("identifier")) names.push_back(node.text());
}

/// Collects the effects of one statement.
class EffectsReader {
 public:
  Effects read(const Statement& statement) {
    for (const Node node : nodes_of(statement.node, {"block"})) see(node);
    return std::move(effects_);
  }

 private:
  void see(const Node& node) {
    if (node.is("identifier") && node.field_name() != "attribute" &&
        !(node.field_name() == "name" && node.parent().is("keyword_argument")))
      effects_.names.push_back(node.text());
    if (const Assignment made = assignment(node)) bind(made.left, made.augmented());
    if (node.is("for_statement") || node.is("for_in_clause")) bind(node.field("left"), false);
    if (node.is("named_expression")) bind(node.field("name"), false);
    if (const Call made = call(node)) see_call(made);
    if (node.is("subscript"))
      for (const Node& child : node.children())
        if (child != node.field("value")) add_names(child, effects_.indices);
  }

  void bind(const Node& target, bool in_place) {
    if (!target) return;
    if (target.is("subscript")) effects_.writes_parts = in_place = true;
    std::vector<std::string_view> names;
    if (const Node root = root_of(target))
      names.push_back(root.text());
    else
      add_names(target, names);
    effects_.bound.insert(effects_.bound.end(), names.begin(), names.end());
    if (in_place) effects_.written.insert(effects_.written.end(), names.begin(), names.end());
  }

  void see_call(const Call& call) {
    effects_.calls.push_back(call);
    bind(call.keyword("out"), true);
    if (!names_write(call.name)) return;
    bind(call.object, true);
    // torch.relu_(x), and the _foreach_ functions on lists.
    const NodeRange arguments = call.arguments.children();
    if (!arguments.empty()) bind(arguments.front(), true);
  }

  Effects effects_;
};

}  // namespace

bool Subtree::is_closed(const Node& node) const {
  return std::any_of(closed_.begin(), closed_.end(), [&](std::string_view kind) { return node.is(kind); });
}

Subtree nodes_of(const Node& node, std::vector<std::string_view> closed) {
  return {node.tree(), node.index(), node.past(), std::move(closed)};
}

Subtree nodes_of(const Statement& first, const Statement& last) {
  return {first.node.tree(), first.node.index(), last.node.past(), {}};
}

Subtree nodes_of(const Tree& tree) { return {tree, 0, tree.size(), {}}; }

const std::vector<std::string_view>& own_scopes() {
  static const std::vector<std::string_view> kinds = {
      "lambda", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression",
      "string"};
  return kinds;
}

Node sole_expression(const Statement& statement) {
  if (statement.node.number() != kinds().expression) return {};
  const NodeRange children = statement.node.children();
  return children.size() == 1 ? children.front() : Node();
}

Node Assignment::name() const {
  return node && !augmented() && right && !type && left.is("identifier") ? left : Node();
}

Assignment assignment(const Node& node) {
  if (!node || (node.number() != kinds().assignment && node.number() != kinds().augmented)) return {};
  Assignment made{node, {}, {}, {}};
  for (const Node child : node.tokens()) {
    const std::string_view field = child.field_name();
    if (field.empty()) continue;
    if (field == "left") made.left = child;
    if (field == "right") made.right = child;
    if (field == "type") made.type = child;
  }
  return made;
}

Assignment assignment(const Statement& statement) { return assignment(sole_expression(statement)); }

bool in_target(const Node& node, const Node& around) {
  for (Node at = node; at && at != around; at = at.parent())
    if (at.field_name() == "left" && assignment(at.parent())) return true;
  return false;
}

Node Call::keyword(std::string_view word) const {
  for (const Node& argument : arguments.children())
    if (argument.is("keyword_argument") && argument.field("name").text() == word) return argument.field("value");
  return {};
}

bool Call::splats() const {
  const NodeRange all = arguments.children();
  return std::any_of(all.begin(), all.end(),
                     [](const Node& one) { return one.is("list_splat") || one.is("dictionary_splat"); });
}

Call call(const Node& node) {
  if (!node || node.number() != kinds().call) return {};
  Call made{node, node.field("function"), node.field("arguments"), {}, {}};
  const bool attribute = made.function.is("attribute");
  if (attribute) made.object = made.function.field("object");
  made.name = attribute ? made.function.field("attribute").text() : made.function.text();
  return made;
}

bool is_called(const Node& node) {
  const Node around = node.parent();
  return around && around.number() == kinds().call && node.field_name() == "function";
}

bool names_write(std::string_view function) { return function.ends_with('_') && !function.ends_with("__"); }

Effects effects_of(const Statement& statement) { return EffectsReader().read(statement); }

bool stands_in(const Parsed& parsed, const Statement& statement, std::initializer_list<std::string_view> kinds) {
  for (int up = statement.parent; up >= 0 && up != statement.function; up = parsed.statement(up).parent)
    if (std::find(kinds.begin(), kinds.end(), parsed.statement(up).kind()) != kinds.end()) return true;
  return false;
}

bool in_while(const Parsed& parsed, const Statement& statement) {
  return stands_in(parsed, statement, {"while_statement"});
}

bool ends_block(const Statement& statement) {
  const std::string_view kind = statement.kind();
  return kind == "return_statement" || kind == "raise_statement" || kind == "break_statement" ||
         kind == "continue_statement";
}

bool is_docstring(const Statement& statement) {
  const Node text = statement.place == 0 ? sole_expression(statement) : Node();
  return text && (text.is("string") || text.is("concatenated_string"));
}

std::string_view defined_name(const Statement& statement) {
  const Node definition = statement.definition();
  const bool defines = definition.is("function_definition") || definition.is("class_definition");
  return defines ? definition.field("name").text() : "";
}

bool in_function(const Parsed& parsed, const Statement& statement, std::string_view name) {
  if (statement.function < 0) return false;
  const Statement& function = parsed.statement(statement.function);
  return function.parent < 0 && defined_name(function) == name;
}

}  // namespace jp::mutate
