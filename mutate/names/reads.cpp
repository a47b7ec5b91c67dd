#include "mutate/names/reads.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/among.h"
#include "core/operators.h"
#include "mutate/names/results.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/writing_calls.h"

namespace jp::mutate {
namespace {

/// The operator's result never shares memory with an argument, it writes nothing, and its bits don't depend on the
/// addresses of its arguments (matrix products may depend on alignment, so they don't count).
bool is_steady(std::string_view name) {
  const OperatorFacts* op = find_operator(name);
  return op && op->steady;
}

/// Methods and functions whose effect or result depends on the tensor object, its storage or its strides, not only on
/// its elements.
constexpr std::array<std::string_view, 30> kIdentityMatters = {"backward",
                                                               "register_hook",
                                                               "register_post_accumulate_grad_hook",
                                                               "retain_grad",
                                                               "data_ptr",
                                                               "storage",
                                                               "untyped_storage",
                                                               "is_set_to",
                                                               "stride",
                                                               "storage_offset",
                                                               "is_contiguous",
                                                               "numpy",
                                                               "share_memory",
                                                               "type",
                                                               "is_tensor",
                                                               "is_storage",
                                                               "save",
                                                               "typename",
                                                               "is_same",
                                                               "compile",
                                                               "vmap",
                                                               "func",
                                                               "cond",
                                                               "while_loop",
                                                               "as_subclass",
                                                               "manual_seed",
                                                               "dequantize",
                                                               "element_size",
                                                               "module_load",
                                                               "grad"};

/// A place where the grammar allows no other expression, or where one would be evaluated at another time.
bool is_fixed(const Node& node, const Node& statement) {
  if (is_target(node) && assignment(node.parent()).augmented()) return true;
  for (Node at = node; at && !(at == statement); at = at.parent())
    for (std::string_view kind : {"string", "type", "lambda", "delete_statement", "named_expression"})
      if (at.is(kind)) return true;
  return statement.is("delete_statement") || statement.is("import_statement") || statement.is("global_statement") ||
         statement.is("nonlocal_statement") || statement.is("import_from_statement") ||
         statement.is("type_alias_statement");
}

/// The last part of the name of a function of torch that takes tensors ("relu" for `torch.nn.functional.relu`), or "".
std::string_view torch_function(std::string_view function, std::string_view torch) {
  if (torch.empty() || !function.starts_with(torch) || function.substr(torch.size(), 1) != ".") return "";
  std::string_view path = function.substr(torch.size() + 1);
  std::size_t dot = path.rfind('.');
  std::string_view module_path = dot == std::string_view::npos ? "" : path.substr(0, dot);
  for (std::string_view known : {"", "nn.functional", "special", "linalg", "fft"})
    if (module_path == known) return dot == std::string_view::npos ? path : path.substr(dot + 1);
  return "";
}

bool writes_or_needs_identity(std::string_view function) {
  return function.ends_with('_') || among(kIdentityMatters, function);
}

std::optional<TensorRead> judge(const Parsed& parsed, const Node& name, const Statement& statement,
                                std::string_view torch);

/// A read by a function or method of which `result` is the call: if that may give the tensor itself, what reads the
/// result decides.
TensorRead read_by(const Parsed& parsed, const Node& name, bool fresh, std::string_view function, const Node& result,
                   const Statement& statement, std::string_view torch) {
  TensorRead read{name, fresh};
  if (fresh || !may_give_operand(function)) return read;
  const auto outer = judge(parsed, result, statement, torch);
  read.itself = !outer || outer->itself || outer->returned;
  return read;
}

/// The read of one name, classified by the nodes around it; nothing if it may not be replaced.
std::optional<TensorRead> judge(const Parsed& parsed, const Node& name, const Statement& statement,
                                std::string_view torch) {
  Node node = with_parentheses(name);
  Node around = node.parent();
  const Operation operator_around = operation(around);
  if (operator_around.kind == Operation::Kind::kUnary && operator_around.symbol() == "+")
    return read_by(parsed, name, false, "positive", around, statement, torch);
  if (operator_around.kind == Operation::Kind::kUnary) return TensorRead{name, true};
  if (operator_around.kind == Operation::Kind::kComparison)
    for (const std::string_view word : {"is", "in", "not in", "is not"})
      if (around.has_token(word)) return std::nullopt;
  if (operator_around.kind == Operation::Kind::kComparison || operator_around.kind == Operation::Kind::kBinary)
    return TensorRead{name, true};
  if (const Attribute read = attribute(around); read.object == node) {
    const std::string_view attribute = read.name;
    const Call made = is_called(around) ? call(around.parent()) : Call();
    if (!made) {
      bool plain = attribute == "shape" || attribute == "dtype" || attribute == "ndim" || attribute == "mT";
      return plain ? std::optional(TensorRead{name, false}) : std::nullopt;
    }
    if (writes_or_needs_identity(attribute)) return std::nullopt;
    return read_by(parsed, name, is_steady(attribute) && !made.keyword("out"), attribute, made.node, statement, torch);
  }
  if (around.is("subscript") && node.field_name() == "value")
    return in_target(around, statement.node) ? std::nullopt : std::optional(TensorRead{name, false});

  bool entry = in_function(parsed, statement, parsed.program().entry());
  const Node list = is_sequence(around) ? around : node;
  if (entry && list.parent().is("return_statement")) return TensorRead{.node = name, .returned = true};

  const Node argument = around.is("list") || around.is("tuple") ? around : node;
  const Call made = call_with(argument);
  if (!made || made.keyword("out") || made.keyword("inplace") || asks_in_place(made) || made.splats())
    return std::nullopt;
  std::string_view own = torch_function(made.function.text(), torch);
  // A method of a tensor, as in `v0.add(v1)`. An in-place method writes its object and only reads its arguments.
  if (own.empty() && made.object && made.object.is("identifier")) {
    bool reads = is_steady(base_name(made.name));
    // If object and argument share memory, an in-place method may read elements after it has written them.
    bool fresh = reads && !made.name.ends_with('_');
    return reads ? std::optional(TensorRead{.node = name, .fresh = fresh, .object = made.object}) : std::nullopt;
  }
  if (own.empty() || writes_or_needs_identity(own)) return std::nullopt;
  return read_by(parsed, name, is_steady(own), own, made.node, statement, torch);
}

}  // namespace

std::vector<Node> plain_reads(const Parsed& parsed, const Statement& statement) {
  std::vector<Node> reads;
  if (!statement.simple) return reads;
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(statement);
  auto uses = scopes.uses_in(statement.begin, statement.end);
  auto rebound = [&](std::string_view name) {
    return std::any_of(uses.begin(), uses.end(),
                       [&](const Use& use) { return use.name == name && use.kind != Use::Kind::kRead; });
  };
  bool inner = std::any_of(uses.begin(), uses.end(), [](const Use& use) { return use.conditional; });
  for (const Use& use : uses) {
    if (use.kind != Use::Kind::kRead || use.scope != scope || !use.node.is("identifier")) continue;
    // Names in the target of `x[i] += 1` are listed twice among the uses.
    if (is_fixed(use.node, statement.node) || (!reads.empty() && reads.back() == use.node)) continue;
    // A target is evaluated after the statement's value, and perhaps after other targets, when the name may have been
    // bound again.
    if (rebound(use.name) && (inner || in_target(use.node, statement.node))) continue;
    reads.push_back(use.node);
  }
  return reads;
}

bool read_once(const Parsed& parsed, const Statement& statement, std::string_view name) {
  auto reads = plain_reads(parsed, statement);
  return std::count_if(reads.begin(), reads.end(), [&](const Node& node) { return node.text() == name; }) == 1;
}

std::vector<TensorRead> tensor_reads(const Parsed& parsed, const Statement& statement) {
  std::vector<TensorRead> reads;
  auto plain = plain_reads(parsed, statement);
  if (plain.empty()) return reads;
  std::string torch = torch_name(parsed, statement);
  for (const Node& node : plain)
    if (node.text() != torch)
      if (auto read = judge(parsed, node, statement, torch)) reads.push_back(*read);
  return reads;
}

}  // namespace jp::mutate
