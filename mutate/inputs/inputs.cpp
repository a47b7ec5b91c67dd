#include "mutate/inputs/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "mutate/engine/notes.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// The elements of a tuple display; nothing if one of them is starred.
std::optional<std::vector<Node>> arguments_of(const Node& tuple) {
  std::vector<Node> children = tuple.children();
  for (const Node& child : children)
    if (is_splat(child)) return std::nullopt;
  return children;
}

/// Parses a site's path: "0.2" is call 0, argument 2.
std::optional<Argument> read_path(std::string_view path) {
  Argument place;
  const char* end = path.data() + path.size();
  auto [dot, error] = std::from_chars(path.data(), end, place.call);
  if (error != std::errc() || dot == end || *dot != '.') return std::nullopt;
  auto [last, wrong] = std::from_chars(dot + 1, end, place.at);
  if (wrong != std::errc() || last != end) return std::nullopt;
  return place;
}

/// The call of the class in `Class(...)`, or in `Class(...).eval()` and the like, which give the module itself.
Call class_call(Node value) {
  while (const Call made = call(value)) {
    static constexpr auto kItself =
        std::to_array<std::string_view>({"eval", "train", "requires_grad_", "double", "float"});
    const bool itself = std::find(kItself.begin(), kItself.end(), made.name) != kItself.end();
    if (!made.object || !itself) return made;
    value = made.object;
  }
  return {};
}

/// The name of the class in the module's statement `entry = Class(...)`, or "".
std::string_view class_of_entry(const Parsed& parsed) {
  for (const Statement& statement : parsed.statements()) {
    const Assignment made = statement.parent < 0 ? assignment(statement) : Assignment();
    if (made && made.left.text() == parsed.program().entry())
      if (const Call right = class_call(made.right)) return right.function.text();
  }
  return "";
}

}  // namespace

const Statement* module_function(const Parsed& parsed, std::string_view name) {
  const Statement* found = nullptr;
  for (const Statement& statement : parsed.statements()) {
    bool named = statement.kind() == "function_definition" && defined_name(statement) == name;
    if (!named || statement.parent >= 0) continue;
    if (found) return nullptr;
    found = &statement;
  }
  return found && parsed.scopes().bindings(0, name) == 1 ? found : nullptr;
}

const Statement* entry_function(const Parsed& parsed) {
  if (const Statement* function = module_function(parsed, parsed.program().entry())) return function;
  std::string_view name = class_of_entry(parsed);
  if (name.empty()) return nullptr;
  const Statement* found = nullptr;
  for (const Statement& statement : parsed.statements()) {
    if (statement.kind() != "function_definition" || statement.parent < 0) continue;
    const Statement& around = parsed.statement(statement.parent);
    bool ours = around.kind() == "class_definition" && around.parent < 0 && defined_name(around) == name &&
                defined_name(statement) == "forward";
    if (!ours) continue;
    if (found) return nullptr;
    found = &statement;
  }
  return found;
}

const Statement* adaptable_entry(const Parsed& parsed) {
  const std::string_view name = parsed.program().entry();
  if (const Statement* function = module_function(parsed, name))
    return parsed.scopes().uses_of(0, name).size() == 1 ? function : nullptr;
  const Statement* forward = entry_function(parsed);
  if (!forward) return nullptr;
  const Statement& around = parsed.statement(forward->parent);
  // The class is bound once and read once, where the module is made.
  if (parsed.scopes().uses_of(0, defined_name(around)).size() != 2) return nullptr;
  int bindings = 0;
  for (const Use& use : parsed.scopes().uses_of(0, name)) {
    bindings += use.kind == Use::Kind::kBind ? 1 : 0;
    const Node up = use.node.parent();
    if (use.kind == Use::Kind::kDelete || (use.kind == Use::Kind::kRead && attribute(up).object != use.node))
      return nullptr;
  }
  for (const Node node : nodes_of(parsed.tree()))
    if (attribute(node).name == "forward" || attribute(node).name == "__call__") return nullptr;
  return bindings == 1 ? forward : nullptr;
}

std::vector<Node> own_parameters(const Statement& entry) {
  std::vector<Node> parameters = entry.node.field("parameters").children();
  if (entry.parent >= 0 && !parameters.empty()) parameters.erase(parameters.begin());
  return parameters;
}

std::vector<Node> entry_parameters(const Parsed& parsed) {
  const Statement* function = entry_function(parsed);
  std::vector<Node> names;
  if (!function) return names;
  bool bound = function->parent >= 0;
  for (const Node& parameter : function->node.field("parameters").children()) {
    Node name = parameter.is("identifier") ? parameter : parameter.field("name");
    if (parameter.is("typed_parameter")) name = parameter.children().front();
    if (!name || !name.is("identifier")) break;
    if (!bound) names.push_back(name);
    bound = false;
  }
  return names;
}

const Statement* body_start(const Parsed& parsed, const Statement& function) {
  for (const Statement& statement : parsed.statements())
    if (statement.parent == function.index && !is_docstring(statement)) return &statement;
  return nullptr;
}

const Statement* entry_start(const Parsed& parsed) {
  const Statement* function = entry_function(parsed);
  const Statement* start = function ? body_start(parsed, *function) : nullptr;
  return start && insertion_point(parsed, *start) ? start : nullptr;
}

std::optional<InputsReturn> find_inputs(const Parsed& parsed) {
  const Statement* function = module_function(parsed, parsed.program().inputs());
  if (!function) return std::nullopt;
  InputsReturn found;
  for (const Statement& statement : parsed.statements()) {
    if (statement.function != function->index || !statement.exits.returns || !statement.simple) continue;
    if (found.statement) return std::nullopt;
    found.statement = &statement;
  }
  if (found.statement) found.value = returned_value(*found.statement);
  if (!found.value) return std::nullopt;
  found.is_list = found.value.is("list");
  found.tuples = found.is_list ? std::vector<Node>(found.value.children()) : std::vector<Node>{found.value};
  for (const Node& tuple : found.tuples) {
    if (!is_sequence(tuple) || tuple.is("list")) return std::nullopt;
    auto arguments = arguments_of(tuple);
    if (!arguments) return std::nullopt;
    found.calls.push_back(*std::move(arguments));
  }
  return found.calls.empty() ? std::nullopt : std::optional(std::move(found));
}

std::optional<InputsReturn> changeable_inputs(const Parsed& parsed) {
  for (const Use& use : parsed.scopes().uses_of(0, parsed.program().inputs()))
    if (use.kind == Use::Kind::kRead) return std::nullopt;
  return find_inputs(parsed);
}

InputKind input_kind(const NameFacts* known) {
  InputKind input;
  if (known && is_number_kind(known->kind)) input.kind = known->kind;
  if (!known || known->kind != "tensor" || !known->dtype || !known->shape) return input;
  input = {"tensor", *known->dtype, *known->shape, known->requires_grad.value_or(false)};
  input.leaf = input.requires_grad && known->is_leaf.value_or(false);
  return input;
}

std::vector<InputKind> input_kinds(const Parsed& parsed, const Facts& facts) {
  std::vector<InputKind> kinds;
  const Statement* function = entry_function(parsed);
  if (!function) return kinds;
  const auto& all = parsed.statements();
  auto first = std::find_if(all.begin(), all.end(), [&](const Statement& statement) {
    return statement.function == function->index && facts.before.contains(statement.id);
  });
  if (first == all.end()) return kinds;
  for (const Node& name : entry_parameters(parsed))
    kinds.push_back(input_kind(facts.find_before(first->id, std::string(name.text()))));
  return kinds;
}

std::int64_t InputKind::count() const { return element_count(shape); }

bool InputKind::fits() const { return is_shape(shape); }

bool asserts_values(const Parsed& parsed) {
  static constexpr auto kWords =
      std::to_array<std::string_view>({"assert_close", "assert_allclose", "assert_equal", "assertEqual"});
  return parsed.has_any<kWords>();
}

std::vector<Site> argument_sites(const Parsed& parsed, const Facts& facts,
                                 const std::function<bool(const InputKind&)>& fits) {
  std::vector<Site> found;
  if (asserts_values(parsed)) return found;
  auto kinds = input_kinds(parsed, facts);
  if (kinds.empty()) return found;
  auto inputs = changeable_inputs(parsed);
  if (!inputs || torch_name(parsed, *inputs->statement).empty()) return found;
  for (std::size_t call = 0; call < inputs->calls.size(); ++call)
    for (std::size_t i = 0; i < inputs->calls[call].size() && i < kinds.size(); ++i)
      if (fits(kinds[i])) found.push_back({inputs->statement->id, fmt::format("{}.{}", call, i)});
  return found;
}

std::optional<Calls> argument_at(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices) {
  if (asserts_values(parsed)) return std::nullopt;
  auto inputs = changeable_inputs(parsed);
  auto place = read_path(site.path);
  auto kinds = choices.note([&] { return input_kinds(parsed, facts); });
  if (!inputs || !place || inputs->statement->id != site.statement || place->call >= inputs->calls.size())
    return std::nullopt;
  if (place->at >= std::min(inputs->calls[place->call].size(), kinds.size())) return std::nullopt;
  std::string torch = torch_name(parsed, *inputs->statement);
  if (torch.empty()) return std::nullopt;
  return Calls{*std::move(inputs), std::move(kinds), *place, std::move(torch)};
}

std::vector<Node> Calls::texts(std::size_t at, bool all_calls) const {
  std::vector<Node> found;
  for (std::size_t i = 0; i < inputs.calls.size(); ++i)
    if ((all_calls || i == asked.call) && at < inputs.calls[i].size()) found.push_back(inputs.calls[i][at]);
  return found;
}

bool Calls::has_all(const std::vector<std::size_t>& arguments) const {
  return ascends(arguments) && (arguments.empty() || arguments.back() < kinds.size());
}

bool binds_names(const Parsed& parsed, const Node& text) {
  for (const Use& use : parsed.scopes().uses_in(text.begin(), text.end()))
    if (use.kind == Use::Kind::kBind && parsed.scopes().uses_of(use.owner, use.name).size() > 1) return true;
  return false;
}

std::string operand(const Node& text) {
  return is_primary(text) ? std::string(text.text()) : fmt::format("({})", text.text());
}

std::string with_tail(const Node& text, const InputKind& kind, std::string_view tail) {
  if (!kind.leaf) return operand(text) + std::string(tail);
  constexpr std::string_view kLeaf = ".requires_grad_()";
  std::string_view inner = text.text();
  // If the text ends with .requires_grad_(), the tail is put before that, so that the result is a leaf.
  if (call(text) && inner.ends_with(kLeaf)) {
    inner.remove_suffix(kLeaf.size());
    return fmt::format("{}{}{}", inner, tail, kLeaf);
  }
  return fmt::format("{}.detach(){}{}", operand(text), tail, kLeaf);
}

}  // namespace jp::mutate
