#include "mutate/calls/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

/// Functions of torch and methods of tensors, by name; `operands` positional ones at least and at most.
struct Operator {
  std::string_view name;
  int least;
  int most;
};
constexpr std::array kOperators = std::to_array<Operator>({
    {"abs", 1, 1},         {"acos", 1, 1},        {"add", 2, 2},         {"asin", 1, 1},        {"atan", 1, 1},
    {"bitwise_and", 2, 2}, {"bitwise_not", 1, 1}, {"bitwise_or", 2, 2},  {"bitwise_xor", 2, 2}, {"ceil", 1, 1},
    {"clamp", 1, 3},       {"copysign", 2, 2},    {"cos", 1, 1},         {"deg2rad", 1, 1},     {"div", 2, 2},
    {"eq", 2, 2},          {"erf", 1, 1},         {"exp", 1, 1},         {"expm1", 1, 1},       {"floor", 1, 1},
    {"fmax", 2, 2},        {"fmin", 2, 2},        {"fmod", 2, 2},        {"frac", 1, 1},        {"ge", 2, 2},
    {"gt", 2, 2},          {"isfinite", 1, 1},    {"isinf", 1, 1},       {"isnan", 1, 1},       {"le", 2, 2},
    {"log", 1, 1},         {"log10", 1, 1},       {"log1p", 1, 1},       {"log2", 1, 1},        {"logical_and", 2, 2},
    {"logical_not", 1, 1}, {"logical_or", 2, 2},  {"logical_xor", 2, 2}, {"lt", 2, 2},          {"maximum", 2, 2},
    {"minimum", 2, 2},     {"mul", 2, 2},         {"ne", 2, 2},          {"neg", 1, 1},         {"rad2deg", 1, 1},
    {"reciprocal", 1, 1},  {"relu", 1, 1},        {"remainder", 2, 2},   {"round", 1, 1},       {"sign", 1, 1},
    {"signbit", 1, 1},     {"sin", 1, 1},         {"sqrt", 1, 1},        {"square", 1, 1},      {"sub", 2, 2},
    {"tan", 1, 1},         {"tanh", 1, 1},        {"trunc", 1, 1},       {"where", 3, 3},
});
// Of floats, vectorised loops and others differ in these, in the sign of a zero at least.
constexpr std::array kSafeInIntegers = std::to_array<std::string_view>({"fmod", "maximum", "minimum", "remainder"});

bool is_safe_in_floats(std::string_view name) {
  return std::find(kSafeInIntegers.begin(), kSafeInIntegers.end(), name) == kSafeInIntegers.end();
}

const Operator* find_operator(std::string_view name) {
  auto found = std::find_if(kOperators.begin(), kOperators.end(), [&](const Operator& op) { return op.name == name; });
  return found == kOperators.end() ? nullptr : &*found;
}

bool is_literal(Node node) {
  if (node.is("unary_operator")) node = node.field("argument");
  return node && (node.is("integer") || node.is("float") || node.is("true") || node.is("false") || node.is("none") ||
                  node.is("string"));
}

/// Takes an operand: a name or a literal. False for anything else.
bool take(const Node& node, std::vector<Node>& names) {
  if (node.is("identifier")) names.push_back(node);
  return node.is("identifier") || is_literal(node);
}

bool take_call(const Parsed& parsed, const Statement& statement, const Node& call, Elementwise& found) {
  Node function = call.field("function");
  Node arguments = call.field("arguments");
  if (!function.is("attribute") || !arguments.is("argument_list")) return false;
  Node object = function.field("object");
  const Operator* op = find_operator(function.field("attribute").text());
  if (!op || !object.is("identifier")) return false;
  int operands = 0;
  if (object.text() != torch_name(parsed, statement)) {
    // `condition.where(a, b)` is not `torch.where(condition, a, b)`; both are elementwise.
    found.names.push_back(object);
    ++operands;
  }
  found.integers_only = !is_safe_in_floats(op->name);
  for (const Node& argument : arguments.children()) {
    if (argument.is("keyword_argument")) {
      std::string_view keyword = argument.field("name").text();
      // `alpha` and `rounding_mode` are not bitwise for the half types, `out` writes.
      bool safe = keyword == "min" || keyword == "max" || keyword == "decimals";
      if (!safe || !is_literal(argument.field("value"))) return false;
      continue;
    }
    if (!take(argument, found.names)) return false;
    // Bounds that are tensors go the way of maximum and minimum.
    found.integers_only = found.integers_only || (op->name == "clamp" && operands > 0 && argument.is("identifier"));
    ++operands;
  }
  return operands >= op->least && operands <= op->most;
}

bool take_value(const Parsed& parsed, const Statement& statement, Node value, Elementwise& found) {
  std::vector<Node>& names = found.names;
  while (value.is("parenthesized_expression") && value.children().size() == 1) value = value.children().front();
  if (value.is("call")) return take_call(parsed, statement, value, found);
  if (value.is("binary_operator")) {
    constexpr std::array<std::string_view, 8> kSymbols = {"+", "-", "*", "/", "%", "&", "|", "^"};
    const std::string_view symbol = value.field("operator").text();
    const bool known = std::find(kSymbols.begin(), kSymbols.end(), symbol) != kSymbols.end();
    found.integers_only = symbol == "%";
    return known && take(value.field("left"), names) && take(value.field("right"), names);
  }
  if (value.is("comparison_operator")) {
    auto sides = value.children();
    constexpr std::array<std::string_view, 6> kSymbols = {"<", "<=", "==", "!=", ">", ">="};
    bool known = std::find(kSymbols.begin(), kSymbols.end(), value.field("operators").text()) != kSymbols.end();
    return known && sides.size() == 2 && take(sides[0], names) && take(sides[1], names);
  }
  if (value.is("unary_operator")) {
    std::string_view symbol = value.field("operator").text();
    return (symbol == "-" || symbol == "~") && value.field("argument").is("identifier") &&
           take(value.field("argument"), names);
  }
  return false;
}

bool usable(const NameFacts* facts) { return knows_extent(facts) && !is_complex(*facts->dtype); }

}  // namespace

std::optional<Elementwise> find_elementwise(const Parsed& parsed, const Statement& statement) {
  if (statement.kind() != "expression_statement" || !insertion_point(parsed, statement)) return std::nullopt;
  auto children = statement.node.children();
  if (children.size() != 1 || !children[0].is("assignment")) return std::nullopt;
  Node target = children[0].field("left");
  Node value = children[0].field("right");
  if (!target.is("identifier") || !value || children[0].field("type")) return std::nullopt;
  Elementwise found{&statement, target, value, {}};
  if (!take_value(parsed, statement, value, found) || found.names.empty()) return std::nullopt;
  return found;
}

std::string note_pieces(const Elementwise& elementwise, const Facts& facts) {
  const std::string& id = elementwise.statement->id;
  const NameFacts* result = facts.find_after(id, std::string(elementwise.target.text()));
  if (!usable(result)) return "";
  // An operand's gradient matters too: that of `isnan(x)` is none, and scan looks at its operands.
  bool grad = *result->requires_grad;
  std::string note = print_extent(*result);
  bool tensors = false;
  for (const Node& name : elementwise.names) {
    const NameFacts* operand = facts.find_before(id, std::string(name.text()));
    bool number = operand && (operand->kind == "int" || operand->kind == "float" || operand->kind == "bool");
    if (!number && !usable(operand)) return "";
    tensors = tensors || !number;
    grad = grad || (!number && *operand->requires_grad);
    note += ' ';
    note += number ? "number" : print_extent(*operand);
  }
  return tensors ? (grad ? "grad " : "plain ") + note : "";
}

std::optional<Pieces> read_pieces(const Elementwise& elementwise, std::string_view note) {
  auto parts = split(note, ' ');
  if (parts.size() != elementwise.names.size() + 2) return std::nullopt;
  Pieces pieces;
  pieces.requires_grad = parts[0] == "grad";
  auto result = read_extent(parts[1]);
  if (!result || (elementwise.integers_only && is_floating(result->dtype))) return std::nullopt;
  pieces.result = *result;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    pieces.operands.push_back(read_extent(parts[i]));
    if (!pieces.operands.back() && parts[i] != "number") return std::nullopt;
    if (pieces.operands.back() && pieces.operands.back()->shape.size() > pieces.result.shape.size())
      return std::nullopt;
  }
  return pieces;
}

std::vector<int> Pieces::axes(std::int64_t longest) const {
  std::vector<int> found;
  for (std::size_t i = 0; i < result.shape.size(); ++i)
    if (result.shape[i] >= 1 && result.shape[i] <= longest) found.push_back(static_cast<int>(i));
  return found;
}

std::optional<int> Pieces::operand_axis(std::size_t operand, int axis) const {
  if (!operands[operand]) return std::nullopt;
  const auto& shape = operands[operand]->shape;
  int own = axis - static_cast<int>(result.shape.size() - shape.size());
  if (own < 0 || shape[static_cast<std::size_t>(own)] != result.shape[static_cast<std::size_t>(axis)])
    return std::nullopt;
  return own;
}

bool Pieces::can_select(int axis) const {
  std::optional<Dtype> dtype;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i]) continue;
    if (dtype && *dtype != operands[i]->dtype) return false;
    dtype = operands[i]->dtype;
    bool reaches = axis >= static_cast<int>(result.shape.size() - operands[i]->shape.size());
    if (reaches && !operand_axis(i, axis)) return false;
  }
  return true;
}

bool Pieces::can_join() const {
  // With four or five axes, torch.cat may choose channels_last where sizes of 1 leave it open.
  if (result.shape.size() > 3) return false;
  std::int64_t stride = 1;
  for (std::size_t i = result.shape.size(); i-- > 0;) {
    if (result.shape[i] != 1 && result.strides[i] != stride) return false;
    stride *= result.shape[i];
  }
  return true;
}

std::string subscript(std::string_view name, int axis, std::string_view index) {
  std::string text(name);
  text += '[';
  for (int i = 0; i < axis; ++i) text += ":, ";
  return text.append(index).append("]");
}

std::string piece_text(const Elementwise& elementwise, const Pieces& pieces, int axis,
                       const std::function<std::string(std::string_view, int)>& slice) {
  EditSet edits;
  std::size_t from = elementwise.value.begin();
  for (std::size_t i = 0; i < elementwise.names.size(); ++i) {
    const Node& name = elementwise.names[i];
    if (auto own = pieces.operand_axis(i, axis))
      edits.replace(name.begin() - from, name.end() - from, slice(name.text(), *own));
  }
  return edits.apply(elementwise.value.text());
}

std::vector<Site> elementwise_sites(const Parsed& parsed, const Facts& facts,
                                    const std::function<bool(const Pieces&)>& fits) {
  std::vector<Site> sites;
  if (uses_introspection(parsed)) return sites;
  for (const Statement& statement : parsed.statements()) {
    if (!facts.after.contains(statement.id)) continue;
    auto elementwise = find_elementwise(parsed, statement);
    if (!elementwise) continue;
    auto pieces = read_pieces(*elementwise, note_pieces(*elementwise, facts));
    if (pieces && fits(*pieces)) sites.push_back({statement.id, ""});
  }
  return sites;
}

}  // namespace jp::mutate
