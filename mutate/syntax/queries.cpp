#include "mutate/syntax/queries.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/among.h"
#include "mutate/syntax/writing_calls.h"

namespace jp::mutate {
namespace {

/// Numbers of node kinds, looked up once: most nodes are of none of them, and comparing numbers is cheaper than names.
struct Kinds {
  std::uint16_t assignment = kind_number("assignment");
  std::uint16_t augmented = kind_number("augmented_assignment");
  std::uint16_t call = kind_number("call");
  std::uint16_t expression = kind_number("expression_statement");
  std::uint16_t attribute = kind_number("attribute");
  std::uint16_t keyword = kind_number("keyword_argument");
  std::uint16_t unary = kind_number("unary_operator");
  std::uint16_t binary = kind_number("binary_operator");
  std::uint16_t boolean = kind_number("boolean_operator");
  std::uint16_t comparison = kind_number("comparison_operator");
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

/// Attributes of a tensor whose assignment changes what every name of the tensor shows.
constexpr auto kContents = std::to_array<std::string_view>({"data", "grad", "real", "imag", "requires_grad"});

/// Collects the effects of one statement.
class EffectsReader {
 public:
  Effects read(const Statement& statement) {
    for (const Node node : nodes_of(statement.node, {"block"})) see(node);
    return std::move(effects_);
  }

 private:
  void see(const Node& node) {
    if (is_variable(node)) effects_.names.push_back(node.text());
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
    if (const Attribute part = attribute(target); part && among(kContents, part.name)) in_place = true;
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
    if (writes_parameter(call))
      for (const Node& argument : call.arguments.children()) bind(given_argument(argument).node, true);
    if (!names_write(call.name) && !asks_in_place(call)) return;
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

Node sole_expression(const Node& statement) {
  if (statement.number() != kinds().expression) return {};
  const NodeRange children = statement.children();
  return children.size() == 1 ? children.front() : Node();
}

Node sole_expression(const Statement& statement) { return sole_expression(statement.node); }

Node returned_value(const Statement& statement) {
  if (statement.kind() != "return_statement") return {};
  const NodeRange children = statement.node.children();
  return children.size() == 1 ? children.front() : Node();
}

bool is_target_tuple(const Node& node) { return node.is("pattern_list") || node.is("tuple_pattern"); }

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

Node assigned_value(Node node) {
  for (Assignment made = assignment(node); made; made = assignment(node)) node = made.right;
  return node;
}

bool is_target(const Node& node) {
  if (node.field_name() != "left") return false;
  const Node around = node.parent();
  return assignment(around) || around.is("for_statement") || around.is("for_in_clause");
}

bool in_target(const Node& node, const Node& around) {
  for (Node at = node; at && at != around; at = at.parent())
    if (at.field_name() == "left" && assignment(at.parent())) return true;
  return false;
}

Attribute attribute(const Node& node) {
  if (!node || node.number() != kinds().attribute) return {};
  const Node label = node.field("attribute");
  return {node, node.field("object"), label, label.text()};
}

Node path_root(Node node) {
  while (const Attribute part = attribute(node)) node = part.object;
  return node;
}

bool is_attribute_name(const Node& node) { return node.is("identifier") && node.field_name() == "attribute"; }

bool is_variable(const Node& node) {
  if (!node.is("identifier") || node.field_name() == "attribute") return false;
  return node.field_name() != "name" || !is_keyword(node.parent());
}

GivenArgument given_argument(const Node& argument) {
  if (argument.number() != kinds().keyword) return {"", argument};
  return {argument.field("name").text(), argument.field("value")};
}

bool is_keyword(const Node& node, std::string_view word) {
  return node.number() == kinds().keyword && (word.empty() || node.field("name").text() == word);
}

bool is_splat(const Node& node) { return node.is("list_splat") || node.is("dictionary_splat"); }

Node Call::keyword(std::string_view word) const {
  for (const Node& argument : arguments.children())
    if (is_keyword(argument, word)) return argument.field("value");
  return {};
}

bool Call::splats() const {
  const NodeRange all = arguments.children();
  return std::any_of(all.begin(), all.end(), is_splat);
}

std::vector<Node> Call::positional() const {
  std::vector<Node> found;
  if (!arguments || takes_generator()) return found;
  for (const Node& argument : arguments.children())
    if (!is_keyword(argument) && !is_splat(argument)) found.push_back(argument);
  return found;
}

std::optional<std::vector<GivenArgument>> Call::given() const {
  if (!arguments || takes_generator()) return std::nullopt;
  std::vector<GivenArgument> found;
  for (const Node& argument : arguments.children()) {
    if (is_splat(argument) || argument.is("generator_expression")) return std::nullopt;
    found.push_back(given_argument(argument));
  }
  return found;
}

Call call(const Node& node) {
  if (!node || node.number() != kinds().call) return {};
  Call made{node, node.field("function"), node.field("arguments"), {}, {}};
  const Attribute method = attribute(made.function);
  made.object = method.object;
  made.name = method ? method.name : made.function.text();
  return made;
}

Call call_with(const Node& argument) {
  const bool value = argument.field_name() == "value" && is_keyword(argument.parent());
  const Node list = value ? argument.parent().parent() : argument.parent();
  return list && list.is("argument_list") ? call(list.parent()) : Call();
}

bool is_called(const Node& node) {
  const Node around = node.parent();
  return around && around.number() == kinds().call && node.field_name() == "function";
}

Operation operation(const Node& node) {
  using Kind = Operation::Kind;
  if (!node) return {};
  const std::uint16_t number = node.number();
  if (number == kinds().unary) return {Kind::kUnary, node, node.field("operator"), {}, node.field("argument")};
  if (number == kinds().comparison) {
    const NodeRange sides = node.children();
    return {Kind::kComparison, node, node.field("operators"), sides.front(), sides.back()};
  }
  if (number != kinds().binary && number != kinds().boolean && number != kinds().augmented) return {};
  const Kind kind = number == kinds().binary    ? Kind::kBinary
                    : number == kinds().boolean ? Kind::kBoolean
                                                : Kind::kAugmented;
  return {kind, node, node.field("operator"), node.field("left"), node.field("right")};
}

Node with_parentheses(Node node) {
  while (node.parent() && node.parent().is("parenthesized_expression")) node = node.parent();
  return node;
}

bool is_primary(const Node& node) {
  return node.is("identifier") || attribute(node) || node.is("subscript") || call(node) ||
         node.is("parenthesized_expression");
}

bool is_imaginary(const Node& node) {
  return (node.is("integer") || node.is("float")) && (node.text().back() | 0x20) == 'j';
}

bool is_unsigned_number(const Node& node) { return (node.is("integer") || node.is("float")) && !is_imaginary(node); }

bool is_number(const Node& node) {
  const Operation made = operation(node);
  if (made.kind == Operation::Kind::kUnary) return made.symbol() != "~" && made.right && is_number(made.right);
  return is_unsigned_number(node);
}

bool is_sequence(const Node& node) { return node.is("list") || node.is("tuple") || node.is("expression_list"); }

bool is_pure_kind(std::string_view kind) {
  static constexpr std::array<std::string_view, 24> kPure = {"identifier",
                                                             "attribute",
                                                             "call",
                                                             "argument_list",
                                                             "keyword_argument",
                                                             "integer",
                                                             "float",
                                                             "true",
                                                             "false",
                                                             "none",
                                                             "tuple",
                                                             "list",
                                                             "slice",
                                                             "subscript",
                                                             "binary_operator",
                                                             "ellipsis",
                                                             "comparison_operator",
                                                             "unary_operator",
                                                             "string",
                                                             "string_content",
                                                             "expression_list",
                                                             "parenthesized_expression",
                                                             "string_start",
                                                             "string_end"};
  return std::find(kPure.begin(), kPure.end(), kind) != kPure.end();
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

bool defines_function(const Statement& statement) { return statement.definition().is("function_definition"); }

bool is_import(const Node& node) {
  return node.is("import_statement") || node.is("import_from_statement") || node.is("future_import_statement");
}

std::set<std::string> imported_names(const Tree& tree) {
  std::set<std::string> names;
  for (const Node node : nodes_of(tree)) {
    if (!node.named() || (!node.is("import_statement") && !node.is("import_from_statement"))) continue;
    for (const Node& child : node.children()) {
      const std::string_view text = child.is("aliased_import") ? child.field("alias").text() : child.text();
      names.emplace(text.substr(0, text.find('.')));
    }
  }
  return names;
}

bool in_function(const Parsed& parsed, const Statement& statement, std::string_view name) {
  if (statement.function < 0) return false;
  const Statement& function = parsed.statement(statement.function);
  return function.parent < 0 && defined_name(function) == name;
}

}  // namespace jp::mutate
