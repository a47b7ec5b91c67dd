#include "mutate/outline/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mutate/calls/operator_call.h"
#include "mutate/calls/pure_names.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/aliases.h"
#include "mutate/facts/live.h"
#include "mutate/facts/save_restore.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/writing_calls.h"

namespace jp::mutate {
namespace {

/// The module's torch or a path of attributes on it ("torch.nn.functional").
bool is_torch_path(const Node& node, std::string_view torch) {
  if (node.is("identifier")) return node.text() == torch;
  return node.is("attribute") && is_torch_path(node.field("object"), torch);
}

bool pure_call(const Call& call, std::string_view torch) {
  if (!call.object || !is_pure_name(call.name) || writes_tensor(call)) return false;
  if (!is_torch_path(call.object, torch)) return true;
  std::string_view path = call.object.text();
  path.remove_prefix(std::min(path.size(), torch.size()));
  return path.empty() || path == ".nn.functional" || path == ".special" || path == ".linalg";
}

bool pure_node(const Node& node, std::string_view torch) {
  if (!is_pure_kind(node.kind())) return false;
  if (const Call made = call(node)) return pure_call(made, torch);
  if (node.is("keyword_argument")) {
    std::string_view name = node.field("name").text();
    return name != "out" && name != "inplace" && name != "requires_grad" && name != "training";
  }
  if (node.is("comparison_operator")) {
    constexpr std::array<std::string_view, 6> kSymbols = {"<", "<=", "==", "!=", ">", ">="};
    return node.children().size() == 2 &&
           std::find(kSymbols.begin(), kSymbols.end(), node.field("operators").text()) != kSymbols.end();
  }
  // Matrix products may choose another kernel if gradients are required, with other rounding.
  if (node.is("binary_operator")) return node.field("operator").text() != "@";
  if (node.is("attribute") && !is_torch_path(node, torch)) {
    std::string_view name = node.field("attribute").text();
    return is_called(node) || name == "shape" || name == "dtype" || name == "T" || name == "mT" || name == "ndim";
  }
  return true;
}

bool pure_expression(const Node& value, std::string_view torch) {
  for (const Node node : nodes_of(value))
    if (node.named() && !node.is("comment") && !pure_node(node, torch)) return false;
  return true;
}

bool shares_memory(const Names& names, const std::string& name, const NameFacts& known) {
  return std::any_of(names.begin(), names.end(), [&](const auto& other) {
    const NameFacts& facts = other.second;
    if (other.first == name || is_number_kind(facts.kind)) return false;
    if (facts.kind == "tensor") return !facts.storage || *facts.storage == *known.storage;
    return facts.kind.empty();
  });
}

std::optional<Value> known_value(const Names& names, const std::string& name, bool varying) {
  auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  const NameFacts& facts = found->second;
  Value value;
  value.name = name;
  if (is_number_kind(facts.kind)) return value;
  const bool whole = knows_layout(&facts);
  const bool varies = varying && facts.kind == "tensor" && facts.dtype && facts.least_shape && facts.row_major == true;
  if (!whole && !varies) return std::nullopt;
  value.tensor = true;
  value.dtype = *facts.dtype;
  value.shape = whole ? *facts.shape : *facts.least_shape;
  value.requires_grad = facts.requires_grad.value_or(true);
  value.contiguous = !whole || is_row_major(known_type_of(facts));
  return value;
}

/// A later statement of the range binds a name that the statement reads: behind the range facts don't show what it was.
bool reads_rebound(const Parsed& parsed, const BodySignature& signature, const Statement& statement) {
  const auto uses = parsed.scopes().uses_in(statement.begin, statement.end);
  return std::any_of(signature.range.begin(), signature.range.end(), [&](const Statement* later) {
    const Node left = assignment(*later).left;
    return later->index > statement.index && std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
             return use.kind == Use::Kind::kRead && use.name == left.text();
           });
  });
}

/// The last assignment to the name in the range may give it the object that it held before, or one that others hold and
/// facts don't show.
bool made_of_itself(const Parsed& parsed, const BodySignature& signature, const Facts& facts, std::string_view name) {
  const Names& names = facts.after.at(signature.last().id);
  const bool unseen =
      std::any_of(names.begin(), names.end(), [](const auto& one) { return may_hold_unseen(one.second); });
  bool may = false;
  for (const Statement* statement : signature.range)
    if (const Node left = assignment(*statement).left; left.is("identifier") && left.text() == name)
      may =
          may_hold_anothers(parsed, facts, *statement, name) ||
          (!assigns_new_memory(parsed, facts, *statement) && (unseen || reads_rebound(parsed, signature, *statement)));
    else if (!left.is("identifier"))
      may = true;
  return may;
}

/// Autograd doesn't save the result of the range, one statement.
bool is_unsaved(const Parsed& parsed, const BodySignature& signature) {
  return forgets_result(parsed, signature.first(), assignment(signature.first()).right);
}

/// What the range, one statement, computes with gradients may be written over directly behind it, or its clone may.
bool writes_over(const Parsed& parsed, const BodySignature& signature, const Values& values) {
  return signature.range.size() == 1 && values.results.size() == 1 && autograd_is_plain(parsed) &&
         !parsed.has_word("inference_mode") && (is_unsaved(parsed, signature) || values.results.front().contiguous);
}

/// The result's memory was allocated in the range and is held by no other name.
bool is_fresh(const Parsed& parsed, const BodySignature& signature, const Facts& facts, const std::string& name) {
  const Names& names = facts.after.at(signature.last().id);
  const NameFacts& known = names.at(name);
  return known.storage && known.overlaps_itself && !*known.overlaps_itself && !shares_memory(names, name, known) &&
         !made_of_itself(parsed, signature, facts, name);
}

bool has_names(const std::vector<Value>& values, const std::vector<std::string>& names) {
  return std::equal(values.begin(), values.end(), names.begin(), names.end(),
                    [](const Value& value, const std::string& name) { return value.name == name; });
}

}  // namespace

bool Value::fits() const { return is_shape(shape); }

bool Values::any_gradient() const {
  auto wants = [](const Value& value) { return value.requires_grad; };
  return std::any_of(arguments.begin(), arguments.end(), wants) || std::any_of(results.begin(), results.end(), wants);
}

bool Values::any_complex() const {
  auto complex = [](const Value& value) { return value.tensor && is_complex(value.dtype); };
  return std::any_of(arguments.begin(), arguments.end(), complex) ||
         std::any_of(results.begin(), results.end(), complex);
}

bool Values::all_fresh() const {
  return std::all_of(results.begin(), results.end(), [](const Value& value) { return value.tensor && value.fresh; });
}

std::vector<std::string> Values::tensor_arguments() const {
  std::vector<std::string> names;
  for (const Value& value : arguments)
    if (value.tensor) names.push_back(value.name);
  return names;
}

std::optional<Values> known_values(const Parsed& parsed, const BodySignature& signature, const Facts& facts,
                                   bool varying) {
  auto before = facts.before.find(signature.first().id);
  auto after = facts.after.find(signature.last().id);
  if (before == facts.before.end() || after == facts.after.end()) return std::nullopt;
  Values values;
  auto add = [&](const std::vector<std::string>& names, const Names& known, std::vector<Value>& to) {
    for (const auto& name : names) {
      std::optional<Value> value = known_value(known, name, varying);
      if (!value) return false;
      to.push_back(*std::move(value));
    }
    return true;
  };
  if (!add(signature.inputs(), before->second, values.arguments) ||
      !add(signature.outputs(), after->second, values.results))
    return std::nullopt;
  for (Value& result : values.results) result.fresh = result.tensor && is_fresh(parsed, signature, facts, result.name);
  return values;
}

bool is_closed(const Parsed& parsed, const BodySignature& signature) {
  const int frame = parsed.scopes().scope_of(signature.first());
  const std::string torch = torch_name(parsed, signature.first());
  const std::string_view functional = functional_name(parsed);
  const auto uses = parsed.scopes().uses_in(signature.first().begin, signature.last().end);
  return std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
    const bool of_torch = use.owner == 0 && (use.name == torch || use.name == functional);
    if (use.owner < 0 || (of_torch && use.kind == Use::Kind::kRead)) return true;
    return use.owner == frame && signature.knows(use.name);
  });
}

bool is_pure(const Parsed& parsed, const BodySignature& signature) {
  const std::string torch = torch_name(parsed, signature.first());
  return std::all_of(signature.range.begin(), signature.range.end(), [&](const Statement* statement) {
    const Assignment made = assignment(*statement);
    return !made.augmented() && made.right && made.left.is("identifier") && pure_expression(made.right, torch);
  });
}

bool keeps_numbers(const BodySignature& signature, const Values& values) {
  return std::none_of(values.arguments.begin(), values.arguments.end(),
                      [&](const Value& value) { return !value.tensor && signature.writes(value.name); });
}

bool fits_control_flow(const Parsed& parsed, const BodySignature& signature, const Values& values) {
  return (!values.any_gradient() || writes_over(parsed, signature, values)) && values.all_fresh() &&
         !values.any_complex() && !may_negate(parsed) && !parsed.has_word("_version") &&
         !values.tensor_arguments().empty() && is_closed(parsed, signature) && is_pure(parsed, signature) &&
         !may_be_traced(parsed, signature.first()) && !torch_name(parsed, signature.first()).empty() &&
         // A number is captured by the function instead of being an operand, so it must not be bound there.
         keeps_numbers(signature, values);
}

Body ValuesMutation::control_flow_body(Packing& packing, const Values& values, const std::string& function,
                                       const std::vector<std::string>& operands, const Lines& more,
                                       const std::string& call) {
  Body body = function_body(packing.signature, function, operands, {}, more, call);
  if (!values.any_gradient()) return body;
  const std::string result = values.results.front().name;
  const std::string written = packing.rewrite.name("w");
  const std::string without = fmt::format("with {}.no_grad():", packing.torch());
  body.call = {{without},
               {fmt::format("{} = {}", written, call), 1},
               {fmt::format("{} = {}({}){}", result, function, joined(operands),
                            is_unsaved(packing.parsed, packing.signature) ? "" : ".clone()")}};
  if (packing.choices.chance(1, 3))
    body.call.push_back({fmt::format("{}.detach().copy_({})", result, written)});
  else
    add(body.call, Lines{{without}, {fmt::format("{}.copy_({})", result, written), 1}});
  return body;
}

std::optional<Values> ValuesMutation::values_of(const Parsed& parsed, const BodySignature& signature,
                                                const Facts& facts) const {
  auto values = known_values(parsed, signature, facts);
  if (values || !takes_varying()) return values;
  values = known_values(parsed, signature, facts, true);
  return values && values->any_gradient() ? values : std::nullopt;
}

bool ValuesMutation::fits(const Parsed& parsed, const Facts& facts, const BodySignature& signature) const {
  const auto values = values_of(parsed, signature, facts);
  return values && allows(parsed, signature, *values);
}

std::optional<Body> ValuesMutation::pack(Packing& packing) const {
  const auto& [parsed, facts, signature, rewrite, choices] = packing;
  const auto values = choices.note([&] { return values_of(parsed, signature, facts); });
  // A recorded step may belong to another program.
  const bool ours =
      values && has_names(values->arguments, signature.inputs()) && has_names(values->results, signature.outputs());
  return ours && allows(parsed, signature, *values) ? pack_with(packing, *values) : std::nullopt;
}

}  // namespace jp::mutate
