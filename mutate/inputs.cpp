#include "mutate/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "mutate/scopes.h"

namespace jp::mutate {
namespace {

bool is_tuple(const Node& node) { return node.is("tuple") || node.is("expression_list"); }

/// The arguments of a tuple display, or nothing when one of them is starred.
std::optional<std::vector<Node>> arguments_of(const Node& tuple) {
  auto children = tuple.children();
  for (const Node& child : children)
    if (child.is("list_splat")) return std::nullopt;
  return children;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    std::size_t end = std::min(text.find(by), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace

const Statement* module_function(const Parsed& parsed, std::string_view name) {
  const Statement* found = nullptr;
  for (const Statement& statement : parsed.statements()) {
    bool named = statement.kind() == "function_definition" && statement.node.field("name").text() == name;
    if (!named || statement.parent >= 0) continue;
    if (found) return nullptr;
    found = &statement;
  }
  return found && parsed.scopes().bindings(0, name) == 1 ? found : nullptr;
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
  if (!found.statement || found.statement->kind() != "return_statement") return std::nullopt;
  if (found.statement->node.children().size() != 1) return std::nullopt;
  found.value = found.statement->node.children().front();
  found.is_list = found.value.is("list");
  found.tuples = found.is_list ? found.value.children() : std::vector<Node>{found.value};
  for (const Node& tuple : found.tuples) {
    if (!is_tuple(tuple)) return std::nullopt;
    auto arguments = arguments_of(tuple);
    if (!arguments) return std::nullopt;
    found.calls.push_back(*std::move(arguments));
  }
  return found.calls.empty() ? std::nullopt : std::optional(std::move(found));
}

std::string note_inputs(const Parsed& parsed, const Facts& facts) {
  const Statement* function = module_function(parsed, parsed.program().entry());
  if (!function) return "";
  const Names* known = nullptr;
  for (const Statement& statement : parsed.statements())
    if (auto point = facts.before.find(statement.id);
        statement.function == function->index && point != facts.before.end()) {
      known = &point->second;
      break;
    }
  if (!known) return "";
  std::vector<std::string> kinds;
  for (const Node& parameter : function->node.field("parameters").children()) {
    Node name = parameter.is("identifier") ? parameter : parameter.field("name");
    if (!name) break;
    auto found = known->find(std::string(name.text()));
    const NameFacts* input = found == known->end() ? nullptr : &found->second;
    if (input && input->kind == "tensor" && input->dtype && input->shape)
      kinds.push_back(fmt::format("{}:{}", dtype_name(*input->dtype), fmt::join(*input->shape, ",")));
    else
      kinds.push_back(input && (input->kind == "int" || input->kind == "float" || input->kind == "bool") ? input->kind
                                                                                                         : "other");
  }
  return fmt::format("{}", fmt::join(kinds, " "));
}

std::vector<InputKind> read_inputs(std::string_view note) {
  std::vector<InputKind> inputs;
  for (std::string_view part : split(note, ' ')) {
    InputKind input;
    std::size_t colon = part.find(':');
    auto dtype = colon == std::string_view::npos ? std::nullopt : parse_dtype(part.substr(0, colon));
    input.kind = dtype ? "tensor" : std::string(part);
    if (dtype) {
      input.dtype = *dtype;
      for (std::string_view size : split(part.substr(colon + 1), ',')) {
        std::int64_t number = 0;
        if (std::from_chars(size.data(), size.data() + size.size(), number).ec != std::errc() || number < 0) return {};
        input.shape.push_back(number);
      }
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace jp::mutate
