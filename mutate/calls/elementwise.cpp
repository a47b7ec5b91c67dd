#include "mutate/calls/elementwise.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/operators.h"
#include "mutate/calls/operator_call.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// The operator, if its result on a slice has the bits of the whole result's slice; otherwise nullptr.
const OperatorFacts* in_pieces(const OperatorFacts* op) {
  return op && op->pieces != OperatorFacts::Pieces::kUnknown ? op : nullptr;
}

bool integers_only(const OperatorFacts& op) { return op.pieces == OperatorFacts::Pieces::kIntegers; }

bool is_literal(Node node) {
  if (const Operation made = operation(node); made.kind == Operation::Kind::kUnary) node = made.right;
  return node &&
         (is_unsigned_number(node) || node.is("true") || node.is("false") || node.is("none") || node.is("string"));
}

/// `self.scale`: an attribute of a name, whose facts are those of "self[scale]".
bool is_part(const Node& node) { return attribute(node) && path_root(node).is("identifier"); }

/// Accepts an operand that is a name, an attribute of one or a literal; returns false for anything else.
bool take(const Node& node, std::vector<Node>& names) {
  const bool name = node.is("identifier") || is_part(node);
  if (name) names.push_back(node);
  return name || is_literal(node);
}

bool take_call(const Parsed& parsed, const Statement& statement, const Call& call, Elementwise& found) {
  const Node object = call.object;
  const OperatorFacts* op = object ? in_pieces(find_operator(call.name)) : nullptr;
  const auto given = call.given();
  if (!op || !given) return false;
  const TorchNames names(parsed, statement);
  const bool functional = op->functional && names.is_functional(object);
  if (!functional && !object.is("identifier")) return false;
  std::size_t operands = 0;
  if (!functional && object.text() != names.torch) {
    // `condition.where(a, b)` is not `torch.where(condition, a, b)`; both are elementwise.
    found.names.push_back(object);
    ++operands;
  }
  found.integers_only = integers_only(*op);
  for (const auto& [keyword, argument] : *given) {
    if (!keyword.empty()) {
      // `alpha` and `rounding_mode` are not bitwise for the half types, `out` writes.
      bool safe = keyword == "min" || keyword == "max" || keyword == "decimals";
      if (!safe || !is_literal(argument)) return false;
      continue;
    }
    if (!take(argument, found.names)) return false;
    // With tensors as bounds, clamp is maximum and minimum: the sign of a zero may differ.
    const bool bound = op->name == "clamp" && operands > 0 && !is_literal(argument);
    found.integers_only = found.integers_only || bound;
    ++operands;
  }
  return operands >= op->required && operands <= op->places;
}

bool take_value(const Parsed& parsed, const Statement& statement, Node value, Elementwise& found) {
  std::vector<Node>& names = found.names;
  while (value.is("parenthesized_expression") && value.children().size() == 1) value = value.children().front();
  if (const Call made = call(value)) return take_call(parsed, statement, made, found);
  const Operation made = operation(value);
  if (!made || made.kind == Operation::Kind::kBoolean || made.chained()) return false;
  const OperatorFacts* op = in_pieces(find_symbol(made.symbol(), !made.left));
  if (!op) return false;
  found.integers_only = integers_only(*op);
  if (!made.left) return !is_literal(made.right) && take(made.right, names);
  return take(made.left, names) && take(made.right, names);
}

bool usable(const NameFacts* facts) { return knows_layout(facts) && !is_complex(*facts->dtype); }

/// The facts of a name or of an attribute of one before the statement.
const NameFacts* operand_facts(const Facts& facts, const Statement& statement, const Node& node) {
  if (node.is("identifier")) return facts.find_before(statement.id, std::string(node.text()));
  const std::string_view root = path_root(node).text();
  return facts.find_before(statement.id, fmt::format("{}[{}]", root, node.text().substr(root.size() + 1)));
}

/// The least sizes of a tensor that is row-major at every visit, if only axes behind the first differ between visits,
/// and none of these has one element at any: no other tensor is then broadcast along them.
std::optional<KnownTensorType> varying_type(const NameFacts* facts) {
  if (!facts || facts->kind != "tensor" || !facts->dtype || is_complex(*facts->dtype)) return std::nullopt;
  const auto& least = facts->least_shape;
  if (!least || !facts->largest_shape || least->empty() || facts->row_major != true) return std::nullopt;
  for (std::size_t i = 0; i < least->size(); ++i)
    if ((*least)[i] != (*facts->largest_shape)[i] && (i == 0 || (*least)[i] < 2)) return std::nullopt;
  return KnownTensorType(*facts->dtype, *least, contiguous_strides(*least));
}

/// The result of an operator on floating tensors of one dtype and numbers has that dtype.
bool keeps_dtype(const Elementwise& elementwise) {
  const Call made = call(elementwise.value);
  const Operation symbol = operation(elementwise.value);
  const OperatorFacts* op = made ? find_operator(made.name) : find_symbol(symbol.symbol(), !symbol.left);
  return op && op->type == OperatorFacts::TypeRule::kPromoted && !elementwise.integers_only;
}

/// The elementwise calls inside the statement.
std::vector<Elementwise> inner_calls(const Parsed& parsed, const Statement& statement) {
  std::vector<Elementwise> found;
  if (!statement.simple || !insertion_point(parsed, statement)) return found;
  const Node whole = assignment(statement).name() ? assignment(statement).right : Node();
  for (const Node node : nodes_of(statement.node, own_scopes())) {
    if (!node.named() || node == whole || (!node.is("call") && !operation(node))) continue;
    const Operation made = operation(node);
    if (made.kind == Operation::Kind::kAugmented) continue;
    Elementwise inner{&statement, {}, node, {}};
    if (take_value(parsed, statement, node, inner) && !inner.names.empty()) found.push_back(std::move(inner));
  }
  return found;
}

/// The statement evaluates no other call before this one.
bool comes_first(const Elementwise& inner) {
  OperatorCall call;
  call.statement = inner.statement;
  call.node = inner.value;
  return call.comes_first();
}

}  // namespace

std::optional<Elementwise> find_elementwise(const Parsed& parsed, const Statement& statement, std::string_view path) {
  if (!path.empty()) {
    auto all = inner_calls(parsed, statement);
    const auto at = read_index(path, all.size());
    return at && comes_first(all[*at]) ? std::optional(std::move(all[*at])) : std::nullopt;
  }
  const Assignment made = assignment(statement);
  if (!made.name() || !insertion_point(parsed, statement)) return std::nullopt;
  Elementwise found{&statement, made.left, made.right, {}};
  if (!take_value(parsed, statement, made.right, found) || found.names.empty()) return std::nullopt;
  return found;
}

bool Pieces::all_alike() const {
  return is_floating(result.dtype) && is_row_major(result) &&
         std::all_of(operands.begin(), operands.end(), [&](const auto& operand) {
           return !operand ||
                  (operand->dtype == result.dtype && operand->shape == result.shape && is_row_major(*operand));
         });
}

bool Pieces::fits() const {
  return std::all_of(operands.begin(), operands.end(),
                     [&](const auto& operand) { return !operand || operand->shape.size() <= result.shape.size(); });
}

/// As find_pieces() for an assignment whose tensors all differ between visits.
std::optional<Pieces> find_varying(const Elementwise& elementwise, const Facts& facts) {
  if (!elementwise.target || elementwise.integers_only) return std::nullopt;
  const NameFacts* after = facts.find_after(elementwise.statement->id, std::string(elementwise.target.text()));
  const auto result = varying_type(after);
  if (!result) return std::nullopt;
  Pieces pieces{.result = *result, .requires_grad = after->requires_grad.value_or(true), .operands = {}};
  for (const Node& name : elementwise.names) {
    const NameFacts* operand = operand_facts(facts, *elementwise.statement, name);
    const bool number = operand && is_number_kind(operand->kind);
    const auto type = number ? std::nullopt : varying_type(operand);
    // One of another rank, or of a size that never differs, would be broadcast.
    if (!number && (!type || type->shape != result->shape)) return std::nullopt;
    pieces.requires_grad = pieces.requires_grad || (!number && operand->requires_grad.value_or(true));
    pieces.operands.push_back(type);
  }
  return pieces;
}

std::optional<Pieces> find_pieces(const Elementwise& elementwise, const Facts& facts, bool varying) {
  if (varying)
    if (auto pieces = find_varying(elementwise, facts)) return pieces;
  Pieces pieces;
  bool tensors = false;
  for (const Node& name : elementwise.names) {
    const NameFacts* operand = operand_facts(facts, *elementwise.statement, name);
    const bool number = operand && is_number_kind(operand->kind);
    if (!number && !usable(operand)) return std::nullopt;
    if (!number && !tensors) pieces.result = known_type_of(*operand);
    tensors = tensors || !number;
    // The operands' gradients count too: `isnan(x)` requires no grad although x may, and scan inspects its operands.
    pieces.requires_grad = pieces.requires_grad || (!number && operand->requires_grad.value_or(true));
    pieces.operands.push_back(number ? std::nullopt : std::optional(known_type_of(*operand)));
  }
  if (!tensors) return std::nullopt;
  if (elementwise.target) {
    const NameFacts* result = facts.find_after(elementwise.statement->id, std::string(elementwise.target.text()));
    if (!usable(result) || (elementwise.integers_only && is_floating(*result->dtype))) return std::nullopt;
    pieces.result = known_type_of(*result);
    pieces.requires_grad = pieces.requires_grad || result->requires_grad.value_or(true);
  } else if (!pieces.all_alike() || !keeps_dtype(elementwise)) {
    return std::nullopt;
  }
  return pieces.fits() ? std::optional(std::move(pieces)) : std::nullopt;
}

std::optional<Pieces> draw_pieces(const Elementwise& elementwise, const Facts& facts, Choices& choices, bool varying) {
  auto pieces = choices.note([&] { return find_pieces(elementwise, facts, varying); });
  const bool fits = pieces && pieces->operands.size() == elementwise.names.size() &&
                    !(elementwise.integers_only && is_floating(pieces->result.dtype));
  return fits ? pieces : std::nullopt;
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

bool Pieces::drops(std::size_t operand, int axis) const {
  if (!operands[operand]) return false;
  const auto& shape = operands[operand]->shape;
  const int own = axis - static_cast<int>(result.shape.size() - shape.size());
  return own >= 0 && shape[static_cast<std::size_t>(own)] == 1 && result.shape[static_cast<std::size_t>(axis)] != 1;
}

bool Pieces::can_select(int axis, bool dropping) const {
  std::optional<Dtype> dtype;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i]) continue;
    if (dtype && *dtype != operands[i]->dtype) return false;
    dtype = operands[i]->dtype;
    bool reaches = axis >= static_cast<int>(result.shape.size() - operands[i]->shape.size());
    if (reaches && !operand_axis(i, axis) && !(dropping && drops(i, axis))) return false;
  }
  return true;
}

bool Pieces::can_join() const {
  // With four or five axes torch.cat may choose channels_last strides if sizes of 1 make the layout ambiguous.
  const bool clear = result.shape.size() == 4 &&
                     std::all_of(result.shape.begin(), result.shape.end(), [](std::int64_t size) { return size > 1; });
  return (result.shape.size() <= 3 || clear) && is_row_major(result);
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
                                    const std::function<bool(const Pieces&)>& fits, bool varying) {
  std::vector<Site> found;
  if (uses_introspection(parsed)) return found;
  auto fit = [&](const Elementwise& elementwise) {
    const auto pieces = find_pieces(elementwise, facts, varying);
    return pieces && fits(*pieces);
  };
  for (const Statement& statement : parsed.statements()) {
    if (!facts.before.contains(statement.id)) continue;
    auto elementwise = facts.after.contains(statement.id) ? find_elementwise(parsed, statement, "") : std::nullopt;
    if (elementwise && fit(*elementwise)) found.push_back({statement.id, ""});
    const auto inner = inner_calls(parsed, statement);
    for (std::size_t i = 0; i < inner.size(); ++i)
      if (comes_first(inner[i]) && fit(inner[i])) found.push_back({statement.id, fmt::format("{}", i)});
  }
  return found;
}

}  // namespace jp::mutate
